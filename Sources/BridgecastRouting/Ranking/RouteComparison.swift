// The chance that one route beats another; what rankings say of pairs of their routes.
public import BridgecastCore

/// How one route of a ranking compares with another, both leaving at the same time.
///
/// The three chances add up to 1. They come from the joint distribution of the two travel times: routes that cross the same
/// bridge meet the same opening.
public struct RouteComparison: Sendable, Hashable, Codable {
    /// The routes' ids.
    public let route, other: String
    /// The chance that ``route`` is there more than ``tieSeconds`` before ``other``, 0...1.
    public let probabilityFaster: Double
    /// The chance that both are there within ``tieSeconds`` of each other, 0...1.
    public let probabilityTie: Double

    /// Too small a difference to matter: half a minute.
    public static let tieSeconds = 30.0
    /// So many routes of a ranking are compared with each other, the best ones.
    public static let maxRoutes = 8

    init(_ route: String, _ other: String, faster: Double, tie: Double) {
        self.route = route
        self.other = other
        probabilityFaster = faster
        probabilityTie = tie
    }

    /// The chance that ``other`` is there more than ``tieSeconds`` before ``route``, 0...1.
    public var probabilitySlower: Double { max(0, 1 - probabilityFaster - probabilityTie) }

    /// The same, seen from the other route.
    public var reversed: RouteComparison {
        RouteComparison(other, route, faster: probabilitySlower, tie: probabilityTie)
    }
}

// MARK: - With a table at hand

extension ForecastTable {
    /// Compares every two of a few routes that leave at the same time: the first with all later ones, then the second, and so on.
    ///
    /// Takes about 100 microseconds for four routes, and three times as much if all cross the same raised bridge.
    /// - Parameters:
    ///   - routes: The best first, as a ranking has them; the first ``RouteComparison/maxRoutes`` are compared. A route
    ///     that is given twice certainly ties with itself.
    ///   - departure: Not before the issue time; the table reaches ``RouteSet/reachMinutes`` beyond it.
    ///   - traffic: Densities of the approaches, as the table was made for; they say how fast a queue melts away.
    /// - Throws: ``RankingError``.
    public func comparisons(
        of routes: [Route], leaving departure: Timestamp, traffic: TrafficDensity = TrafficDensity()
    ) throws(RankingError) -> [RouteComparison] {
        let routes = Array(routes.prefix(RouteComparison.maxRoutes))
        return try comparisons(
            of: routes, packed: .packing(routes), leaving: departure, traffic: traffic)
    }

    /// The same for at most ``RouteComparison/maxRoutes`` that are packed already.
    func comparisons(
        of routes: [Route], packed set: RouteSet, leaving departure: Timestamp,
        traffic: TrafficDensity
    ) throws(RankingError) -> [RouteComparison] {
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
        try comparisons(of: ranking.map(\.route), leaving: ranking.departure, traffic: traffic)
    }
}

// MARK: - Counting

extension JointTrips {
    /// Compares the first with all later ones, then the second, and so on; none that `isSame`.
    func comparisons(ids: [String], isSame: (Int, Int) -> Bool) -> [RouteComparison] {
        let distributions = lastStretches.map(\.distribution)
        return ids.indices.flatMap { route in
            (route + 1..<ids.count).map { other in
                guard !isSame(route, other) else {
                    return RouteComparison(ids[route], ids[other], faster: 0, tie: 1)
                }
                let (faster, notSlower) = chances(of: route, against: other, distributions)
                return RouteComparison(
                    ids[route], ids[other], faster: faster, tie: max(0, notSlower - faster))
            }
        }
    }

    /// The chances that a route is there more than a tie before another, and less than a tie after it.
    ///
    /// The last stretch of one of the two, the one that spreads more, is integrated in every case.
    private func chances(
        of route: Int, against other: Int, _ distributions: [StretchTime.Distribution]
    ) -> (faster: Double, notSlower: Double) {
        let tie = Float(RouteComparison.tieSeconds / 60)
        guard lastStretches[route].spread >= lastStretches[other].spread else {
            let reversed = chances(of: other, against: route, distributions)
            return (1 - reversed.notSlower, 1 - reversed.faster)
        }
        let distribution = distributions[route]
        let start = route * LatticePoints.count
        let otherStart = other * LatticePoints.count
        var faster = Float(0)
        var notSlower = Float(0)
        for point in 0..<LatticePoints.count {
            let left = total[otherStart + point] - before[start + point]
            faster += distribution.cumulative(left - tie)
            notSlower += distribution.cumulative(left + tie)
        }
        let count = Double(LatticePoints.count)
        return (Double(faster) / count, Double(notSlower) / count)
    }
}
