// What watching a feed brings: readings, openings and periods as they were seen; BridgeTracker makes them, the store
// keeps them.

/// One answer of a live feed: what it says of each bridge, and when we received it.
public struct BridgeReading: Sendable, Equatable {
    /// When it was received.
    public var receivedAt: Timestamp
    /// Whether each bridge is raised; bridges the feed does not know are absent.
    public var isRaised: [BridgeIndex: Bool]

    /// Creates a reading.
    public init(receivedAt: Timestamp, isRaised: [BridgeIndex: Bool]) {
        self.receivedAt = receivedAt
        self.isRaised = isRaised
    }
}

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
