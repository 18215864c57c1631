// Many candidates ranked at once, with the figures of each and nothing else: the hot path of a route service.
package import BridgecastCore
package import BridgecastEngine

/// Candidates with their figures, by those that compete.
package struct RankedCandidates: Sendable {
    /// Ranked candidates of one origin, destination and mode.
    package struct Group: Sendable {
        /// Places of its routes among all, the best first; never empty.
        package fileprivate(set) var order: [Int]
    }

    /// All candidates, as they were given.
    package let routes: [Route]
    /// Figures by candidate.
    package let figures: [RouteFigures]
    /// Those that compete, in order of first appearance.
    package let groups: [Group]

    /// Ranks candidates.
    ///
    /// - Parameters:
    ///   - set: The routes, packed.
    ///   - table: For the set's modes, reaching as far as it needs.
    ///   - scorer: Its memory is used; what it held is gone.
    /// - Throws: ``RankingError``.
    package init(
        _ routes: [Route], packed set: RouteSet, with table: ForecastTable,
        leaving departure: Timestamp, arriveBy deadline: Timestamp?, weights: RouteWeights,
        by scorer: inout RouteScorer
    ) throws(RankingError) {
        try scorer.rank(
            set, with: table, leaving: departure, arriveBy: deadline, weights: weights)
        (self.routes, figures) = (routes, scorer.figures)
        // No route's score depends on the others: the order among all is the order in each group.
        let (numbers, count) = RouteGroups.numbers(of: routes)
        guard count != 1 else {
            groups = [Group(order: scorer.order)]
            return
        }
        var groups = [Group](repeating: Group(order: []), count: count)
        for place in scorer.order { groups[numbers[place]].order.append(place) }
        self.groups = groups
    }
}
