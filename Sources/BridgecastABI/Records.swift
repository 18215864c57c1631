// Records of openings for rows: from a C caller's arrays or from files, to what was known at an issue time.
internal import BridgecastData
import Bridgecast
import CBridgecast
import Foundation

/// Records that rows are answered from.
struct RowRecords {
    let history: OpeningHistory
    let reader: SituationReader

    init(_ openings: [Opening], coverage: Coverage) {
        history = OpeningHistory(records: openings, coverage: coverage)
        reader = SituationReader(history)
    }

    /// Reads files of the city and a file of periods.
    ///
    /// - Throws: `ABIFailure` with `BRIDGECAST_MISSING` or `BRIDGECAST_DATA`.
    init(files: [URL], coverage: URL) throws {
        for url in files + [coverage] where !FileManager.default.fileExists(atPath: url.path) {
            throw ABIFailure(BRIDGECAST_MISSING, "\(url.path): there is no such file")
        }
        do {
            let openings = try files.flatMap { try RecordFile($0, now: .now).openings }
            self.init(openings, coverage: try CoverageFile.read(coverage))
        } catch {
            throw ABIFailure(BRIDGECAST_DATA, "\(error)")
        }
    }
}

/// The arrays of bridgecast_set_records, in the caller's memory.
@unsafe struct RecordsInC {
    let count: Int
    let bridges: UnsafePointer<Int32>?
    let raised: UnsafePointer<Double>?
    let lowered: UnsafePointer<Double>?
    let periodCount: Int
    let periodBridges: UnsafePointer<Int32>?
    let periodStarts: UnsafePointer<Double>?
    let periodEnds: UnsafePointer<Double>?

    /// - Throws: `ABIFailure` with the opening or the period that makes no sense.
    func records() throws -> RowRecords {
        guard unsafe count >= 0, unsafe periodCount >= 0 else {
            throw ABIFailure(BRIDGECAST_USAGE, "a count is too large")
        }
        return unsafe RowRecords(try openings(), coverage: try coverage())
    }

    /// No opening is longer, as in files of records.
    private static var maxSeconds: Int64 { 86_400 }

    private func openings() throws -> [Opening] {
        guard unsafe count > 0 else { return [] }
        guard let bridges = unsafe bridges, let raised = unsafe raised, let lowered = unsafe lowered
        else { throw ABIFailure(BRIDGECAST_USAGE, "bridges, raised and lowered must not be NULL") }
        return unsafe try (0..<count).map { index in
            unsafe try Self.located("opening", index) {
                let start = try Handle.State.time(unsafe raised[index], "raised")
                let end =
                    unsafe lowered[index].isNaN
                    ? nil : try Handle.State.time(unsafe lowered[index], "lowered")
                let seconds = (end ?? start).secondsSinceEpoch - start.secondsSinceEpoch
                guard unsafe (0...Self.maxSeconds).contains(seconds) else {
                    throw ABIFailure(
                        BRIDGECAST_USAGE, "it ends before it begins, or more than a day later")
                }
                return Opening(
                    bridge: try Handle.State.bridge(unsafe bridges[index]), start: start, end: end)
            }
        }
    }

    private func coverage() throws -> Coverage {
        guard unsafe periodCount > 0 else { return .empty }
        guard let bridges = unsafe periodBridges, let starts = unsafe periodStarts,
            let ends = unsafe periodEnds
        else {
            throw ABIFailure(
                BRIDGECAST_USAGE,
                "period_bridges, period_starts and period_ends must not be NULL")
        }
        var periods: [BridgeIndex: [Range<Timestamp>]] = [:]
        for index in unsafe 0..<periodCount {
            unsafe try Self.located("period", index) {
                let start = try Handle.State.time(unsafe starts[index], "its start")
                let end = try Handle.State.time(unsafe ends[index], "its end")
                guard start < end else {
                    throw ABIFailure(BRIDGECAST_USAGE, "it must begin before it ends")
                }
                let id = unsafe bridges[index]
                for bridge in id == 0 ? BridgeIndex.all : [try Handle.State.bridge(id)] {
                    periods[bridge, default: []].append(start..<end)
                }
            }
        }
        return Coverage(periods)
    }

    private static func located<Value>(
        _ what: String, _ index: Int, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let failure as ABIFailure {
            throw ABIFailure(failure.code, "\(what) \(index): \(failure.text)")
        }
    }
}
