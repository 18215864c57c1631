// What a caller of TrafficInference asks, how its service is set up, and why it refuses.
public import BridgecastCore

/// What a caller asks: the delay at a bridge at an arrival time.
public struct ForecastRequest: Sendable, Hashable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// Minutes from issue time to arrival, 0 to ``ForecastTable/farthestMinutes``.
    public var leadMinutes: Double
    /// Degree of saturation of the approach at the arrival, 0 ..< 1; 0 forecasts "blocked".
    public var density: Float

    /// Creates a request.
    public init(bridge: BridgeIndex, leadMinutes: Double, density: Float) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
    }

    /// Checks lead and density.
    ///
    /// - Parameter place: Where it stands among the requests, for the message.
    /// - Throws: ``InferenceError/lead(minutes:request:)`` or ``InferenceError/density(_:request:)``.
    func check(place: Int) throws(InferenceError) {
        guard leadMinutes >= 0, leadMinutes <= ForecastTable.farthestMinutes else {
            throw .lead(minutes: leadMinutes, request: place)
        }
        guard density >= 0, density < 1 else { throw .density(density, request: place) }
    }
}

/// How ``TrafficInference`` serves many callers.
public struct ServiceOptions: Sendable {
    /// How long a small request waits for others to share its batch.
    ///
    /// Zero, the default, never waits: requests that come while a batch runs share the next one anyway. More than an
    /// hour counts as one.
    public var coalescingWindow = Duration.zero
    /// Requests of so many rows or more run by themselves, on the caller's thread.
    public var leastRowsAlone = 256
    /// Rows that may wait or run at a time; requests beyond are refused before anything is done for them.
    public var mostRowsInFlight = 65_536
    /// Threads that a large batch is divided among; see ``Workspace/init(threads:)``.
    public var threads = 1

    /// The defaults.
    public init() {}
}

/// Why a request was not served.
public enum InferenceError: Error, Sendable, Equatable, CustomStringConvertible {
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
        case .noMode: "a table needs at least one mode of travel"
        case .notFinite(let request):
            "request \(request): the row of inputs is not made of numbers; check the situation"
        case .cancelled: "cancelled"
        }
    }
}
