// Which departures a curve is asked for.
public import BridgecastCore

/// Which departures are looked at, and when one wants to be there.
public struct DepartureWindow: Sendable, Equatable {
    /// First departure.
    public var from: Timestamp
    /// Departures are before this, at most a day later.
    public var until: Timestamp
    /// When one wants to be there; nil if that does not matter.
    public var deadline: Timestamp?
    /// Wanted probability of being there by then, 0 < p < 1.
    public var confidence: Double

    /// Creates a window.
    public init(
        from: Timestamp, until: Timestamp, arriveBy deadline: Timestamp? = nil,
        confidence: Double = 0.9
    ) {
        (self.from, self.until) = (from, until)
        (self.deadline, self.confidence) = (deadline, confidence)
    }

    /// Its length.
    var minutes: Double { until.minutes(since: from) }
}
