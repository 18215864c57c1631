// A crossing of a scored route: when one is there, and what it costs.

/// A crossing as scored.
public struct CrossingScore: Sendable, Equatable, Codable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// Mean arrival at the bridge, after the delays of the bridges before.
    public let arrival: Timestamp
    /// Mean minutes from issue time to arrival.
    public let leadMinutes: Double
    /// The delay at that mean arrival.
    public let delay: DelayDistribution
    /// The expected delay over all possible arrivals, minutes.
    public let expectedDelayMinutes: Double
    /// The probability of any delay over all possible arrivals, 0...1.
    public let probabilityDelayed: Double

    /// Creates a crossing; parameters as the properties.
    public init(
        bridge: BridgeIndex, arrival: Timestamp, leadMinutes: Double, delay: DelayDistribution,
        expectedDelayMinutes: Double, probabilityDelayed: Double
    ) {
        (self.bridge, self.arrival, self.leadMinutes) = (bridge, arrival, leadMinutes)
        (self.delay, self.expectedDelayMinutes) = (delay, expectedDelayMinutes)
        self.probabilityDelayed = probabilityDelayed
    }
}
