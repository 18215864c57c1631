// When to leave: routes ranked for departure after departure.
public import BridgecastCore
internal import BridgecastEngine

/// How the routes of a trip do when leaving at different times.
public struct DepartureCurve: Sendable, Equatable, Codable {
    /// The latest departure by a route that arrives in time with the wanted confidence.
    public struct Latest: Sendable, Equatable, Codable {
        /// When to leave.
        public let departure: Timestamp
        /// The route and its figures when leaving then.
        public let score: RouteScore
    }

    /// Rankings of departures in order, ``stepMinutes`` apart.
    public let points: [RouteRanking]
    /// By route id, which must be unique, the latest departure first.
    ///
    /// Routes that are never sure enough are left out; empty without a deadline.
    public let latest: [Latest]

    /// Minutes between points.
    public static let stepMinutes = 5.0
    /// Routes times points that a curve may have.
    public static let maxScores = 200_000

    /// Routes, and what they are ranked with.
    struct Candidates {
        let routes: [Route]
        let set: RouteSet
        let forecasts: ForecastTable
    }

    /// - Parameter candidates: The routes for a departure.
    init(
        _ window: DepartureWindow, _ weights: RouteWeights,
        candidates: (Timestamp) throws(RankingError) -> Candidates
    ) throws(RankingError) {
        var scorer = RouteScorer()
        var points: [RouteRanking] = []
        var latest: [String: Latest] = [:]
        var departure = window.from
        while departure < window.until {
            let candidates = try candidates(departure)
            let scores = candidates.routes.count * Int(window.minutes / Self.stepMinutes)
            guard scores <= Self.maxScores else {
                throw .curveTooLarge(scores: scores, limit: Self.maxScores)
            }
            func ranking(_ departure: Timestamp) throws(RankingError) -> RouteRanking {
                guard !Task.isCancelled else { throw .forecast(.cancelled) }
                return try candidates.forecasts.rank(
                    candidates.routes, packed: candidates.set, leaving: departure,
                    arriveBy: window.deadline, weights: weights, by: &scorer)
            }
            let next = departure.adding(minutes: Self.stepMinutes)
            var current = try ranking(departure)
            points.append(current)
            // Speeds change little within the step, so the routes of its beginning serve for its minutes.
            while window.deadline != nil {
                for score in current where score.probabilityOnTime ?? 0 >= window.confidence {
                    latest[score.route.id] = Latest(departure: departure, score: score)
                }
                departure = departure.adding(minutes: 1)
                guard departure < min(next, window.until) else { break }
                current = try ranking(departure)
            }
            departure = next
        }
        self.points = points
        self.latest = latest.values.sorted {
            if $0.departure != $1.departure { return $0.departure > $1.departure }
            return ($0.score.score, $0.score.route.id) < ($1.score.score, $1.score.route.id)
        }
    }
}

// MARK: - Windows

/// Which departures are looked at, and the time to arrive by.
public struct DepartureWindow: Sendable, Equatable, Codable {
    /// First departure.
    public var from: Timestamp
    /// Departures are before this, at most a day later.
    public var until: Timestamp
    /// The time to arrive by; nil for none.
    public var deadline: Timestamp?
    /// Wanted probability of being there by then, 0 < p < 1.
    public var confidence: Double

    /// Creates a window.
    public init(
        from: Timestamp, until: Timestamp, arriveBy deadline: Timestamp? = nil,
        confidence: Double = 0.9
    ) {
        self.from = from
        self.until = until
        self.deadline = deadline
        self.confidence = confidence
    }

    /// Reads what `encode` writes; without a confidence it is 0.9.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try fields.decode(Timestamp.self, forKey: .from),
            until: try fields.decode(Timestamp.self, forKey: .until),
            arriveBy: try fields.decodeIfPresent(Timestamp.self, forKey: .deadline),
            confidence: try fields.decodeIfPresent(Double.self, forKey: .confidence) ?? 0.9)
    }

    var minutes: Double { until.minutes(since: from) }
}
