// A time through which a bridge was watched; the store keeps it as coverage.

/// A time through which a bridge was watched without a gap.
public struct ObservedPeriod: Sendable, Equatable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The first reading.
    public var start: Timestamp
    /// The last reading.
    public var end: Timestamp

    /// Creates a period.
    public init(bridge: BridgeIndex, start: Timestamp, end: Timestamp) {
        (self.bridge, self.start, self.end) = (bridge, start, end)
    }
}
