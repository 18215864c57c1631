// Shows listeners that the connection lives; run by RouteService.
internal import ServiceLifecycle

/// The clock of the streams.
struct Heartbeat: Service {
    let state: ServiceState

    /// Runs until the service stops.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(state.settings.heartbeatSeconds))
                state.events.sendHeartbeat()
            }
        }
    }
}
