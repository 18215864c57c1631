// Routes ranked for a departure, with everything that is shown of them: by the command as text or JSON, by the service.
package import BridgecastCore
package import BridgecastEngine
private import BridgecastRoads

/// A prediction for a departure.
package struct Prediction: Sendable {
    /// What was known.
    package let context: ForecastContext
    /// Where the routes come from.
    package let source: RouteSource
    /// Routes that compete, ranked.
    package let groups: [RankedGroup]
    /// What was ranked by.
    package let weights: RouteWeights
    /// When one wants to be there, if that was asked.
    package let deadline: Timestamp?
    /// Whether explanations are wanted with the forecasts.
    package let explains: Bool
    /// Whether the order of the routes is explained.
    package let comparesRoutes: Bool

    /// Forecasts all bridges in one batch and ranks the routes.
    ///
    /// - Throws: ``RankingError``.
    package init(
        _ request: RouteRequest, of source: RouteSource, in context: ForecastContext,
        weights: RouteWeights, deadline: Timestamp?, explains: Bool
    ) async throws(RankingError) {
        self.source = source
        (self.context, self.weights, self.deadline) = (context, weights, deadline)
        self.explains = explains
        let departure = context.departure
        switch request {
        case .routes(let routes):
            comparesRoutes = explains
            let table = try await context.inference.table(
                for: try .packing(routes), leaving: departure, in: context.situation,
                traffic: context.traffic, model: context.model)
            var groups: [RankedGroup] = []
            for members in RouteGroups.divided(routes) {
                groups.append(
                    try RankedGroup(
                        members, leaving: departure, arriveBy: deadline, weights: weights,
                        with: table, context.traffic))
            }
            self.groups = groups
        case .trip(let trip, let planner):
            comparesRoutes = true
            let plan = try await context.inference.rank(
                trip, by: planner, leaving: departure, arriveBy: deadline, in: context.situation,
                traffic: context.traffic, weights: weights, model: context.model)
            groups = [RankedGroup(trip, plan)]
        }
    }

    /// Whose data the roads are made from; nil if no route was found on roads.
    package var attribution: String? {
        groups.lazy.compactMap { $0.ways?.network.attribution }.first
    }

    /// Confidence of the forecast at a crossing.
    package func confidence(_ crossing: CrossingScore) -> Confidence {
        context.confidence(crossing.bridge, crossing.arrival)
    }

    /// Why the forecast at a crossing is what it is.
    package func reasons(_ crossing: CrossingScore, _ mode: Route.Mode) -> [Reason] {
        let (bridge, arrival) = (crossing.bridge, crossing.arrival)
        let forecast = UsualComparison(
            chance: crossing.probabilityDelayed,
            usual: context.usualProbability(bridge, arrival, mode))
        return context.reasons.reasons(for: bridge, arrival: arrival, forecast: forecast)
    }

    /// What moved the forecast at a crossing away from climatology.
    ///
    /// - Throws: ``RankingError/forecast(_:)``.
    package func explanation(
        _ crossing: CrossingScore, _ mode: Route.Mode
    ) throws(RankingError) -> CrossingExplanation {
        var workspace = Workspace()
        let density =
            mode.queues ? context.traffic.density(of: crossing.bridge, at: crossing.arrival) : 0
        do throws(InferenceError) {
            let atMean = try context.model.explanation(
                of: crossing.bridge, leadMinutes: max(0, crossing.leadMinutes),
                density: Float(density), in: context.situation, workspace: &workspace)
            return CrossingExplanation(
                crossing, atMean, density: density, context.reasons)
        } catch {
            throw .forecast(error)
        }
    }
}
