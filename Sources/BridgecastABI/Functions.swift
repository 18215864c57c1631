// The functions of bridgecast.h, except those for tables of rows (RowFunctions.swift): pointers are checked here and go no
// further than this file. What a call does is in Handle.swift, Forecasting.swift and Planning.swift.
import Bridgecast
import CBridgecast
import Foundation

/// `BRIDGECAST_ABI` of this library.
@_cdecl("bridgecast_abi") public func bridgecastABI() -> Int32 { Int32(BRIDGECAST_ABI) }

/// The version of this library; never freed.
@_cdecl("bridgecast_version") public func bridgecastVersion() -> UnsafePointer<CChar>? {
    unsafe versionText
}

/// Safe: no one writes it after it is made, and it is never freed.
private nonisolated(unsafe) let versionText = unsafe UnsafePointer(
    strdup(BridgecastVersion.current))

/// Loads a model; see bridgecast.h, which documents all of these.
@_cdecl("bridgecast_open") public func bridgecastOpen(
    _ model: UnsafePointer<CChar>?, _ code: UnsafeMutablePointer<Int32>?,
    _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> OpaquePointer? {
    do {
        guard let model = unsafe model, unsafe model.pointee != 0 else {
            throw ABIFailure(BRIDGECAST_USAGE, "no model file was named")
        }
        let url = URL(fileURLWithPath: unsafe String(cString: model))
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ABIFailure(BRIDGECAST_MISSING, "\(url.path): there is no such file")
        }
        let handle = Handle(
            try TrafficInference(contentsOf: url),
            roadsFile: url.deletingLastPathComponent().appendingPathComponent("roads/seattle.roads")
        )
        unsafe code?.pointee = Int32(BRIDGECAST_OK)
        return unsafe OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    } catch {
        let failure = ABIFailure(error)
        unsafe code?.pointee = Int32(failure.code)
        if let text = unsafe text, capacity > 0 {
            let bytes = unsafe UnsafeMutableBufferPointer(start: text, count: capacity)
            unsafe bytes.fill(failure.text)
        }
        return nil
    }
}

/// Frees a handle.
@_cdecl("bridgecast_close") public func bridgecastClose(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// The last error of a handle.
@_cdecl("bridgecast_error") public func bridgecastError(
    _ handle: OpaquePointer?
) -> UnsafePointer<CChar>? {
    guard let handle = unsafe Handle.at(handle) else { return nil }
    return unsafe handle.errorText
}

/// Sets the time and clears the states.
@_cdecl("bridgecast_set_time") public func bridgecastSetTime(
    _ handle: OpaquePointer?, _ now: Double
) -> Int32 {
    unsafe call(handle) { _, state in
        let issueTime = try Handle.State.time(now, "now")
        state.issueTime = issueTime
        state.live = LiveSnapshot(asOf: issueTime)
    }
}

/// Sets the state of a bridge.
@_cdecl("bridgecast_set_state") public func bridgecastSetState(
    _ handle: OpaquePointer?, _ bridge: Int32, _ span: Int32, _ since: Double
) -> Int32 {
    unsafe call(handle) { _, state in
        let index = try Handle.State.bridge(bridge)
        switch Int(span) {
        case BRIDGECAST_UNKNOWN: state.live.states[index] = .unknown
        case BRIDGECAST_LOWERED: state.live.states[index] = .lowered
        case BRIDGECAST_RAISED:
            let start = since == 0 ? nil : try state.past(since, "since")
            state.live.states[index] = .raised(since: start)
        default: throw ABIFailure(BRIDGECAST_USAGE, "\(span) is not a state of a bridge")
        }
    }
}

/// Adds a recent opening.
@_cdecl("bridgecast_add_opening") public func bridgecastAddOpening(
    _ handle: OpaquePointer?, _ bridge: Int32, _ raised: Double, _ lowered: Double,
    _ observedSince: Double
) -> Int32 {
    unsafe call(handle) { _, state in
        let index = try Handle.State.bridge(bridge)
        let start = try Handle.State.time(raised, "raised")
        let end = try Handle.State.time(lowered, "lowered")
        guard start < end else {
            throw ABIFailure(BRIDGECAST_USAGE, "an opening must begin before it ends")
        }
        guard state.issueTime.map({ end <= $0 }) ?? true else {
            throw ABIFailure(BRIDGECAST_USAGE, "the opening ends after now: it is not over")
        }
        if observedSince != 0 {
            state.live.observedSince[index] = try state.past(observedSince, "observed_since")
        }
        state.live.openings.append(Opening(bridge: index, start: start, end: end))
    }
}

/// Sets the file of the roads.
@_cdecl("bridgecast_set_roads") public func bridgecastSetRoads(
    _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> Int32 {
    unsafe call(handle) { _, state in
        guard let path = unsafe path, unsafe path.pointee != 0 else {
            throw ABIFailure(BRIDGECAST_USAGE, "no file of roads was named")
        }
        let url = URL(fileURLWithPath: unsafe String(cString: path))
        state.roads = try RoadNetwork(contentsOf: url)
        state.roadsFile = url
    }
}

/// The delay at a bridge for an arrival.
@_cdecl("bridgecast_forecast") public func bridgecastForecast(
    _ handle: OpaquePointer?, _ bridge: Int32, _ arrival: Double, _ rho: Double,
    _ delay: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe call(handle) { handle, state in
        let result = try unsafe CallerStruct(
            delay, minSize: delaySizeInABI1, "delay.size to sizeof(bridgecast_delay)")
        let forecast = try handle.forecast(at: bridge, arrival: arrival, rho: rho, &state)
        unsafe result.write(
            bridgecast_delay(
                size: result.size, probability_delayed: forecast.probabilityDelayed,
                expected_s: forecast.expectedSeconds, p50_s: forecast.quantileSeconds(0.5),
                p80_s: forecast.quantileSeconds(0.8), p95_s: forecast.quantileSeconds(0.95)))
    }
}

/// The delays for many arrivals in one call.
@_cdecl("bridgecast_forecast_many") public func bridgecastForecastMany(
    _ handle: OpaquePointer?, _ count: Int, _ bridges: UnsafePointer<Int32>?,
    _ arrivals: UnsafePointer<Double>?, _ rhos: UnsafePointer<Double>?,
    _ probabilityDelayed: UnsafeMutablePointer<Double>?,
    _ expected: UnsafeMutablePointer<Double>?, _ p50: UnsafeMutablePointer<Double>?,
    _ p80: UnsafeMutablePointer<Double>?, _ p95: UnsafeMutablePointer<Double>?
) -> Int32 {
    unsafe call(handle) { handle, state in
        // Arrays without elements may be NULL.
        guard count != 0 else { return }
        let requests = try unsafe ArrivalsInC(
            count: count, bridges: bridges, times: arrivals, rhos: rhos)
        let columns = unsafe DelayColumnsInC(
            probabilityDelayed: probabilityDelayed, expected: expected, p50: p50, p80: p80,
            p95: p95)
        unsafe columns.write(try handle.forecasts(requests, &state))
    }
}

/// The ranked routes between two places.
@_cdecl("bridgecast_plan") public func bridgecastPlan(
    _ handle: OpaquePointer?, _ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?,
    _ mode: Int32, _ departure: Double, _ deadline: Double, _ routes: UnsafeMutableRawPointer?,
    _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe call(handle) { handle, state in
        guard let from = unsafe from, let to = unsafe to, let count = unsafe count else {
            throw ABIFailure(BRIDGECAST_USAGE, "from, to and count must not be NULL")
        }
        let first =
            capacity > 0
            ? try unsafe CallerStruct(
                routes, minSize: routeSizeInABI1, "routes[0].size to sizeof(bridgecast_route)")
            : nil
        let ranked = try handle.plan(
            from: unsafe String(cString: from), to: unsafe String(cString: to), mode: mode,
            departure: try Handle.State.time(departure, "departure"),
            deadline: deadline == 0 ? nil : try Handle.State.time(deadline, "deadline"), &state)
        unsafe count.pointee = ranked.count
        guard let first = unsafe first else { return }
        for (index, score) in ranked.prefix(capacity).enumerated() {
            unsafe first.advanced(by: index).write(bridgecast_route(score, size: first.size))
        }
    }
}

/// Runs a call of a handle; `BRIDGECAST_USAGE` without one.
func call(
    _ handle: OpaquePointer?, _ body: (Handle, inout Handle.State) throws -> Void
) -> Int32 {
    guard let handle = unsafe Handle.at(handle) else { return Int32(BRIDGECAST_USAGE) }
    return handle.call { try body(handle, &$0) }
}

extension Handle {
    fileprivate static func at(_ pointer: OpaquePointer?) -> Handle? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

// MARK: - Structs of the caller

/// Sizes of the structs in the first header of this ABI; a caller's are at least as large.
let delaySizeInABI1 = 48
/// See ``delaySizeInABI1``.
let routeSizeInABI1 = 472
/// No header has larger structs: a larger size comes from memory that was never set.
let largestSize = 1 << 16

/// Memory of the caller for a struct whose first member is its size there.
@unsafe struct CallerStruct {
    private let pointer: UnsafeMutableRawPointer
    /// Bytes of the struct as the caller knows it.
    let size: Int

    /// - Parameter advice: What the caller has to set.
    init(_ pointer: UnsafeMutableRawPointer?, minSize: Int, _ advice: String) throws {
        guard let pointer = unsafe pointer,
            (minSize...largestSize).contains(unsafe pointer.load(as: Int.self))
        else { throw ABIFailure(BRIDGECAST_USAGE, "set \(advice)") }
        unsafe self.pointer = unsafe pointer
        unsafe size = unsafe pointer.load(as: Int.self)
    }

    private init(_ pointer: UnsafeMutableRawPointer, size: Int) {
        unsafe self.pointer = unsafe pointer
        unsafe self.size = size
    }

    /// The struct at an offset in an array.
    func advanced(by count: Int) -> CallerStruct {
        unsafe CallerStruct(pointer.advanced(by: count * size), size: size)
    }

    /// Writes as much of a value as the caller's struct holds, and zeros to what the value does not have.
    func write<Value: BitwiseCopyable>(_ value: Value) {
        unsafe withUnsafeBytes(of: value) { bytes in
            let known = min(bytes.count, unsafe size)
            if let start = bytes.baseAddress {
                unsafe pointer.copyMemory(from: start, byteCount: known)
            }
            _ = unsafe pointer.advanced(by: known).initializeMemory(
                as: UInt8.self, repeating: 0, count: size - known)
        }
    }
}
