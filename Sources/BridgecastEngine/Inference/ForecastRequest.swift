// What a caller of TrafficInference asks, and how its service is set up.
public import BridgecastCore

/// What a caller asks: the delay at a bridge at an arrival time.
public struct ForecastRequest: Sendable, Hashable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// Minutes from issue time to arrival, not negative.
    public var leadMinutes: Double
    /// Degree of saturation of the approach at the arrival, 0 ..< 1; 0 forecasts "blocked".
    public var density: Float

    /// Creates a request.
    public init(bridge: BridgeIndex, leadMinutes: Double, density: Float) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
    }
}

/// How ``TrafficInference`` serves many callers.
public struct ServiceOptions: Sendable {
    /// How long a small request waits for others to share its batch.
    ///
    /// Zero, the default, never waits: requests that come while a batch runs share the next one anyway.
    public var coalescingWindow = Duration.zero
    /// Requests of so many rows or more run by themselves, on the caller's thread.
    public var leastRowsAlone = 256
    /// Rows that may wait or run at a time; requests beyond are refused.
    public var mostRowsInFlight = 65_536
    /// Threads that a large batch is divided among.
    public var threads = 1

    /// The defaults.
    public init() {}
}

/// Why a request was not served.
public enum InferenceError: Error, Equatable, CustomStringConvertible {
    /// Too many rows are waiting: try again later, or send fewer.
    case overloaded(rowsInFlight: Int, limit: Int)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .overloaded(let rows, let limit):
            "\(rows) rows are waiting or running, the limit is \(limit); try again later"
        }
    }
}
