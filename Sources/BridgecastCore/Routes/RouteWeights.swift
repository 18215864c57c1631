// How much each criterion counts in a ranking.

/// How much each criterion counts.
///
/// The score of a route is the sum of weight x value. Weights are prices in minutes: what one unit of
/// the criterion is worth (one minute of P90, the difference between never and always being stopped).
/// Criteria are not rescaled by the best and worst of the candidates, because then a hopeless candidate
/// that joins would turn the order of the others round.
public struct RouteWeights: Sendable, Hashable, Codable {
    /// The weight of each criterion; a missing one is 0.
    public var values: [RouteCriterion: Double]

    /// Creates weights.
    public init(_ values: [RouteCriterion: Double]) { self.values = values }

    /// Two parts expected time, one part the time of a bad day, and a minute for a certain stop.
    public static let standard = RouteWeights([
        .expectedMinutes: 2.0 / 3, .p90Minutes: 1.0 / 3, .probabilityStopped: 1,
    ])

    /// The weight of a criterion.
    public subscript(criterion: RouteCriterion) -> Double { values[criterion] ?? 0 }

    /// The largest weight; a larger one is a slip of the keyboard, and scores would become infinite.
    public static let heaviest = 1e6

    /// Checks that the weights can rank routes; every ranking does.
    ///
    /// - Parameter hasDeadline: Whether an arrival time is wanted.
    /// - Throws: ``RouteWeightsError``.
    public func validate(hasDeadline: Bool) throws(RouteWeightsError) {
        for criterion in RouteCriterion.ordered {
            let weight = self[criterion]
            guard weight >= 0, weight <= Self.heaviest else {
                throw .notAWeight(criterion, weight)
            }
        }
        guard values.values.contains(where: { $0 > 0 }) else { throw .allZero }
        guard hasDeadline || self[.probabilityLate] == 0 else { throw .lateWithoutDeadline }
    }
}
