// One prediction: everything the three output formats show.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// A prediction for a departure.
struct Prediction {
    let context: ForecastContext
    /// Where the routes come from.
    let source: RouteSource
    let groups: [RankedGroup]
    let weights: RouteWeights
    /// When one wants to be there, if that was asked.
    let deadline: Timestamp?
    /// Whether explanations are wanted with the forecasts.
    let explains: Bool
    /// Whether the order of the routes is explained.
    let comparesRoutes: Bool

    /// Forecasts all bridges in one batch and ranks the routes.
    init(
        _ request: RouteRequest, of source: RouteSource, in context: ForecastContext,
        weights: RouteWeights, deadline: Timestamp?, explains: Bool
    ) async throws {
        self.source = source
        (self.context, self.weights, self.deadline) = (context, weights, deadline)
        self.explains = explains
        let departure = context.departure
        switch request {
        case .routes(let routes):
            comparesRoutes = explains
            let table = try await context.inference.table(
                for: try RouteSet(routes), leaving: departure, in: context.situation,
                traffic: context.traffic)
            groups = try Self.grouped(routes).map { members in
                RankedGroup(
                    origin: members[0].origin, destination: members[0].destination,
                    mode: members[0].mode,
                    ranking: try table.rank(
                        members, leaving: departure, arriveBy: deadline, weights: weights))
            }
        case .trip(let trip, let planner):
            comparesRoutes = true
            let plan = try await context.inference.rank(
                trip, by: planner, leaving: departure, arriveBy: deadline, in: context.situation,
                traffic: context.traffic, weights: weights)
            groups = [
                RankedGroup(
                    origin: trip.origin.name, destination: trip.destination.name, mode: trip.mode,
                    ranking: plan.ranking, ways: plan)
            ]
        }
    }

    /// Confidence of the forecast at a crossing.
    func confidence(_ crossing: CrossingScore) -> Confidence {
        context.confidence(crossing.bridge, crossing.arrival)
    }

    /// Why the forecast at a crossing is what it is.
    func reasons(_ crossing: CrossingScore) -> [String] {
        context.reasons.phrases(for: crossing.bridge, arrival: crossing.arrival)
    }

    /// What moved the forecast at a crossing away from climatology.
    func explanation(
        _ crossing: CrossingScore, _ mode: Route.Mode
    ) throws -> CrossingExplanation {
        var workspace = Workspace()
        let density =
            mode.queues ? context.traffic.density(of: crossing.bridge, at: crossing.arrival) : 0
        let atMean = try context.model.explanation(
            of: crossing.bridge, leadMinutes: max(0, crossing.leadMinutes),
            density: Float(density), in: context.situation, workspace: &workspace)
        return CrossingExplanation(crossing, atMean, context.reasons)
    }

    /// Routes by origin, destination and mode, in order of first appearance.
    private static func grouped(_ routes: [Route]) -> [[Route]] {
        struct Key: Hashable {
            let origin: String
            let destination: String
            let mode: Route.Mode
        }
        var order: [Key] = []
        var members: [Key: [Route]] = [:]
        for route in routes {
            let key = Key(origin: route.origin, destination: route.destination, mode: route.mode)
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(route)
        }
        return order.compactMap { members[$0] }
    }
}
