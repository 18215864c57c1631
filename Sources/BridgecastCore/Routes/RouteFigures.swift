// The figures of one route, as scoring gives them; criteria and rankings look at them.

/// The figures of one route, all times in minutes.
public struct RouteFigures: Sendable, Hashable, Codable {
    /// Mean travel time, delays at bridges included.
    public var expectedMinutes = 0.0
    /// Travel time not exceeded in 50, 80, 90 and 95 cases of 100.
    public var p50Minutes = 0.0, p80Minutes = 0.0, p90Minutes = 0.0, p95Minutes = 0.0
    /// Probability of arriving by the wanted time, 0...1; nil if none is wanted.
    public var probabilityOnTime: Double?
    /// Probability of a delay at any bridge, 0...1.
    public var probabilityStopped = 0.0
    /// Expected delay at all bridges, part of ``expectedMinutes``.
    public var expectedDelayMinutes = 0.0
    /// Openings a day, by history, of all bridges on the route.
    public var openingsPerDay = 0.0
    /// Weighted sum of the criteria; less is better.
    public var score = 0.0

    /// Creates figures of nothing.
    public init() {}

    /// The value of a criterion, in its unit.
    public subscript(criterion: RouteCriterion) -> Double { criterion.value(of: self) }
}
