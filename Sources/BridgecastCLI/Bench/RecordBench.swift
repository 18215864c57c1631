// Times reading and storing a file of records: the `records` part of `bridgecast bench`.
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

/// Reads a file once and stores it once, as `ingest` does; for tools/comparisons/compare_pandas, which
/// does the same with its peer in processes that take turns.
enum RecordBench {
    /// What one run took.
    struct Result: Encodable {
        /// Rows of the file.
        let rows: Int
        /// Seconds to read and understand every row.
        let readSeconds: Double
        /// The most memory this process had in RAM after reading, MB.
        let peakMegabytes: Double
        /// Seconds to store what was read in a new store.
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
