// When to leave: the routes of a trip for departure after departure.
public import BridgecastCore

/// How the routes of a trip do when leaving at different times.
public struct DepartureCurve: Sendable {
    /// One departure.
    public struct Point: Sendable {
        /// When one leaves.
        public let departure: Timestamp
        /// The routes worth comparing then, the best first.
        public let routes: [RouteScore]
    }

    /// The latest departure by a route that arrives in time with the wanted confidence.
    public struct Latest: Sendable {
        /// The route, by the crossings that tell it apart.
        public let routeID: String
        /// Its figures when leaving then.
        public let score: RouteScore
        /// When to leave.
        public let departure: Timestamp
    }

    /// Departures in order, ``stepMinutes`` apart.
    public let points: [Point]
    /// By route, the latest departure first; routes that are never sure enough are left out.
    public let latest: [Latest]

    /// Minutes between points.
    public static let stepMinutes = 5.0

    /// Computes a curve.
    ///
    /// - Parameters:
    ///   - from: First departure.
    ///   - until: Departures are before this.
    ///   - deadline: When one wants to be there; nil if that does not matter, and then there is no
    ///     ``latest``.
    ///   - confidence: Wanted probability of being there by then, 0 < p < 1.
    ///   - scoring: Reaches an hour beyond the last arrival.
    /// - Throws: As ``RoutePlanner/rank(_:leaving:arriveBy:scoring:)``.
    public init(
        _ trip: Trip, from: Timestamp, until: Timestamp, arriveBy deadline: Timestamp?,
        confidence: Double, planner: RoutePlanner, scoring: RouteScoring
    ) throws {
        var points: [Point] = []
        var latest: [String: Latest] = [:]
        var departure = from
        while departure < until {
            let routes = try planner.candidates(trip, leaving: departure, scoring: scoring)
            points.append(
                Point(
                    departure: departure,
                    routes: try scoring.rank(routes, leaving: departure, arriveBy: deadline)))
            let next = departure.adding(minutes: Self.stepMinutes)
            // Speeds change little within the step, so the routes of its beginning serve for its minutes.
            while let deadline, departure < min(next, until) {
                let scores = try scoring.rank(routes, leaving: departure, arriveBy: deadline)
                for score in scores where score.probabilityOnTime ?? 0 >= confidence {
                    latest[score.route.id] = Latest(
                        routeID: score.route.id, score: score, departure: departure)
                }
                departure = departure.adding(minutes: 1)
            }
            departure = next
        }
        self.points = points
        self.latest = latest.values.sorted {
            if $0.departure != $1.departure { return $0.departure > $1.departure }
            return ($0.score.score, $0.routeID) < ($1.score.score, $1.routeID)
        }
    }
}
