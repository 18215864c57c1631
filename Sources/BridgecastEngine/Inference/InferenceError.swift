// Why TrafficInference refuses, in words.
public import BridgecastCore

/// Why a request was not served.
public enum InferenceError: Failure, Equatable {
    /// Too many rows are waiting or running: try again later.
    case overloaded(rowsInFlight: Int, limit: Int)
    /// More rows than may ever run at a time (``ServiceOptions/mostRowsInFlight``): ask for less.
    case tooLarge(rows: Int, limit: Int)
    /// A request's lead is negative, too long, or not a number.
    case lead(minutes: Double, request: Int)
    /// A request's density is no degree of saturation.
    case density(Float, request: Int)
    /// A table cannot reach so far.
    case reach(minutes: Double)
    /// A table for nobody was asked for.
    case noMode
    /// What is known of the bridges gave a row that is not made of numbers.
    case notFinite(request: Int)
    /// The task was cancelled.
    case cancelled

    /// Whose matter it is.
    public var kind: FailureKind {
        switch self {
        case .overloaded: .busy
        case .notFinite: .data
        case .cancelled: .interrupted
        case .tooLarge, .lead, .density, .reach, .noMode: .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .overloaded(let rows, let limit):
            "\(rows) rows are waiting or running, the limit is \(limit); try again later"
        case .tooLarge(let rows, let limit):
            "it takes \(rows) rows, more than may ever run at a time, \(limit): ask for less, or raise "
                + "ServiceOptions.mostRowsInFlight"
        case .lead(let minutes, let request):
            "request \(request): a lead of \(minutes) minutes; it lies between 0 and "
                + "\(Int(ForecastTable.farthestMinutes))"
        case .density(let density, let request):
            "request \(request): a density of \(density); a degree of saturation is 0 or more and below 1"
        case .reach(let minutes):
            "no table reaches \(minutes) minutes; ask for 0 to \(Int(ForecastTable.farthestMinutes))"
        case .noMode: ForecastTableError.noMode.description
        case .notFinite(let request):
            "request \(request): the row of inputs is not made of numbers; check the situation"
        case .cancelled: "cancelled"
        }
    }
}

extension DelayDistribution {
    /// The distribution of a row of what the network gave, [B, 12].
    ///
    /// - Throws: ``InferenceError/notFinite(request:)``.
    static func row(_ row: Int, of probabilities: [Float]) throws(InferenceError) -> Self {
        guard let delay = DelayDistribution(row: row, of: probabilities) else {
            throw .notFinite(request: row)
        }
        return delay
    }
}
