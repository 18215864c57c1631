// The departures of a stop or station at a moment.
public import BridgecastCore

/// What a board shows.
public struct BoardQuery: Sendable, Hashable {
    /// Departures in so many seconds; 7,200 unless something else is said.
    public var horizonSeconds = 7200
    /// At most so many in all; nil for any number.
    public var limit: Int?
    /// At most so many in each direction; nil for any number.
    public var limitPerDirection: Int?
    /// Only this route; nil for all.
    public var route: RouteIndex?
    /// Only this direction; nil for both.
    public var direction: Int?
    /// Whether arrivals at the ends of trips are shown.
    public var includesArrivals = false
    /// Later or earlier than so many seconds is no longer on time.
    public var onTimeSeconds = 180

    /// The usual board.
    public init() {}
}

/// A departures board.
public struct StopBoard: Sendable {
    /// The stop or station that was asked for.
    public let stop: StopIndex
    /// The moment.
    public let asOf: Timestamp
    /// What was asked for.
    public let query: BoardQuery
    /// In order of the expected moment, then of the run; late ones stay until they have left.
    public let departures: [Departure]
    /// No service runs around this moment: why, in words, such as that the timetable ended; nil if some does.
    public let noService: String?

    package init(
        stop: StopIndex, asOf: Timestamp, query: BoardQuery, departures: [Departure],
        noService: String?
    ) {
        (self.stop, self.asOf, self.query) = (stop, asOf, query)
        (self.departures, self.noService) = (departures, noService)
    }
}
