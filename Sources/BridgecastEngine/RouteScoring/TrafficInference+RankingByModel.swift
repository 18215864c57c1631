// Rankings, departures and their forecasts by a model that is named; behind answers that say which model they are of.
package import BridgecastCore

extension TrafficInference {
    /// As ``rank(_:by:leaving:arriveBy:in:traffic:weights:)``, by a model of the host's choice.
    ///
    /// - Parameter model: The one that a host names in its answer, whatever is reloaded meanwhile.
    /// - Throws: ``RankingError``.
    @concurrent
    package nonisolated func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel
    ) async throws(RankingError) -> TripRanking {
        try desk(situation, traffic, weights, model).rank(
            trip, by: planner, leaving: departure, arriveBy: deadline)
    }

    /// As ``rank(_:leaving:arriveBy:in:traffic:weights:)``, by a model of the host's choice.
    ///
    /// - Throws: ``RankingError``.
    @concurrent
    package nonisolated func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel
    ) async throws(RankingError) -> RouteRanking {
        try desk(situation, traffic, weights, model).rank(
            routes, leaving: departure, arriveBy: deadline)
    }

    /// As ``table(for:leaving:in:traffic:)``, by a model of the host's choice.
    ///
    /// - Throws: ``RankingError``.
    @concurrent
    package nonisolated func table(
        for set: RouteSet, leaving departure: Timestamp, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), model: LoadedModel
    ) async throws(RankingError) -> ForecastTable {
        try desk(situation, traffic, .standard, model).table(for: set, leaving: departure)
    }

    /// As ``departures(of:_:in:traffic:weights:)``, by a model of the host's choice.
    ///
    /// - Throws: ``RankingError``.
    @concurrent
    package nonisolated func departures(
        of routes: [Route], _ window: DepartureWindow, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel
    ) async throws(RankingError) -> DepartureCurve {
        try desk(situation, traffic, weights, model).departures(routes, window)
    }

    /// As ``departures(of:by:_:in:traffic:weights:)``, by a model of the host's choice.
    ///
    /// - Throws: ``RankingError``.
    @concurrent
    package nonisolated func departures(
        of trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel
    ) async throws(RankingError) -> DepartureCurve {
        try desk(situation, traffic, weights, model).departures(trip, by: planner, window)
    }

    private nonisolated func desk(
        _ situation: Situation, _ traffic: TrafficDensity, _ weights: RouteWeights,
        _ model: LoadedModel
    ) -> RankingDesk {
        RankingDesk(situation, traffic, weights, self, by: Serving(model))
    }
}
