// Forecasts for a C caller: what a request is made of, one or many at a time.
internal import BridgecastEngine
import Bridgecast
import CBridgecast

extension Handle {
    /// Rows that are computed at a time: as many as fit the caches, far fewer than may run.
    private static let rowsPerBatch = 4096

    /// The delay for one arrival.
    func forecast(
        at bridge: Int32, arrival: Double, rho: Double, _ state: inout State
    ) throws -> DelayDistribution {
        let situation = try state.situation()
        let request = try ForecastRequest(bridge, arrival: arrival, rho: rho, in: situation)
        return try inference.forecastNow([request], in: situation)[0]
    }

    /// The delays for many arrivals, in order; nothing is returned if one of them is refused.
    func forecasts(_ arrivals: ArrivalsInC, _ state: inout State) throws -> [DelayDistribution] {
        let situation = try state.situation()
        var delays: [DelayDistribution] = []
        delays.reserveCapacity(arrivals.count)
        for start in stride(from: 0, to: arrivals.count, by: Self.rowsPerBatch) {
            let end = min(start + Self.rowsPerBatch, arrivals.count)
            let requests = try (start..<end).map { try arrivals.request($0, in: situation) }
            do {
                delays += try inference.forecastNow(requests, in: situation)
            } catch InferenceError.notFinite(let row) {
                throw InferenceError.notFinite(request: start + row)
            }
        }
        return delays
    }
}

extension ForecastRequest {
    /// - Throws: `ABIFailure` for numbers that are no bridge, no arrival or no degree of saturation.
    init(_ bridge: Int32, arrival: Double, rho: Double, in situation: Situation) throws {
        let index = try Handle.State.bridge(bridge)
        let time = try Handle.State.time(arrival, "arrival")
        // Compared as the engine stores it: a double just below 1 may round to 1.
        guard Float(rho) < 1 else {
            throw ABIFailure(BRIDGECAST_USAGE, "rho \(rho) is not below 1")
        }
        let density = rho >= 0 ? rho : TrafficProfile.density(of: index, at: time)
        self.init(
            bridge: index, leadMinutes: time.minutes(since: situation.issueTime),
            density: Float(density))
    }
}

/// The arrivals of bridgecast_forecast_many, in the caller's memory.
@unsafe struct ArrivalsInC {
    let count: Int
    private let bridges: UnsafePointer<Int32>
    private let times: UnsafePointer<Double>
    private let rhos: UnsafePointer<Double>?

    /// - Parameter rhos: nil for the default of the hour everywhere.
    init(
        count: Int, bridges: UnsafePointer<Int32>?, times: UnsafePointer<Double>?,
        rhos: UnsafePointer<Double>?
    ) throws {
        guard count >= 0 else { throw ABIFailure(BRIDGECAST_USAGE, "count is too large") }
        guard let bridges = unsafe bridges, let times = unsafe times else {
            throw ABIFailure(BRIDGECAST_USAGE, "bridges and arrivals must not be NULL")
        }
        unsafe self.count = count
        unsafe self.bridges = unsafe bridges
        unsafe self.times = unsafe times
        unsafe self.rhos = unsafe rhos
    }

    /// - Throws: What is wrong with the request, and its index.
    func request(_ index: Int, in situation: Situation) throws -> ForecastRequest {
        do {
            let request = try ForecastRequest(
                unsafe bridges[index], arrival: unsafe times[index],
                rho: unsafe rhos?[index] ?? -1, in: situation)
            try request.check(index: index)
            return request
        } catch let failure as ABIFailure {
            throw ABIFailure(failure.code, "request \(index): \(failure.text)")
        }
    }
}

/// Where bridgecast_forecast_many and bridgecast_forecast_rows write; what is NULL is left out.
@unsafe struct DelayColumnsInC {
    let probabilityDelayed: UnsafeMutablePointer<Double>?
    let expected: UnsafeMutablePointer<Double>?
    let p50: UnsafeMutablePointer<Double>?
    let p80: UnsafeMutablePointer<Double>?
    let p95: UnsafeMutablePointer<Double>?

    func write(_ delays: [DelayDistribution]) {
        for (index, delay) in delays.enumerated() { unsafe write(delay, at: index) }
    }

    func write(_ delay: DelayDistribution, at index: Int) {
        unsafe probabilityDelayed?[index] = delay.probabilityDelayed
        unsafe expected?[index] = delay.expectedSeconds
        unsafe p50?[index] = delay.quantileSeconds(0.5)
        unsafe p80?[index] = delay.quantileSeconds(0.8)
        unsafe p95?[index] = delay.quantileSeconds(0.95)
    }

    /// NaN everywhere, for a row without an answer.
    func writeNothing(at index: Int) {
        unsafe probabilityDelayed?[index] = .nan
        unsafe expected?[index] = .nan
        unsafe p50?[index] = .nan
        unsafe p80?[index] = .nan
        unsafe p95?[index] = .nan
    }
}
