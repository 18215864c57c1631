// What routes a prediction or a departure is asked for.
package import BridgecastCore
package import BridgecastEngine
private import BridgecastRoads

/// What routes are asked for.
package enum RouteRequest: Sendable {
    /// These; those of the same origin, destination and mode compete.
    case routes([Route])
    /// Whatever ways there are.
    case trip(Trip, RoutePlanner)

    /// From where to where, and how; of several groups those of the first route.
    package var ends: (origin: String, destination: String, mode: Route.Mode) {
        switch self {
        case .trip(let trip, _): (trip.origin.name, trip.destination.name, trip.mode)
        case .routes(let routes):
            (
                routes.first?.origin ?? "", routes.first?.destination ?? "",
                routes.first?.mode ?? .car
            )
        }
    }

    /// Whose data the roads are made from; nil for routes of others.
    package var attribution: String? {
        if case .trip(_, let planner) = self { planner.network.attribution } else { nil }
    }

    /// Minutes of the quickest way without delays at bridges.
    package func quickestMinutes(
        leaving departure: Timestamp
    ) throws(RankingError) -> Double {
        switch self {
        case .trip(let trip, let planner): try planner.quickestMinutes(trip, leaving: departure)
        case .routes(let routes): routes.map(\.meanTravelMinutes).min() ?? 0
        }
    }

    /// The routes' scores for departure after departure.
    package func departures(
        _ window: DepartureWindow, in context: ForecastContext, weights: RouteWeights = .standard
    ) async throws(RankingError) -> DepartureCurve {
        switch self {
        case .trip(let trip, let planner):
            try await context.inference.departures(
                of: trip, by: planner, window, in: context.situation, traffic: context.traffic,
                weights: weights, model: context.model)
        case .routes(let routes):
            try await context.inference.departures(
                of: routes, window, in: context.situation, traffic: context.traffic,
                weights: weights, model: context.model)
        }
    }
}
