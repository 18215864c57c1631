// Shows listeners that the connection lives, and ends their streams when the service stops.
internal import ServiceLifecycle

/// The clock of the streams.
struct Heartbeat: Service {
    private let state: ServiceState

    init(_ state: ServiceState) { self.state = state }

    /// Runs until the service stops.
    func run() async throws {
        await withGracefulShutdownHandler {
            try? await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: .seconds(state.settings.heartbeatSeconds))
                    state.events.sendHeartbeat()
                }
            }
        } onGracefulShutdown: {
            state.events.finish()
        }
    }
}
