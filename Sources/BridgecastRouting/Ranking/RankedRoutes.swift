// What a ranking gives: routes in order, with the path of each that was found on the roads.
public import BridgecastCore
internal import BridgecastEngine
public import BridgecastRoads
internal import CBridgecastKernels

/// A route of a ranking: its score and, where it was found on the roads, its path.
@dynamicMemberLookup
public struct RankedRoute: Sendable {
    /// The route with its figures.
    public let scored: RouteScore
    /// Nil for a candidate from elsewhere.
    public let path: Path?

    /// The route, its crossings, or a figure.
    public subscript<Value>(dynamicMember member: KeyPath<RouteScore, Value>) -> Value {
        scored[keyPath: member]
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
    public let scores: RouteRanking
    /// The roads that the routes were found on; nil for candidates from elsewhere.
    public let network: RoadNetwork?
    /// By rank; empty for candidates from elsewhere.
    private let paths: [Path]
    /// The routes in rank order.
    private let set: RouteSet
    private let forecasts: ForecastTable
    private let traffic: TrafficDensity

    /// - Parameter paths: Of the scores.
    init(
        _ trip: Trip, _ scores: RouteRanking, paths: [Path], on network: RoadNetwork,
        by forecasts: ForecastTable, traffic: TrafficDensity
    ) throws(RankingError) {
        origin = trip.origin.name
        destination = trip.destination.name
        mode = trip.mode
        self.scores = scores
        self.network = network
        self.paths = paths
        set = try .packing(scores.map(\.route))
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
        scores = try forecasts.rank(
            routes, leaving: departure, arriveBy: deadline, weights: weights)
        network = nil
        paths = []
        set = try .packing(scores.map(\.route))
        self.forecasts = forecasts
        self.traffic = traffic
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { scores.count }

    /// The route at a rank, counted from 0.
    public subscript(rank: Int) -> RankedRoute {
        RankedRoute(scored: scores[rank], path: paths.isEmpty ? nil : paths[rank])
    }

    /// The distributions of the routes' travel times, the best route's first; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/travelTimes(of:leaving:)``.
    public func travelTimes() throws(RankingError) -> [TravelTimeDistribution] {
        try forecasts.travelTimes(of: set, leaving: scores.departure)
    }

    /// How every two of the best routes compare; computed on every call.
    ///
    /// - Throws: ``RankingError``, as ``ForecastTable/comparisons(of:leaving:traffic:)``.
    public func comparisons() throws(RankingError) -> [RouteComparison] {
        let routes = scores.prefix(RouteComparison.maxRoutes).map(\.route)
        return try forecasts.comparisons(
            of: routes, packed: routes.count == set.count ? set : .packing(routes),
            leaving: scores.departure, traffic: traffic)
    }
}

// MARK: - With a table at hand

extension ForecastTable {
    /// Scores routes and sorts them, the best first.
    ///
    /// ``TrafficInference/rank(_:leaving:arriveBy:in:traffic:weights:model:)`` asks for a table that fits and does
    /// this; a service with many candidates uses ``RouteScorer``, which gives the same figures.
    /// - Parameters:
    ///   - routes: Routes of the modes of the table.
    ///   - departure: Not before the issue time; the table reaches ``RouteSet/reachMinutes`` beyond it.
    ///   - deadline: When one wants to be there, if that matters.
    /// - Throws: ``RankingError``.
    /// - Complexity: O(routes x steps).
    public func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        weights: RouteWeights = .standard
    ) throws(RankingError) -> RouteRanking {
        try RankingError.check(deadline, leaving: departure)
        var scorer = RouteScorer()
        return try rank(
            routes, packed: try RouteSet.packing(routes), leaving: departure, arriveBy: deadline,
            weights: weights, by: &scorer)
    }

    /// As above with a scorer, whose order gives the ranks; leaving after the deadline is late.
    func rank(
        _ routes: [Route], packed set: RouteSet, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, weights: RouteWeights, by scorer: inout RouteScorer
    ) throws(RankingError) -> RouteRanking {
        var found: [bck_crossing_figures]? = []
        try scorer.rank(
            set, with: self, leaving: departure, arriveBy: deadline, weights: weights,
            crossings: &found)
        var left = (found ?? [])[...]
        let crossings = routes.map { route in
            let bridges = route.crossings
            defer { left = left.dropFirst(bridges.count) }
            return zip(bridges, left).map {
                score($0, $1, mode: route.mode, leaving: departure)
            }
        }
        return RouteRanking(
            issueTime: issueTime, departure: departure, deadline: deadline, weights: weights,
            scores: scorer.order.map { index in
                RouteScore(
                    route: routes[index], figures: scorer.figures[index],
                    crossings: crossings[index])
            })
    }

    private func score(
        _ bridge: BridgeIndex, _ figures: bck_crossing_figures, mode: Route.Mode,
        leaving departure: Timestamp
    ) -> CrossingScore {
        let minutes = Double(figures.arrival) * RouteSet.cellSeconds / 60
        let lead = departure.minutes(since: issueTime) + minutes
        return CrossingScore(
            bridge: bridge, arrival: departure.adding(minutes: minutes), leadMinutes: lead,
            delay: delayWithin(at: bridge, leadMinutes: lead, queues: mode.queues),
            expectedDelayMinutes: Double(figures.delay) * RouteSet.cellSeconds / 60,
            probabilityDelayed: max(0, 1 - Double(figures.unstopped)))
    }
}

extension RouteRanking {
    /// - Parameter ranks: Increasing.
    func keeping(_ ranks: [Int]) -> RouteRanking {
        RouteRanking(
            issueTime: issueTime, departure: departure, deadline: deadline, weights: weights,
            scores: ranks.map { scores[$0] })
    }
}
