// `--from`, `--to`, `--mode`, `--network`: a trip on the roads; options of `predict` and `depart`.
public import ArgumentParser
public import BridgecastCore
import BridgecastEngine
import BridgecastRoads
import Foundation

/// Options of `predict` and `depart` for trips on the network.
struct TripOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Origin: a neighbourhood or landmark, a street corner such as '15th Ave NW & NW Market St', or latitude,longitude. Needs --to."
    )
    var from: String?

    @Option(name: .long, help: "Destination, as --from.")
    var to: String?

    @Option(
        name: .customLong("mode"), help: "How you travel: car, bike or walk. Default: car.")
    var statedMode: Route.Mode?

    /// How one travels, said or not.
    var mode: Route.Mode { statedMode ?? .car }

    @Option(
        name: .long,
        help: "Road network, made by 'roads import'. Default: Seattle's, which is shipped.")
    var network: String?

    @OptionGroup var router: RouterOptions

    func validate() throws {
        guard (from == nil) == (to == nil) else {
            throw ValidationError("--from and --to belong together")
        }
        guard network == nil || from != nil else {
            throw ValidationError("--network needs --from and --to")
        }
        guard router.router == nil || from != nil else {
            throw ValidationError("--router needs --from and --to")
        }
    }

    /// The planner and the trip asked for; nil without --from and --to.
    func trip() throws -> (planner: RoutePlanner, trip: Trip)? {
        guard let from, let to else { return nil }
        let roads = try roads()
        let trip = Trip(
            from: try roads.anchor(from, for: mode), to: try roads.anchor(to, for: mode), mode: mode
        )
        return (RoutePlanner(roads), trip)
    }

    /// The roads asked for.
    func roads() throws -> RoadNetwork {
        guard let network else { return try ShippedFiles.roads() }
        return try RoadNetwork(contentsOf: URL(fileURLWithPath: network))
    }
}

extension Route.Mode: ExpressibleByArgument {}
