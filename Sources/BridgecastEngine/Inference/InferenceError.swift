public import BridgecastCore
public import BridgecastSupport

/// Why a request was not served.
public enum InferenceError: Failure, Equatable {
    /// Too many rows are waiting or running: try again later.
    case overloaded(rowsInFlight: Int, limit: Int)
    /// Too many computations are waiting or running: try again later.
    case queueFull(computations: Int, limit: Int)
    /// More rows than may ever run at a time (``InferenceOptions/maxRowsInFlight``): ask for less.
    case tooLarge(rows: Int, limit: Int)
    /// A request's lead is negative, too long, or not a number.
    case lead(minutes: Double, request: Int)
    /// A request's density is no degree of saturation.
    case density(Float, request: Int)
    /// A table was asked for from a time before the situation's issue time.
    case departureInThePast(minutes: Double)
    /// A table cannot reach so far.
    case reach(minutes: Double)
    /// A table of no mode was asked for.
    case noMode
    /// The state of the bridges gave a row that is not made of numbers.
    case notFinite(request: Int)
    /// The task was cancelled.
    case cancelled
    /// The time that ``TrafficInference/within(_:_:)`` gave is over.
    case deadlineExceeded

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch self {
        case .overloaded, .queueFull, .deadlineExceeded: .busy
        case .notFinite: .data
        case .cancelled: .interrupted
        case .tooLarge, .lead, .density, .departureInThePast, .reach, .noMode: .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .overloaded(let rows, let limit):
            "\(rows) rows are waiting or running, the limit is \(limit); try again later"
        case .queueFull(let computations, let limit):
            "\(computations) computations are waiting or running, the limit is \(limit); try again later"
        case .tooLarge(let rows, let limit):
            "it takes \(rows) rows, more than may ever run at a time, \(limit): ask for less"
        case .lead(let minutes, let request):
            "request \(request): a lead of \(minutes) minutes; it is between 0 and "
                + "\(Int(ForecastTable.maxLeadMinutes))"
        case .density(let density, let request):
            "request \(request): a density of \(density); a degree of saturation is 0 or more and below 1"
        case .departureInThePast(let minutes):
            "the departure is \(minutes) minutes before the issue time: take a situation of its time, or a later one"
        case .reach(let minutes):
            "no table reaches \(minutes) minutes; ask for 0 to \(Int(ForecastTable.maxLeadMinutes))"
        case .noMode: ForecastTableError.noMode.description
        case .notFinite(let request):
            "request \(request): the row of inputs is not made of numbers; check the situation"
        case .cancelled: "cancelled"
        case .deadlineExceeded:
            "there was no answer in the time given; allow more, or try again later"
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

/// What a caller asks: the delay at a bridge at an arrival time.
public struct ForecastRequest: Sendable, Hashable, Codable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// Minutes from issue time to arrival, 0 to ``ForecastTable/maxLeadMinutes``.
    public var leadMinutes: Double
    /// Degree of saturation of the approach at the arrival, 0 ..< 1; 0 forecasts "blocked", nil takes that of the traffic profile.
    public var density: Float?

    /// Creates a request.
    public init(bridge: BridgeIndex, leadMinutes: Double, density: Float? = nil) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
    }

    /// The degree of saturation that is forecast with.
    package func density(from issueTime: Timestamp) -> Float {
        density
            ?? Float(
                TrafficProfile.density(of: bridge, at: issueTime.adding(minutes: leadMinutes)))
    }

    /// - Parameter index: Among the requests, for the message.
    package func check(index: Int) throws(InferenceError) {
        guard leadMinutes >= 0, leadMinutes <= ForecastTable.maxLeadMinutes else {
            throw .lead(minutes: leadMinutes, request: index)
        }
        if let density, !(density >= 0 && density < 1) {
            throw .density(density, request: index)
        }
    }
}
