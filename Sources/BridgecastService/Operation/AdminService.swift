// The administration's own server: on loopback only, on a port of its own; run by RouteService.
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// Listens for administrators.
struct AdminService: Service {
    private let endpoints: AdminEndpoints
    private let settings: ServiceSettings
    private let port: Int
    private let log: Logger

    /// Few people administrate; nobody else reaches loopback.
    private static let mostConnections = 16

    /// The administration of a service; nil where the settings name no port, or no token that is
    /// long enough.
    init?(_ state: ServiceState) {
        guard let port = state.settings.adminPort, let token = state.settings.adminToken else {
            return nil
        }
        guard token.count >= ServiceSettings.leastTokenLength else {
            state.log.error(
                "no administration: its token is too short",
                metadata: ["least_characters": "\(ServiceSettings.leastTokenLength)"])
            return nil
        }
        endpoints = AdminEndpoints(state, token: token)
        var settings = state.settings
        // What a proxy would say of addresses is of no matter here.
        (settings.trustedHeader, settings.trustedProxies) = (nil, [])
        settings.mostConnections = Self.mostConnections
        settings.mostConnectionsPerClient = Self.mostConnections
        (self.settings, self.port, log) = (settings, port, state.log)
    }

    func run() async throws {
        let application = Application(
            responder: endpoints,
            server: GuardedHTTP1Channel.builder(
                settings, trust: try ProxyTrust(settings), counts: ConnectionCounts(settings)),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: "bridgecast"),
            onServerRunning: { [log] channel in
                let port = channel.localAddress?.port ?? 0
                log.info("administration listens", metadata: ["port": "\(port)"])
            },
            logger: log)
        try await application.run()
    }
}
