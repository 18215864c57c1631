// What routes are judged by, and how much each criterion counts.

/// What a route is judged by; less is better in every one.
public enum RouteCriterion: String, Sendable, CaseIterable, Codable {
    /// Expected travel time, minutes.
    case expectedMinutes = "expected_minutes"
    /// Travel time not exceeded in half of all cases, minutes.
    case p50Minutes = "p50_minutes"
    /// Travel time not exceeded eight times in ten, minutes.
    case p80Minutes = "p80_minutes"
    /// Travel time not exceeded nine times in ten, minutes.
    case p90Minutes = "p90_minutes"
    /// Travel time not exceeded 19 times in 20, minutes.
    case p95Minutes = "p95_minutes"
    /// Probability of arriving after the wanted time, 0...1; 0 where none is wanted.
    case probabilityLate = "probability_late"
    /// Probability of being stopped at any bridge, 0...1.
    case probabilityStopped = "probability_stopped"
    /// Openings a day, by history, of all bridges on the route.
    case openingsPerDay = "openings_per_day"
    /// Expected minutes of standing at bridges, which is idling for a car.
    case idleMinutes = "idle_minutes"
}

/// How much each criterion counts.
///
/// The score of a route is the sum of weight x value. Weights are prices in minutes: what one unit of
/// the criterion is worth (one minute of P90, the difference between never and always being stopped).
/// Criteria are not rescaled by the best and worst of the candidates, because then a hopeless candidate
/// that joins would turn the order of the others round.
public struct RouteWeights: Sendable, Equatable {
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

    /// Checks that the weights can rank routes.
    ///
    /// - Parameter hasDeadline: Whether an arrival time is wanted.
    /// - Throws: ``RouteWeightsError``.
    public func validate(hasDeadline: Bool) throws(RouteWeightsError) {
        for criterion in RouteCriterion.allCases {
            let weight = self[criterion]
            guard weight >= 0, weight <= Self.heaviest else {
                throw .notAWeight(criterion, weight)
            }
        }
        guard values.values.contains(where: { $0 > 0 }) else { throw .allZero }
        guard hasDeadline || self[.probabilityLate] == 0 else { throw .lateWithoutDeadline }
    }
}

/// Why weights cannot rank routes.
public enum RouteWeightsError: Error, Equatable, CustomStringConvertible {
    /// Negative, infinite or not a number.
    case notAWeight(RouteCriterion, Double)
    /// Every route would score 0.
    case allZero
    /// Being late counts, but no arrival time is given.
    case lateWithoutDeadline

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notAWeight(let criterion, let weight):
            "weight \(weight) of \(criterion.rawValue) is not a number from 0 to 1000000 (less is better in "
                + "every criterion already)"
        case .allZero: "all weights are 0, so every route would be equal; give one a weight"
        case .lateWithoutDeadline:
            "being late has a weight, but there is no time to arrive by; give one"
        }
    }
}
