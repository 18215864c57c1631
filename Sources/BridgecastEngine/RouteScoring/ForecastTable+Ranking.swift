// Ranks routes with a table at hand, with everything that is shown of them.
public import BridgecastCore
internal import CBridgecastKernels

extension ForecastTable {
    /// Scores routes and sorts them, the best first.
    ///
    /// ``TrafficInference/rank(_:leaving:arriveBy:in:traffic:weights:)`` asks for a table that fits and does
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

    /// The same by a scorer that has memory already; who leaves after the deadline is late.
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
