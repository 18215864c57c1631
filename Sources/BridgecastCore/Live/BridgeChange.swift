// A change of state that a reading showed; what is told to people.

/// A change that a reading showed.
public struct BridgeChange: Sendable, Equatable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The reading's time.
    public var at: Timestamp
    /// What was known before.
    public var before: SpanState
    /// What is known now.
    public var after: SpanState

    /// Creates a change.
    public init(bridge: BridgeIndex, at: Timestamp, before: SpanState, after: SpanState) {
        (self.bridge, self.at, self.before, self.after) = (bridge, at, before, after)
    }
}
