// Which routes are asked for and where they come from; how candidates are grouped.
package import BridgecastCore
internal import BridgecastData
internal import BridgecastEngine
private import BridgecastRoads
package import BridgecastRouting
package import BridgecastSupport

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

    /// What was assumed about the texts that name the ends of a trip.
    package var notes: [String] {
        guard case .trip(let trip, _) = self else { return [] }
        return [trip.origin, trip.destination].compactMap(\.note)
    }

    /// Attribution of the road data; nil for routes of others.
    package var attribution: String? {
        if case .trip(_, let planner) = self { planner.network.attribution } else { nil }
    }

    /// Minutes of the quickest way without delays at bridges.
    package func quickestMinutes(leaving departure: Timestamp) throws(RankingError) -> Double {
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

package struct RouteSource: Sendable, Equatable, JSONObjectAnswer {
    package enum Kind: String, Sendable {
        /// Our own road network, a file, what a client of the service sent.
        case roads, file, candidates
        case osrm, valhalla
    }

    package let kind: Kind
    package var url: String?
    package var requests: Int?
    /// What was not answered, corrected, set aside or assumed, and why our roads were taken instead.
    package var notes: [String] = []

    package init(_ router: Router, _ answer: RouterRoutes) {
        kind = router.kind == .osrm ? .osrm : .valhalla
        url = router.publicURL
        requests = answer.requests
        notes = answer.notes
    }

    package init(_ kind: Kind, notes: [String] = []) {
        self.kind = kind
        self.notes = notes
    }

    package func writeFields(into json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("url", url)
        json.field("requests", requests)
        json.list("notes", notes)
    }
}

package enum RouteGroups {
    private struct Ends: Hashable {
        let origin: String
        let destination: String
        let mode: Route.Mode

        init(_ route: Route) {
            origin = route.origin
            destination = route.destination
            mode = route.mode
        }

        func hold(_ route: Route) -> Bool {
            mode == route.mode && origin == route.origin && destination == route.destination
        }
    }

    /// The number of each route's group, from 0 on in order of first appearance, and how many groups there are.
    package static func numbers(of routes: [Route]) -> (numbers: [Int], count: Int) {
        var known: [Ends: Int] = [:]
        var latest: (ends: Ends, number: Int)?
        let numbers = routes.map { route in
            // Almost always the one of the route before: nothing has to be hashed.
            if let latest, latest.ends.hold(route) { return latest.number }
            let ends = Ends(route)
            let number = known[ends] ?? known.count
            known[ends] = number
            latest = (ends, number)
            return number
        }
        return (numbers, known.count)
    }

    /// The routes of each group, in order of first appearance.
    package static func divided(_ routes: [Route]) -> [[Route]] {
        let (numbers, count) = numbers(of: routes)
        var groups = [[Route]](repeating: [], count: count)
        for (route, number) in zip(routes, numbers) { groups[number].append(route) }
        return groups
    }
}
