// Runs the live pipeline inside the service: what it publishes becomes boards and events.
internal import Bridgecast
internal import BridgecastLive
internal import BridgecastObservation
private import Logging
internal import ServiceLifecycle
private import Synchronization

/// The one poller, for any number of clients.
struct LivePipeline: Service {
    private let state: ServiceState
    private let live: LiveService

    /// How far boards look ahead, minutes.
    static let reachMinutes = 120.0
    /// Seconds after which a pipeline that failed begins again.
    private static let restSeconds = 1.0

    /// Prepares the pipeline of a service.
    ///
    /// - Throws: ``HistoryStoreError`` or an error of the records, if what is known so far cannot be read.
    @MainActor
    init(_ state: ServiceState) throws {
        self.state = state
        var parts = state.parts.live
        let boards = BoardMaker(state)
        parts.listener = { boards.take($0) }
        parts.bridges = PausableFeed(parts.bridges, state.pause)
        let forecaster = try LiveForecaster(
            state.parts.inference, history: try parts.records(parts.clock.now),
            reachMinutes: Self.reachMinutes)
        live = try LiveService(parts, forecaster: forecaster, app: AppStateModel())
    }

    /// Runs until the service stops; a failure is logged, and the pipeline begins again.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await keepRunning() }
                group.addTask { try await forecastAgain() }
            }
        }
    }

    private func keepRunning() async throws {
        while !Task.isCancelled {
            do {
                try await live.run()
            } catch is CancellationError {
                return
            } catch {
                state.log.error("live pipeline failed", metadata: ["reason": "\(error)"])
                try await Task.sleep(for: .seconds(Self.restSeconds))
            }
        }
    }

    /// A new model makes a new board at once.
    private func forecastAgain() async throws {
        for await _ in state.models.changes {
            do {
                try await live.forecastAgain()
            } catch is CancellationError {
                return
            } catch {
                state.log.error("no forecast by the new model", metadata: ["reason": "\(error)"])
            }
        }
    }
}
