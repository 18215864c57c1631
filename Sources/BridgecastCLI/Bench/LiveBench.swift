// Times the live pipeline on replayed records: the `live` part of `bridgecast bench`.
import Bridgecast
import BridgecastBench
import BridgecastCore
import BridgecastLive
import Logging
import Observation

/// From the last byte of a reading that changes a state to the models, alone and with many watchers.
@MainActor
enum LiveBench {
    /// What one run took.
    struct Result: Encodable, Sendable {
        /// Watchers of the models.
        let watchers: Int
        /// Readings that changed a state.
        let changes: Int
        /// Inference batches run, those of minutes without a change included.
        let batches: Int
        /// Requests to the feed.
        let requests: Int
        /// Times a watcher was woken.
        let wakes: Int
        /// From bytes to models, milliseconds.
        let p50, p99, most: Double
    }

    /// Replays two weeks as fast as possible, or some changes one by one with pauses between them.
    static func run(watchers: Int, days: Int) async throws -> Result {
        let history = try LoadedRecords.shipped().history
        let start = try TimeText.parse("2026-02-10T00:00")
        let clock = ReplayClock(from: start, speed: .infinity)
        var parts = LiveParts(
            bridges: ReplayFeed(history, clock: clock),
            records: { history.before(SeattleTime.startOfDay(SeattleTime.civil(at: $0).date)) },
            log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        parts.clock = clock
        let app = AppStateModel()
        let service = try LiveService(
            parts,
            forecaster: LiveForecaster(
                TrafficInference(try ModelLoading.load(nil)),
                history: try parts.records(start)), app: app)
        let crowd = Crowd(app, count: watchers)
        try await service.run(until: start.adding(minutes: Double(days) * 1440))
        let counts = await service.counts
        let sorted = counts.latencies.sorted()
        func percentile(_ share: Double) -> Double {
            sorted.isEmpty
                ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] * 1e3
        }
        return Result(
            watchers: watchers, changes: counts.latencies.count, batches: counts.batches,
            requests: counts.requests, wakes: crowd.wakes, p50: percentile(0.5),
            p99: percentile(0.99), most: percentile(1))
    }

    /// Watchers that read a bridge's delay again whenever it has changed.
    @MainActor
    final class Crowd {
        private(set) var wakes = 0
        private let app: AppStateModel

        init(_ app: AppStateModel, count: Int) {
            self.app = app
            for number in 0..<count { watch(app.bridges[number % app.bridges.count]) }
        }

        private func watch(_ bridge: BridgeStatusModel) {
            withObservationTracking {
                _ = bridge.realTimeDelay
            } onChange: { [weak self] in
                Task { @MainActor in
                    self?.wakes += 1
                    self?.watch(bridge)
                }
            }
        }
    }
}
