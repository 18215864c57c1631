public import BridgecastSupport

/// Routes ranked for one departure, the best first: a collection of their scores.
public struct RouteRanking: Sendable, Equatable, Codable, RandomAccessCollection {
    /// The issue time of its forecasts.
    public let issueTime: Timestamp
    /// The time of departure.
    public let departure: Timestamp
    /// The latest wanted arrival, if there is one.
    public let deadline: Timestamp?
    /// The weights it was ranked by.
    public let weights: RouteWeights
    /// The routes; equal ones in order of expected time, then as they were given.
    public let scores: [RouteScore]

    /// - Parameter scores: In rank order, the best first.
    package init(
        issueTime: Timestamp, departure: Timestamp, deadline: Timestamp?, weights: RouteWeights,
        scores: [RouteScore]
    ) {
        self.issueTime = issueTime
        self.departure = departure
        self.deadline = deadline
        self.weights = weights
        self.scores = scores
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { scores.count }

    /// The score at a rank, counted from 0.
    public subscript(rank: Int) -> RouteScore { scores[rank] }

    /// The expected arrival by a route of the ranking.
    public func expectedArrival(by score: RouteScore) -> Timestamp {
        score.expectedArrival(leaving: departure)
    }
}

// MARK: - Criteria

/// A criterion by which routes are judged; less is better in each.
public enum RouteCriterion: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// Expected travel time.
    case expectedMinutes = "expected_minutes"
    /// Travel time not exceeded in half of all cases.
    case p50Minutes = "p50_minutes"
    /// Travel time not exceeded eight times in ten.
    case p80Minutes = "p80_minutes"
    /// Travel time not exceeded nine times in ten.
    case p90Minutes = "p90_minutes"
    /// Travel time not exceeded 19 times in 20.
    case p95Minutes = "p95_minutes"
    /// Probability of arriving after the wanted time; 0 where none is wanted.
    case probabilityLate = "probability_late"
    /// Probability of being stopped at any bridge.
    case probabilityStopped = "probability_stopped"
    /// Openings a day, by history, of all bridges on the route.
    case openingsPerDay = "openings_per_day"
    /// Expected minutes of waiting at bridges, with the engine idling for a car.
    case idleMinutes = "idle_minutes"

    /// All criteria, as an array that is made once.
    package static let ordered = Array(allCases)

    /// The unit of a criterion.
    public enum Unit: String, Sendable, Codable {
        /// Minutes.
        case minutes
        /// A probability, 0...1.
        case probability
        /// A number of times a day.
        case perDay = "per_day"
    }

    /// A short name, as options take it; the raw value is the one in documents.
    public var name: String { properties.name }
    /// The name to show.
    public var label: String { properties.label }
    /// The unit of its values.
    public var unit: Unit { properties.unit }

    private var properties: (name: String, label: String, unit: Unit) {
        switch self {
        case .expectedMinutes: ("expected", "expected time", .minutes)
        case .p50Minutes: ("p50", "P50", .minutes)
        case .p80Minutes: ("p80", "P80", .minutes)
        case .p90Minutes: ("p90", "P90", .minutes)
        case .p95Minutes: ("p95", "P95", .minutes)
        case .probabilityLate: ("late", "being late", .probability)
        case .probabilityStopped: ("stopped", "being stopped", .probability)
        case .openingsPerDay: ("openings", "openings", .perDay)
        case .idleMinutes: ("idle", "idling", .minutes)
        }
    }

    /// Its value on a route, in its ``unit``.
    @inlinable
    public func value(of figures: RouteFigures) -> Double {
        switch self {
        case .expectedMinutes: figures.expectedMinutes
        case .p50Minutes: figures.p50Minutes
        case .p80Minutes: figures.p80Minutes
        case .p90Minutes: figures.p90Minutes
        case .p95Minutes: figures.p95Minutes
        case .probabilityLate: figures.probabilityOnTime.map { 1 - $0 } ?? 0
        case .probabilityStopped: figures.probabilityStopped
        case .openingsPerDay: figures.openingsPerDay
        case .idleMinutes: figures.expectedDelayMinutes
        }
    }
}

// MARK: - Weights

/// The weight of each criterion in a ranking.
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

    /// The largest weight allowed, so that scores stay finite.
    public static let maxWeight = 1e6

    /// Checks that the weights can rank routes; every ranking does.
    ///
    /// - Parameter hasDeadline: Whether an arrival time is wanted.
    /// - Throws: ``RouteWeightsError``.
    public func validate(hasDeadline: Bool) throws(RouteWeightsError) {
        for criterion in RouteCriterion.ordered {
            let weight = self[criterion]
            guard weight >= 0, weight <= Self.maxWeight else {
                throw .notAWeight(criterion, weight)
            }
        }
        guard values.values.contains(where: { $0 > 0 }) else { throw .allZero }
        guard hasDeadline || self[.probabilityLate] == 0 else { throw .lateWithoutDeadline }
    }
}

/// Why weights cannot rank routes.
public enum RouteWeightsError: Failure, Equatable {
    /// Negative, above ``RouteWeights/maxWeight`` or not a number.
    case notAWeight(RouteCriterion, Double)
    /// Every route would score 0.
    case allZero
    /// Being late counts, but no arrival time is given.
    case lateWithoutDeadline

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notAWeight(let criterion, let weight):
            "weight \(weight) of \(criterion.rawValue) is not a number from 0 to \(Int(RouteWeights.maxWeight)) (less is already "
                + "better in every criterion)"
        case .allZero: "all weights are 0, so all routes would be equal: give at least one a weight"
        case .lateWithoutDeadline: "being late has a weight, but there is no arrival time: give one"
        }
    }
}
