// The one call from a trip and what is known to a ranking, for routes of one's own and for the roads.
public import BridgecastCore

extension TrafficInference {
    /// Ranks routes for a departure: asks for the forecasts that they need and scores them.
    ///
    /// - Parameters:
    ///   - routes: Candidates between the same two places.
    ///   - departure: Not before the situation's issue time, and at most ``ForecastTable/farthestDepartureMinutes`` after
    ///     it. More than an hour ahead what the bridges do now says nothing: the forecast is climatology.
    ///   - deadline: When one wants to be there, if that matters.
    ///   - situation: What is known.
    ///   - traffic: Densities of the approaches; by default those of the hour.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard
    ) async throws(RankingError) -> RouteRanking {
        try desk(situation, traffic, weights).rank(routes, leaving: departure, arriveBy: deadline)
    }

    /// Finds the routes of a trip that are worth comparing, and ranks them for a departure.
    ///
    /// For every sequence of crossings there is one route: the one that seems quickest, and stays on a motorway it is
    /// on. The best by expected time and by P90 are always among those shown. The best may have two more ways over
    /// the same crossings beside it, the next one a second, whose ids end with the road that tells them apart.
    /// - Parameters: As of ``rank(_:leaving:arriveBy:in:traffic:weights:)``.
    ///   - planner: The roads, and how many routes are shown.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard
    ) async throws(RankingError) -> TripRanking {
        try rankNow(
            trip, by: planner, leaving: departure, arriveBy: deadline, in: situation,
            traffic: traffic, weights: weights)
    }

    /// The same at once and on the calling thread: for callers that have no tasks.
    package nonisolated func rankNow(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, in situation: Situation, traffic: TrafficDensity,
        weights: RouteWeights
    ) throws(RankingError) -> TripRanking {
        try desk(situation, traffic, weights).rank(
            trip, by: planner, leaving: departure, arriveBy: deadline)
    }

    /// The forecasts that packed routes need for a departure: ``ForecastTable/rank(_:leaving:arriveBy:weights:)`` and
    /// ``RouteScorer`` rank with them.
    ///
    /// - Parameter departure: As of ``rank(_:leaving:arriveBy:in:traffic:weights:)``.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func table(
        for set: RouteSet, leaving departure: Timestamp, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity()
    ) async throws(RankingError) -> ForecastTable {
        try desk(situation, traffic, .standard).table(for: set, leaving: departure)
    }

    /// Ranks routes for departure after departure, and finds the latest that is in time.
    ///
    /// - Parameter window: Which departures; the first is not before the situation's issue time.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func departures(
        of routes: [Route], _ window: DepartureWindow, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard
    ) async throws(RankingError) -> DepartureCurve {
        try desk(situation, traffic, weights).departures(routes, window)
    }

    /// The same for a trip on the roads, whose routes are searched every ``DepartureCurve/stepMinutes``.
    ///
    /// A curve keeps all ways that may be the best, however many the planner would show, and no second ways. What it
    /// says of departures beyond the first hour is as fine as ``ForecastTable/leadsMinutes``.
    @concurrent
    public nonisolated func departures(
        of trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard
    ) async throws(RankingError) -> DepartureCurve {
        try desk(situation, traffic, weights).departures(trip, by: planner, window)
    }

    private nonisolated func desk(
        _ situation: Situation, _ traffic: TrafficDensity, _ weights: RouteWeights
    ) -> RankingDesk {
        RankingDesk(situation, traffic, weights, self, by: current)
    }
}
