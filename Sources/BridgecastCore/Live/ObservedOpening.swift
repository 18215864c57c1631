// An opening as it was seen, from reading to reading; BridgeTracker makes it, the store keeps it.

/// An opening as we saw it happen.
public struct ObservedOpening: Sendable, Equatable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The first reading that had it raised.
    public var start: Timestamp
    /// Whether a reading just before had it lowered; if not, it may have been up for longer.
    public var startIsKnown: Bool
    /// The first reading that had it lowered again; nil while it is up or if nobody saw that.
    public var end: Timestamp?

    /// Creates an observed opening.
    public init(bridge: BridgeIndex, start: Timestamp, startIsKnown: Bool, end: Timestamp?) {
        (self.bridge, self.start, self.startIsKnown, self.end) = (bridge, start, startIsKnown, end)
    }
}
