// One answer of a live feed, as BridgeTracker takes it.

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
