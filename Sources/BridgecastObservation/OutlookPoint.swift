// A point of a bridge's outlook over the next hour.

/// The forecast for arrivals at one time ahead.
nonisolated public struct OutlookPoint: Sendable, Equatable, Codable {
    /// Minutes from the issue time to the arrival.
    public var leadMinutes: Double
    /// Probability of a delay, 0...1.
    public var probability: Double
    /// Expected delay in seconds, the chance of none included.
    public var expectedDelaySeconds: Double

    /// Creates a point.
    public init(leadMinutes: Double, probability: Double, expectedDelaySeconds: Double) {
        (self.leadMinutes, self.probability) = (leadMinutes, probability)
        self.expectedDelaySeconds = expectedDelaySeconds
    }
}
