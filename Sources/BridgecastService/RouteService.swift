internal import BridgecastCore
internal import Hummingbird
internal import Logging
internal import NIOCore
public import ServiceLifecycle

/// Forecasts, routes and live events over HTTP.
///
/// It listens until the service group that runs it shuts down: then it ends the streams with a hint to reconnect, marks
/// each further answer as the last of its connection, and closes idle connections after a second.
public struct RouteService: Service {
    private let state: ServiceState
    private let responder: ServiceResponder
    private let trust: ProxyTrust
    private let listening: @Sendable (_ port: Int) async -> Void

    /// The server ends without waiting for connections that it has only just accepted.
    private static let lastAnswersSeconds = 2.0

    /// Creates a service.
    ///
    /// - Parameter listening: Called with the port once requests are accepted.
    /// - Throws: ``ProxyTrustError`` if a proxy or field of the settings is invalid.
    public init(
        _ parts: ServiceParts, _ settings: ServiceSettings,
        listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws(ProxyTrustError) {
        state = ServiceState(parts, settings)
        trust = try ProxyTrust(settings)
        responder = ServiceResponder(state, trust)
        self.listening = listening
    }

    package var current: ServiceState { state }

    /// Runs the service.
    ///
    /// - Throws: ``HistoryStoreError`` if the store cannot be read; an error of the system if the address is in use.
    public func run() async throws {
        let pipeline = try LivePipeline(state)
        let settings = state.settings
        let application = Application(
            responder: responder,
            server: GuardedHTTP1Channel.builder(settings, trust: trust, counts: state.connections),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "bridgecast",
                backlog: 1024),
            services: [pipeline, Heartbeat(state: state), state.models, MemoryWatch(state: state)]
                + (state.transit.map { [$0] } ?? []) + (AdminService(state).map { [$0] } ?? [])
                + state.parts.companions,
            onServerRunning: { [listening] channel in
                await listening(channel.localAddress?.port ?? settings.port)
            }, logger: state.log)
        // The server waits for open connections, including streams: these end before its shutdown begins.
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: { [state] in
            state.connections.beginDraining()
            state.events.finish()
            state.parts.endStreams?()
        }
        await state.connections.waitUntilClosed(maxSeconds: Self.lastAnswersSeconds)
    }
}
