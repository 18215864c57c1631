// `--from`, `--to`, `--mode`, `--network`, `--router`: a trip on the roads; options of `predict` and `depart`.
public import ArgumentParser
import BridgecastAnswers
public import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastRoads
package import BridgecastRouting
import BridgecastSupport
import Foundation

/// Options of `predict` and `depart` for trips on the network.
struct TripOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Origin: a neighbourhood or landmark, a street corner such as '15th Ave NW & NW Market St', latitude,longitude, or a name that you saved, such as home. Needs --to."
    )
    var from: String?

    @Option(name: .long, help: "Destination, as --from.")
    var to: String?

    @Option(
        name: .customLong("mode"), help: "How you travel: car, bike or walk. Default: car.")
    var statedMode: Route.Mode?

    var mode: Route.Mode { statedMode ?? .car }

    @Option(
        name: .long,
        help: "Road network, made by 'roads import'. Default: Seattle's, which is shipped.")
    var network: String?

    @OptionGroup var router: RouterOptions

    func validate() throws {
        guard (from == nil) == (to == nil) else {
            throw ValidationError("--from and --to need each other")
        }
        guard network == nil || from != nil else {
            throw ValidationError("--network needs --from and --to")
        }
        guard router.router == nil || from != nil else {
            throw ValidationError("--router needs --from and --to")
        }
    }

    /// The planner and the trip; nil without --from and --to.
    func trip() throws -> (planner: RoutePlanner, trip: Trip)? {
        guard let from, let to else { return nil }
        return try Self.trip(from: from, to: to, by: mode, on: try roads())
    }

    /// The planner and the trip between two places as a user names them.
    static func trip(
        from: String, to: String, by mode: Route.Mode, on roads: RoadNetwork
    ) throws -> (planner: RoutePlanner, trip: Trip) {
        let (origin, destination) = try SavedPlaces.findEnds(from, to) {
            (text) throws(PlaceError) in try roads.anchor(text, for: mode)
        }
        return (RoutePlanner(roads), Trip(from: origin, to: destination, mode: mode))
    }

    func roads() throws -> RoadNetwork {
        guard let network else { return try ShippedFiles.roads() }
        return try RoadNetwork(contentsOf: URL(fileURLWithPath: network))
    }
}

extension Route.Mode: ExpressibleByArgument {}

extension TripOptions {
    /// Whether the other program has to continue, because this one does not talk to a network.
    func isForServer(_ ask: RouterOptions.Asking?) -> Bool { router.router != nil && ask == nil }

    /// The request of --from and --to; nil without them.
    ///
    /// - Parameter ask: Requests routes of the route server.
    func request(
        leaving departure: Timestamp, asking ask: RouterOptions.Asking?
    ) async throws -> (request: RouteRequest, source: RouteSource)? {
        guard let from, let to else { return nil }
        var source = RouteSource(.roads)
        if let ask, let server = router.server {
            let (trip, assumed) = try routerTrip(from: from, to: to, leaving: departure)
            do {
                let answer = try await ask(trip, server)
                source = RouteSource(server, answer)
                source.notes = assumed + source.notes
                remark(source.notes)
                return (.routes(answer.routes), source)
            } catch let error as FeedError {
                let message = error.description(of: .routeServer)
                guard router.routerFallback else {
                    throw CommandFailure(.init(error.kind), message)
                }
                source.notes = ["\(message); these are our own roads instead"]
                remark(source.notes)
            }
        }
        return try trip().map { planner, trip in
            let request = RouteRequest.trip(trip, planner)
            remark(request.notes)
            source.notes += request.notes
            return (request, source)
        }
    }

    /// The trip to ask a route server for, and what was assumed about its ends.
    private func routerTrip(
        from: String, to: String, leaving departure: Timestamp
    ) throws -> (trip: RouterTrip, notes: [String]) {
        let roads = try roads()
        let (start, end) = try SavedPlaces.findEnds(from, to) { (text) throws(PlaceError) in
            try roads.end(text, for: mode)
        }
        guard start.point != end.point else {
            throw RankingError.trip(.samePlace(start.name))
        }
        let trip = RouterTrip(from: start, to: end, mode: mode, on: roads, leaving: departure)
        return (trip, [start, end].compactMap(\.anchor.note))
    }
}

// MARK: - Route server

/// Options for a route server that gives candidates.
package struct RouterOptions: ParsableArguments {
    /// Requests the routes of a trip from a route server.
    package typealias Asking = (RouterTrip, Router) async throws -> RouterRoutes

    @Option(
        name: .long,
        help:
            "Routes of a running route server, over the crossings that our roads know: osrm=URL or valhalla=URL. Needs --from and --to."
    )
    package var router: String?

    @Flag(name: .long, help: "If the route server gives no route, use our own roads.")
    package var routerFallback = false

    package init() {}

    package func validate() throws {
        guard router == nil || server != nil else {
            throw ValidationError(
                "--router '\(printable(router ?? ""))': write osrm=URL or valhalla=URL, such as "
                    + "osrm=http://localhost:5000")
        }
        guard !routerFallback || router != nil else {
            throw ValidationError("--router-fallback needs --router")
        }
    }

    package var server: Router? { router.flatMap { Router($0) } }
}
