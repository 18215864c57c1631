// The functions of bridgecast.h: pointers are checked and go no further than this file.
// Belongs here: the C interface; not: anything that Swift code could not ask as well.
import Bridgecast
import CBridgecast
import Foundation

/// `BRIDGECAST_ABI` of this library.
@_cdecl("bridgecast_abi")
public func bridgecastABI() -> Int32 { Int32(BRIDGECAST_ABI) }

/// Loads a model; see bridgecast.h, which documents all of these.
@_cdecl("bridgecast_open")
public func bridgecastOpen(
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
            roadsFile: url.deletingLastPathComponent()
                .appendingPathComponent("roads/seattle.roads"))
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
@_cdecl("bridgecast_close")
public func bridgecastClose(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// The last error of a handle.
@_cdecl("bridgecast_error")
public func bridgecastError(_ handle: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let handle = unsafe Handle.at(handle) else { return nil }
    return unsafe handle.errorText
}

/// Says what time it is, and forgets the states.
@_cdecl("bridgecast_set_time")
public func bridgecastSetTime(_ handle: OpaquePointer?, _ now: Double) -> Int32 {
    unsafe call(handle) { _, state in
        let issueTime = try Handle.State.time(now, "now")
        state.issueTime = issueTime
        state.live = LiveSnapshot(asOf: issueTime)
    }
}

/// Says what state a bridge is in.
@_cdecl("bridgecast_set_state")
public func bridgecastSetState(
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
        default: throw ABIFailure(BRIDGECAST_USAGE, "\(span) is no state of a bridge")
        }
    }
}

/// Says of a recent opening.
@_cdecl("bridgecast_add_opening")
public func bridgecastAddOpening(
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

/// Says where the roads are.
@_cdecl("bridgecast_set_roads")
public func bridgecastSetRoads(
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
@_cdecl("bridgecast_forecast")
public func bridgecastForecast(
    _ handle: OpaquePointer?, _ bridge: Int32, _ arrival: Double, _ rho: Double,
    _ delay: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe call(handle) { handle, state in
        let place = try unsafe CallerStruct(
            delay, leastSize: delaySizeInABI1, "delay.size to sizeof(bridgecast_delay)")
        let index = try Handle.State.bridge(bridge)
        let situation = try state.situation()
        let moment = try Handle.State.time(arrival, "arrival")
        // Compared as the engine has it: a number just below 1 may be 1 there.
        guard Float(rho) < 1 else {
            throw ABIFailure(BRIDGECAST_USAGE, "rho \(rho) is not below 1")
        }
        let density = rho >= 0 ? rho : TrafficProfile.density(of: index, at: moment)
        let request = ForecastRequest(
            bridge: index, leadMinutes: moment.minutes(since: situation.issueTime),
            density: Float(density))
        let forecast = try handle.inference.forecastNow([request], in: situation)[0]
        unsafe place.write(
            bridgecast_delay(
                size: place.size, probability_delayed: forecast.probabilityDelayed,
                expected_s: forecast.expectedSeconds, p50_s: forecast.quantileSeconds(0.5),
                p80_s: forecast.quantileSeconds(0.8), p95_s: forecast.quantileSeconds(0.95)))
    }
}

/// The ranked routes between two places.
@_cdecl("bridgecast_plan")
public func bridgecastPlan(
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
                routes, leastSize: routeSizeInABI1,
                "routes[0].size to sizeof(bridgecast_route)") : nil
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

/// Runs a call on a handle.
private func call(
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
