// What a ranking gives: routes in order, with the path of each that was found on the roads.
public import BridgecastCore
internal import BridgecastEngine
public import BridgecastRoads

/// A route of a ranking: its score and, where it was found on the roads, its path.
@dynamicMemberLookup
public struct RankedRoute: Sendable {
    /// The route with its figures.
    public let routeScore: RouteScore
    /// Nil for a candidate from elsewhere.
    public let path: Path?

    /// The route, its crossings, or a figure.
    public subscript<Value>(dynamicMember member: KeyPath<RouteScore, Value>) -> Value {
        routeScore[keyPath: member]
    }
}

/// Routes of one origin, destination and mode, the best first, with what they were ranked with: a collection of them.
public struct RankedRoutes: Sendable, RandomAccessCollection {
    /// Where the routes begin.
    public let origin: String
    /// Where they end.
    public let destination: String
    /// The mode of travel.
    public let mode: Route.Mode
    /// The scores in rank order.
    public let ranking: RouteRanking
    /// The roads that the routes were found on; nil for candidates from elsewhere.
    public let network: RoadNetwork?
    /// By rank; empty for candidates from elsewhere.
    private let paths: [Path]
    /// The routes in rank order.
    private let set: RouteSet
    private let forecasts: ForecastTable
    private let traffic: TrafficDensity

    /// - Parameter paths: By rank.
    init(
        _ trip: Trip, _ ranking: RouteRanking, paths: [Path], on network: RoadNetwork,
        by forecasts: ForecastTable, traffic: TrafficDensity
    ) throws(RankingError) {
        origin = trip.origin.name
        destination = trip.destination.name
        mode = trip.mode
        self.ranking = ranking
        self.network = network
        self.paths = paths
        set = try .packing(ranking.map(\.route))
        self.forecasts = forecasts
        self.traffic = traffic
    }

    /// Ranks candidates that compete.
    ///
    /// - Parameters:
    ///   - routes: At least one, all of the same origin, destination and mode.
    ///   - forecasts: Reaches as far as the routes need.
    ///   - traffic: The densities that the forecasts were made for.
    /// - Throws: ``RankingError``.
    package init(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp?,
        weights: RouteWeights, by forecasts: ForecastTable, traffic: TrafficDensity
    ) throws(RankingError) {
        origin = routes[0].origin
        destination = routes[0].destination
        mode = routes[0].mode
        ranking = try forecasts.rank(
            routes, leaving: departure, arriveBy: deadline, weights: weights)
        network = nil
        paths = []
        set = try .packing(ranking.map(\.route))
        self.forecasts = forecasts
        self.traffic = traffic
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { ranking.count }

    /// The route at a rank, counted from 0.
    public subscript(rank: Int) -> RankedRoute {
        RankedRoute(routeScore: ranking[rank], path: paths.isEmpty ? nil : paths[rank])
    }

    /// The distributions of the routes' travel times, the best route's first; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/travelTimes(of:leaving:)``.
    public func travelTimes() throws(RankingError) -> [TravelTimeDistribution] {
        try forecasts.travelTimes(of: set, leaving: ranking.departure)
    }

    /// How every two of the best routes compare; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/comparisons(of:leaving:traffic:)``.
    public func comparisons() throws(RankingError) -> [RouteComparison] {
        let routes = ranking.prefix(RouteComparison.maxRoutes).map(\.route)
        return try forecasts.comparisons(
            of: routes, packed: routes.count == set.count ? set : .packing(routes),
            leaving: ranking.departure, traffic: traffic)
    }
}
