// The ranked routes of a trip with the ways they take; what commands, pages and services show of it.
public import BridgecastCore
public import BridgecastRoads

/// A ranking of routes that were found on the roads, and the way of each: a collection of their scores.
public struct TripRanking: Sendable, RandomAccessCollection {
    /// The routes with their scores, the best first.
    public let ranking: RouteRanking
    /// The roads they were found on.
    public let network: RoadNetwork
    private let paths: [String: Path]
    /// What the routes were ranked with.
    private let forecasts: ForecastTable
    private let traffic: TrafficDensity

    init(
        _ ranking: RouteRanking, _ routes: [PlannedRoute], on network: RoadNetwork,
        by forecasts: ForecastTable, _ traffic: TrafficDensity
    ) {
        (self.ranking, self.network) = (ranking, network)
        (self.forecasts, self.traffic) = (forecasts, traffic)
        let shown = Set(ranking.map(\.route.id))
        paths = Dictionary(
            routes.filter { shown.contains($0.route.id) }.map { ($0.route.id, $0.path) },
            uniquingKeysWith: { first, _ in first })
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { ranking.count }

    /// The score at a rank, counted from 0.
    public subscript(rank: Int) -> RouteScore { ranking[rank] }

    /// The way of a route of the ranking; nil for another's.
    public func path(of score: RouteScore) -> Path? { paths[score.route.id] }

    /// The distributions of the routes' travel times, the best route's first; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/travelTimes(of:leaving:)``.
    public func travelTimes() throws(RankingError) -> [TravelTimeDistribution] {
        try forecasts.travelTimes(of: map(\.route), leaving: ranking.departure)
    }

    /// How every two of the best routes compare; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/comparisons(of:leaving:traffic:)``.
    public func comparisons() throws(RankingError) -> [RouteComparison] {
        try forecasts.comparisons(of: ranking, traffic: traffic)
    }
}
