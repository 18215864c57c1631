// Ranked routes of one origin, destination and mode.
package import BridgecastCore
package import BridgecastEngine
private import BridgecastRoads

/// Ranked routes of one origin and destination.
package struct RankedGroup: Sendable {
    /// Where they begin.
    package let origin: String
    /// Where they end.
    package let destination: String
    /// How one travels.
    package let mode: Route.Mode
    /// The routes, the best first.
    package let ranking: RouteRanking
    /// The ways of routes that were found on the roads; nil for candidates of one's own.
    package let ways: TripRanking?
    /// What candidates of one's own were ranked with.
    private let forecasts: (table: ForecastTable, traffic: TrafficDensity)?

    /// The ranked ways of a trip.
    package init(_ trip: Trip, _ ways: TripRanking) {
        (origin, destination, mode) = (trip.origin.name, trip.destination.name, trip.mode)
        (ranking, self.ways, forecasts) = (ways.ranking, ways, nil)
    }

    /// Ranks candidates that compete.
    ///
    /// - Parameters:
    ///   - routes: At least one, all of the same origin, destination and mode.
    ///   - table: Reaches as far as the routes need.
    ///   - traffic: The densities that the table was made for.
    /// - Throws: ``RankingError``.
    package init(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp?,
        weights: RouteWeights, with table: ForecastTable, _ traffic: TrafficDensity
    ) throws(RankingError) {
        (origin, destination) = (routes[0].origin, routes[0].destination)
        mode = routes[0].mode
        ranking = try table.rank(
            routes, leaving: departure, arriveBy: deadline, weights: weights)
        (ways, forecasts) = (nil, (table, traffic))
    }

    /// The distributions of the routes' travel times, the best route's first; computed on every call.
    ///
    /// - Throws: ``RankingError``.
    package func travelTimes() throws(RankingError) -> [TravelTimeDistribution] {
        if let ways { return try ways.travelTimes() }
        return try forecasts?.table.travelTimes(
            of: ranking.map(\.route), leaving: ranking.departure) ?? []
    }

    /// How every two of the routes compare; computed on every call.
    ///
    /// - Returns: Nil of more routes than ``RouteComparison/mostRoutes``.
    /// - Throws: ``RankingError``.
    package func comparisons() throws(RankingError) -> [RouteComparison]? {
        guard ranking.count <= RouteComparison.mostRoutes else { return nil }
        if let ways { return try ways.comparisons() }
        return try forecasts?.table.comparisons(
            of: ranking, traffic: forecasts?.traffic ?? TrafficDensity())
    }
}
