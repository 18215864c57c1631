// Ranks routes: convolves travel and delays along each, and weighs the criteria.

/// What a route is judged by; every criterion is in minutes or counts, and less is better.
public enum RouteCriterion: String, Sendable, CaseIterable, Codable {
    /// Expected travel time, minutes.
    case expectedMinutes = "expected_minutes"
    /// Travel time not exceeded nine times in ten, minutes.
    case p90Minutes = "p90_minutes"
    /// Probability of being stopped at any bridge, 0...1.
    case probabilityStopped = "probability_stopped"
    /// Openings a day, by history, of all bridges on the route.
    case openingsPerDay = "openings_per_day"
}

/// How much each criterion counts: the score is the sum of weight x value, in minutes.
public struct RouteWeights: Sendable, Equatable {
    /// The weight of each criterion; a missing one is 0.
    public var values: [RouteCriterion: Double]

    /// Creates weights.
    public init(_ values: [RouteCriterion: Double]) { self.values = values }

    /// Two parts expected time, one part the time of a bad day, and a minute for a certain stop.
    public static let standard = RouteWeights([
        .expectedMinutes: 2.0 / 3, .p90Minutes: 1.0 / 3, .probabilityStopped: 1, .openingsPerDay: 0,
    ])
}

/// A crossing as scored.
public struct CrossingScore: Sendable, Equatable {
    /// The bridge.
    public let bridge: BridgeIndex
    /// Mean arrival at the bridge, after the delays of the bridges before.
    public let arrival: Timestamp
    /// Mean minutes from issue time to arrival.
    public let leadMinutes: Double
    /// The delay at that mean arrival.
    public let delay: DelayDistribution
    /// The expected delay over all possible arrivals, seconds.
    public let expectedDelaySeconds: Double
    /// The probability of any delay over all possible arrivals, 0...1.
    public let probabilityDelayed: Double
}

/// A route with its figures.
public struct RouteScore: Sendable, Equatable {
    /// The route.
    public let route: Route
    /// Distribution of the travel time, delays included.
    public let travelTime: TimeDistribution
    /// Its crossings in order.
    public let crossings: [CrossingScore]
    /// Probability of any delay at any bridge, bridges taken as independent given the forecast.
    public let probabilityStopped: Double
    /// Expected delay at all bridges, seconds.
    public let expectedDelaySeconds: Double
    /// Value of each criterion.
    public let criteria: [RouteCriterion: Double]
    /// Weighted sum of the criteria, minutes; less is better.
    public let score: Double

    /// Expected arrival when leaving at a time.
    public func expectedArrival(leaving departure: Timestamp) -> Timestamp {
        departure.adding(minutes: travelTime.meanSeconds / 60)
    }
}

/// Scores and ranks routes with one forecast table.
public struct RouteScoring: Sendable {
    private let forecasts: ForecastTable
    private let openingsPerDay: [Double]
    private let issueTime: Timestamp
    private let weights: RouteWeights

    /// Creates a scoring for one issue time.
    ///
    /// - Parameters:
    ///   - forecasts: Issued at `issueTime`, reaching as far as the longest route.
    ///   - climatology: For the historical frequency of openings.
    public init(
        forecasts: ForecastTable, climatology: Climatology, issueTime: Timestamp,
        weights: RouteWeights = .standard
    ) {
        self.forecasts = forecasts
        self.issueTime = issueTime
        self.weights = weights
        let dayType = DayType(SeattleTime.civil(at: issueTime).date)
        openingsPerDay = BridgeIndex.all.map {
            Double(climatology.openingsPerDay[$0.rawValue * 2 + dayType.rawValue])
        }
    }

    /// Scores routes for a departure and sorts them, best first; equal scores by id.
    ///
    /// - Parameter departure: Not before the issue time.
    public func rank(_ routes: [Route], leaving departure: Timestamp) -> [RouteScore] {
        routes.map { score($0, leaving: departure) }
            .sorted { ($0.score, $0.route.id) < ($1.score, $1.route.id) }
    }

    /// Scores one route; O(steps x grid cells x cells of a delay).
    public func score(_ route: Route, leaving departure: Timestamp) -> RouteScore {
        precondition(departure >= issueTime, "nobody leaves before the forecast is issued")
        let start = departure.minutes(since: issueTime)
        var time = TimeDistribution.zero
        var crossings: [CrossingScore] = []
        for step in route.joinedSteps {
            switch step {
            case .travel(let travel): time = time.adding(TimeDistribution(travel))
            case .crossing(let bridge):
                let before = time
                crossings.append(crossing(bridge, route.mode, reached: before, start, departure))
                time = before.adding { seconds in
                    delay(bridge, route.mode, start + seconds / 60).cells()
                }
            }
        }
        let clear = crossings.reduce(1) { $0 * (1 - $1.probabilityDelayed) }
        let criteria: [RouteCriterion: Double] = [
            .expectedMinutes: time.meanSeconds / 60, .p90Minutes: time.quantileSeconds(0.9) / 60,
            .probabilityStopped: 1 - clear,
            .openingsPerDay: route.crossings.reduce(0) { $0 + openingsPerDay[$1.rawValue] },
        ]
        return RouteScore(
            route: route, travelTime: time, crossings: crossings, probabilityStopped: 1 - clear,
            expectedDelaySeconds: crossings.reduce(0) { $0 + $1.expectedDelaySeconds },
            criteria: criteria,
            score: RouteCriterion.allCases.reduce(0) {
                $0 + (weights.values[$1] ?? 0) * (criteria[$1] ?? 0)
            })
    }

    private func delay(
        _ bridge: BridgeIndex, _ mode: Route.Mode, _ leadMinutes: Double
    ) -> DelayDistribution {
        forecasts.delay(at: bridge, leadMinutes: leadMinutes, queues: mode.queues)
    }

    private func crossing(
        _ bridge: BridgeIndex, _ mode: Route.Mode, reached time: TimeDistribution, _ start: Double,
        _ departure: Timestamp
    ) -> CrossingScore {
        var (expected, delayed) = (0.0, 0.0)
        for (cell, share) in time.probabilities.enumerated() {
            let delay = delay(bridge, mode, start + time.seconds(ofCell: cell) / 60)
            expected += share * delay.expectedSeconds
            delayed += share * delay.probabilityDelayed
        }
        let mean = time.meanSeconds / 60
        return CrossingScore(
            bridge: bridge, arrival: departure.adding(minutes: mean), leadMinutes: start + mean,
            delay: delay(bridge, mode, start + mean), expectedDelaySeconds: expected,
            probabilityDelayed: delayed)
    }
}
