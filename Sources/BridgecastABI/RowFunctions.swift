// The functions of bridgecast.h for tables of rows: pointers are checked here and in the types of rows, which read them.
import Bridgecast
import CBridgecast
import Foundation

/// Sets the records of openings; see bridgecast.h, which documents all of these.
@_cdecl("bridgecast_set_records") public func bridgecastSetRecords(
    _ handle: OpaquePointer?, _ count: Int, _ bridges: UnsafePointer<Int32>?,
    _ raised: UnsafePointer<Double>?, _ lowered: UnsafePointer<Double>?, _ periodCount: Int,
    _ periodBridges: UnsafePointer<Int32>?, _ periodStarts: UnsafePointer<Double>?,
    _ periodEnds: UnsafePointer<Double>?
) -> Int32 {
    unsafe call(handle) { _, state in
        let records = unsafe RecordsInC(
            count: count, bridges: bridges, raised: raised, lowered: lowered,
            periodCount: periodCount, periodBridges: periodBridges, periodStarts: periodStarts,
            periodEnds: periodEnds)
        state.records = try unsafe records.records()
    }
}

/// Reads the records of openings from files.
@_cdecl("bridgecast_read_records") public func bridgecastReadRecords(
    _ handle: OpaquePointer?, _ files: UnsafePointer<UnsafePointer<CChar>?>?, _ fileCount: Int,
    _ coverage: UnsafePointer<CChar>?
) -> Int32 {
    unsafe call(handle) { _, state in
        guard let files = unsafe files, let coverage = unsafe coverage, fileCount > 0 else {
            throw ABIFailure(BRIDGECAST_USAGE, "no files of records, or no coverage, were named")
        }
        let urls = try (0..<fileCount).map { index in
            guard let file = unsafe files[index] else {
                throw ABIFailure(BRIDGECAST_USAGE, "files[\(index)] must not be NULL")
            }
            return URL(fileURLWithPath: unsafe String(cString: file))
        }
        state.records = try RowRecords(
            files: urls, coverage: URL(fileURLWithPath: unsafe String(cString: coverage)))
    }
}

/// The delays that were forecast for rows of arrivals.
@_cdecl("bridgecast_forecast_rows") public func bridgecastForecastRows(
    _ handle: OpaquePointer?, _ rows: UnsafeRawPointer?
) -> Int32 {
    unsafe call(handle) { handle, state in
        let rows = try unsafe ArrivalRowsInC(
            read(rows, "rows->size to sizeof(bridgecast_arrivals)"))
        try unsafe handle.forecast(rows, &state)
    }
}

/// The ranked candidates of rows of trips.
@_cdecl("bridgecast_rank_rows") public func bridgecastRankRows(
    _ handle: OpaquePointer?, _ rows: UnsafeRawPointer?
) -> Int32 {
    unsafe call(handle) { handle, state in
        let rows = try unsafe TripRowsInC(read(rows, "rows->size to sizeof(bridgecast_trips)"))
        try unsafe handle.rank(rows, &state)
    }
}

/// The delays of rows of arrivals by the records.
@_cdecl("bridgecast_delay_rows") public func bridgecastDelayRows(
    _ handle: OpaquePointer?, _ rows: UnsafeRawPointer?
) -> Int32 {
    unsafe call(handle) { handle, state in
        let rows = try unsafe RecordedArrivalRowsInC(
            read(rows, "rows->size to sizeof(bridgecast_recorded_arrivals)"))
        try unsafe handle.recordedDelays(rows, &state)
    }
}

/// A struct of the caller; members that a later header has at its end are not read.
///
/// - Parameter advice: What the caller has to set.
private func read<Value: BitwiseCopyable>(
    _ pointer: UnsafeRawPointer?, _ advice: String
) throws -> Value {
    guard let pointer = unsafe pointer,
        (MemoryLayout<Value>.size...largestSize).contains(unsafe pointer.load(as: Int.self))
    else { throw ABIFailure(BRIDGECAST_USAGE, "set \(advice)") }
    return unsafe pointer.load(as: Value.self)
}
