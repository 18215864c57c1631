// Routes ranked for a departure, with everything that is shown of them; and many candidates ranked with figures
// alone. The JSON is in PredictionDocument.swift.
package import BridgecastCore
internal import BridgecastEngine
private import BridgecastRoads
package import BridgecastRouting

package struct Prediction: Sendable {
    package let context: ForecastContext
    package let source: RouteSource
    /// The ranked routes of each origin, destination and mode.
    package let groups: [RankedRoutes]
    package let weights: RouteWeights
    /// When to arrive; nil without a deadline.
    package let deadline: Timestamp?
    /// Whether forecasts are explained by factors of their odds.
    package let explains: Bool
    /// Whether each route is compared with the one before it.
    package let comparesRoutes: Bool

    /// Forecasts all bridges in one batch and ranks the routes.
    ///
    /// - Throws: ``RankingError``.
    package init(
        _ request: RouteRequest, of source: RouteSource, in context: ForecastContext,
        weights: RouteWeights, deadline: Timestamp?, explains: Bool
    ) async throws(RankingError) {
        self.source = source
        self.context = context
        self.weights = weights
        self.deadline = deadline
        self.explains = explains
        let departure = context.departure
        switch request {
        case .routes(let routes):
            comparesRoutes = explains
            let table = try await context.inference.table(
                for: try .packing(routes), leaving: departure, in: context.situation,
                traffic: context.traffic, model: context.model)
            groups = try RouteGroups.divided(routes).map { members throws(RankingError) in
                try RankedRoutes(
                    members, leaving: departure, arriveBy: deadline, weights: weights, by: table,
                    traffic: context.traffic)
            }
        case .trip(let trip, let planner):
            comparesRoutes = true
            groups = [
                try await context.rank(trip, by: planner, weights: weights, deadline: deadline)
            ]
        }
    }

    /// Finds and ranks the routes of trips on the same roads.
    ///
    /// - Throws: ``RankingError``.
    package init(
        _ trips: [Trip], by planner: RoutePlanner, in context: ForecastContext,
        weights: RouteWeights, deadline: Timestamp?, explains: Bool
    ) async throws(RankingError) {
        source = RouteSource(.roads)
        self.context = context
        self.weights = weights
        self.deadline = deadline
        self.explains = explains
        comparesRoutes = explains
        var groups: [RankedRoutes] = []
        for trip in trips {
            groups.append(
                try await context.rank(trip, by: planner, weights: weights, deadline: deadline))
        }
        self.groups = groups
    }

    /// Attribution of the road data; nil if no route was found on roads.
    package var attribution: String? { groups.lazy.compactMap { $0.network?.attribution }.first }

    package func confidence(_ crossing: CrossingScore) -> Confidence {
        context.confidence(crossing.bridge, crossing.arrival)
    }

    /// The forecast at a crossing with what explains it.
    ///
    /// - Throws: ``RankingError/forecast(_:)``.
    package func forecast(
        at crossing: CrossingScore, by mode: Route.Mode
    ) throws(RankingError) -> CrossingForecast {
        try CrossingForecast(crossing, by: mode, in: context, explains: explains)
    }
}

extension ForecastContext {
    fileprivate func rank(
        _ trip: Trip, by planner: RoutePlanner, weights: RouteWeights, deadline: Timestamp?
    ) async throws(RankingError) -> RankedRoutes {
        try await inference.rank(
            trip, by: planner, leaving: departure, arriveBy: deadline, in: situation,
            traffic: traffic, weights: weights, model: model)
    }
}

// MARK: - Many candidates

/// Candidates with their figures, grouped by origin, destination and mode.
package struct RankedCandidates: Sendable {
    /// Ranked candidates of one origin, destination and mode.
    package struct Group: Sendable {
        /// Indices of its routes among all, the best first; never empty.
        package fileprivate(set) var order: [Int]
    }

    /// All candidates, as they were given.
    package let routes: [Route]
    package let figures: [RouteFigures]
    package let groups: [Group]

    /// Ranks candidates.
    ///
    /// - Parameters:
    ///   - set: The routes, packed.
    ///   - table: For the set's modes, reaching as far as it needs.
    ///   - scorer: Its memory is used, and its previous result is overwritten.
    /// - Throws: ``RankingError``.
    package init(
        _ routes: [Route], packed set: RouteSet, with table: ForecastTable,
        leaving departure: Timestamp, arriveBy deadline: Timestamp?, weights: RouteWeights,
        by scorer: inout RouteScorer
    ) throws(RankingError) {
        try scorer.rank(set, with: table, leaving: departure, arriveBy: deadline, weights: weights)
        self.routes = routes
        figures = scorer.figures
        // No score depends on other routes: the order among all is the order in each group.
        let (numbers, count) = RouteGroups.numbers(of: routes)
        guard count != 1 else {
            groups = [Group(order: scorer.order)]
            return
        }
        var groups = [Group](repeating: Group(order: []), count: count)
        for index in scorer.order { groups[numbers[index]].order.append(index) }
        self.groups = groups
    }
}
