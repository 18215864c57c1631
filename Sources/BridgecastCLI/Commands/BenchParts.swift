// The parts `live`, `records` and `journals` of `bridgecast bench`.
import Bridgecast
import BridgecastBench
import BridgecastCore
import BridgecastData
import BridgecastJourneys
import BridgecastLive
import BridgecastStore
import Foundation
import Logging
import Observation

/// The time from the last byte of a reading that changes a state to the models, without and with many watchers.
@MainActor
enum LiveBench {
    struct Result: Encodable, Sendable {
        let watchers: Int
        /// Readings that changed a state.
        let changes: Int
        /// Inference batches run, including those of minutes without a change.
        let batches: Int
        /// Requests to the feed.
        let requests: Int
        /// Times a watcher was woken.
        let wakes: Int
        /// From bytes to models, milliseconds.
        let p50, p99, max: Double
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
        let sorted = counts.latencies.sorted().map { $0 * 1e3 }
        return Result(
            watchers: watchers, changes: counts.latencies.count, batches: counts.batches,
            requests: counts.requests, wakes: crowd.wakes, p50: percentile(0.5, of: sorted),
            p99: percentile(0.99, of: sorted), max: percentile(1, of: sorted))
    }

    /// Watchers that read a bridge's delay again after each change.
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

/// Reads a file and stores it once, as `ingest` does; for tools/comparisons/compare_pandas, which does the same with
/// pandas.
enum RecordBench {
    struct Result: Encodable {
        let rows: Int
        /// Seconds to read and parse every row.
        let readSeconds: Double
        /// Maximum resident memory of this process after reading, MB.
        let peakMegabytes: Double
        /// Seconds to store the records in a new store.
        let storeSeconds: Double
    }

    static func run(_ url: URL) throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let file = try RecordFile(url, now: .now)
        let read = clock.now
        let peak = peakMegabytes()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-bench-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try HistoryStore(folder.appendingPathComponent("history.sqlite"), .writing)
        let opened = clock.now
        _ = try store.ingest(
            file, coverage: nil, gapSeconds: OpeningConsolidation.defaultGapSeconds, at: .now)
        return Result(
            rows: file.rowsRead, readSeconds: (read - start) / .seconds(1), peakMegabytes: peak,
            storeSeconds: (clock.now - opened) / .seconds(1))
    }

    private static func peakMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
        return (kilobytes ?? .nan) / 1024
    }
}

/// Opens journals of several sizes, plain and encrypted, and adds to them.
enum JournalBench {
    struct Result: Encodable {
        let isEncrypted: Bool
        let journeys: Int
        /// Medians in milliseconds: opening, adding a journey, reading all, and the statistics of what was read.
        let open, add, readAll, statistics: Double
    }

    private static let sizes = [1_000, 100_000]
    private static let rounds = 11

    static func run() throws -> [Result] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-bench-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = try StoreKey.make(at: folder.appendingPathComponent("key"))
        return try sizes.flatMap { size in
            try [nil, key].map { key in
                let name = "\(size)-\(key == nil ? "plain" : "encrypted").sqlite"
                return try measure(folder.appendingPathComponent(name), size, key)
            }
        }
    }

    private static func measure(_ url: URL, _ size: Int, _ key: StoreKey?) throws -> Result {
        let now = Timestamp.now
        let store = try JourneyStore(url, .writing, key: key)
        try store.setMaxJourneys(JourneyStore.largestMaxJourneys)
        let kept = (0..<size).map { journey($0, now: now) }
        _ = try store.merge(JournalContents(journeys: kept), now: now)
        store.close()
        let open = try median { _ in try JourneyStore(url, .writing, key: key).close() }
        let again = try JourneyStore(url, .writing, key: key)
        defer { again.close() }
        let readAll = try median { _ in _ = try again.journeys() }
        let journeys = try again.journeys()
        let statistics = try median { _ in
            _ = JourneyStatistics(of: journeys, range: .all, now: now, zone: .gmt)
        }
        let add = try median { round in
            try again.add(journey(-1 - round, now: now), now: now)
        }
        return Result(
            isEncrypted: key != nil, journeys: size, open: open, add: add, readAll: readAll,
            statistics: statistics)
    }

    /// One of ten journeys a day, back from before now; those that are added, with negative numbers, are later.
    private static func journey(_ number: Int, now: Timestamp) -> Journey {
        let start = now.adding(minutes: -144 * Double(number + rounds + 1))
        let from = "place \(abs(number) % 20)"
        let to = "place \(abs(number) % 7 + 20)"
        return Journey(
            id: "bench-\(number)", route: Journey.identity(from: from, to: to, mode: .car),
            name: "\(from) -> \(to)", mode: .car, plannedDeparture: start,
            plannedArrival: start.adding(minutes: 20), actualDeparture: start,
            actualArrival: start.adding(minutes: 18 + Double(abs(number) % 9)), createdAt: start)
    }

    private static func median(_ body: (_ round: Int) throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        let times = try (0..<rounds).map { round in
            try clock.measure { try body(round) } / .milliseconds(1)
        }
        return times.sorted()[rounds / 2]
    }
}
