// From a table and routes to the chances that one beats another.
public import BridgecastCore

extension ForecastTable {
    /// Compares every two of a few routes that leave at the same time: the first with all later ones, then the second, and so on.
    ///
    /// Takes about 100 microseconds for four routes, and three times as much if all cross the same raised bridge.
    /// - Parameters:
    ///   - routes: The best first, as a ranking has them; the first ``RouteComparison/mostRoutes`` are compared. A route
    ///     that is given twice certainly ties with itself.
    ///   - departure: Not before the issue time; the table reaches ``RouteSet/reachMinutes`` beyond it.
    ///   - traffic: Densities of the approaches, as the table was made for; they say how fast a queue melts away.
    /// - Throws: ``RankingError``.
    public func comparisons(
        of routes: [Route], leaving departure: Timestamp,
        traffic: TrafficDensity = TrafficDensity()
    ) throws(RankingError) -> [RouteComparison] {
        let routes = Array(routes.prefix(RouteComparison.mostRoutes))
        let set = try RouteSet.packing(routes)
        let start = try startMinutes(of: set, leaving: departure)
        let density = set.tables.map { key in
            key.queues ? traffic.density(of: key.bridge, at: departure) : 0
        }
        let trips = JointTrips(set, with: self, startMinutes: start, density: density)
        return trips.comparisons(ids: routes.map(\.id)) { routes[$0] == routes[$1] }
    }

    /// Compares the best routes of a ranking that this table has made.
    ///
    /// - Throws: ``RankingError``.
    public func comparisons(
        of ranking: RouteRanking, traffic: TrafficDensity = TrafficDensity()
    ) throws(RankingError) -> [RouteComparison] {
        try comparisons(
            of: ranking.map(\.route), leaving: ranking.departure, traffic: traffic)
    }
}
