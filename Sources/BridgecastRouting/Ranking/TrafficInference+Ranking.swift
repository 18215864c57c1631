// Rankings, departures and the forecasts for them: the calls of a host, for its own routes and for trips on the roads.
public import BridgecastEngine
public import BridgecastCore

extension TrafficInference {
    /// Ranks routes for a departure: asks for the forecasts that they need and scores them.
    ///
    /// - Parameters:
    ///   - routes: Candidates between the same two places.
    ///   - departure: Not before the situation's issue time, and at most ``ForecastTable/maxDepartureMinutes`` after
    ///     it. More than an hour ahead what the bridges do now says nothing: the forecast is climatology.
    ///   - deadline: When one wants to be there, if that matters.
    ///   - situation: What is known.
    ///   - traffic: Densities of the approaches; by default those of the hour.
    ///   - model: By default the one in use. A host that says in its answer which model it is of names it here, whatever
    ///     is reloaded meanwhile.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel? = nil
    ) async throws(RankingError) -> RouteRanking {
        try ranker(situation, traffic, weights, model: model).rank(
            routes, leaving: departure, arriveBy: deadline)
    }

    /// Finds the routes of a trip that are worth comparing, and ranks them for a departure.
    ///
    /// For every sequence of crossings there is one route: the one that seems quickest, and stays on a motorway it is
    /// on. The best by expected time and by P90 are always among those shown. The best may have two more ways over
    /// the same crossings next to it, the next one a second, whose ids end with the road that tells them apart.
    /// - Parameters: As of ``rank(_:leaving:arriveBy:in:traffic:weights:model:)``.
    ///   - planner: The roads, and how many routes are shown.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel? = nil
    ) async throws(RankingError) -> RankedRoutes {
        try rankNow(
            trip, by: planner, leaving: departure, arriveBy: deadline, in: situation,
            traffic: traffic, weights: weights, model: model)
    }

    /// The same at once and on the calling thread: for callers that have no tasks.
    package nonisolated func rankNow(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, in situation: Situation, traffic: TrafficDensity,
        weights: RouteWeights, model: LoadedModel? = nil
    ) throws(RankingError) -> RankedRoutes {
        try ranker(situation, traffic, weights, model: model).rank(
            trip, by: planner, leaving: departure, arriveBy: deadline)
    }

    /// The forecasts that packed routes need for a departure: ``ForecastTable/rank(_:leaving:arriveBy:weights:)`` and
    /// ``RouteScorer`` rank with them.
    ///
    /// - Parameter departure: As of ``rank(_:leaving:arriveBy:in:traffic:weights:model:)``.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func table(
        for set: RouteSet, leaving departure: Timestamp, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), model: LoadedModel? = nil
    ) async throws(RankingError) -> ForecastTable {
        try ranker(situation, traffic, .standard, model: model).table(for: set, leaving: departure)
    }

    /// Ranks routes for departure after departure, and finds the latest that is in time.
    ///
    /// - Parameter window: Which departures; the first is not before the situation's issue time.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func departures(
        of routes: [Route], _ window: DepartureWindow, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel? = nil
    ) async throws(RankingError) -> DepartureCurve {
        try ranker(situation, traffic, weights, model: model).departures(routes, window)
    }

    /// The same for a trip on the roads, whose routes are searched every ``DepartureCurve/stepMinutes``.
    ///
    /// A curve keeps all ways that may be the best, however many the planner would show, and no second ways. What it
    /// says of departures beyond the first hour is as fine as ``ForecastTable/leadsMinutes``.
    @concurrent
    public nonisolated func departures(
        of trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel? = nil
    ) async throws(RankingError) -> DepartureCurve {
        try ranker(situation, traffic, weights, model: model).departures(trip, by: planner, window)
    }

    private nonisolated func ranker(
        _ situation: Situation, _ traffic: TrafficDensity, _ weights: RouteWeights,
        model: LoadedModel?
    ) -> RouteRanker {
        RouteRanker(
            situation: situation, traffic: traffic, weights: weights, inference: self,
            model: model.map(ServedModel.init) ?? current)
    }
}
