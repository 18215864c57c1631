// `--from`, `--to`, `--mode`, `--network`: a trip on the roads; options of `predict` and `depart`.
public import ArgumentParser
public import BridgecastCore
import BridgecastData
import BridgecastEngine
import Foundation

/// Options of `predict` and `depart` for trips on the network.
struct TripOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Origin: a neighbourhood or landmark, or latitude,longitude. Needs --to.")
    var from: String?

    @Option(name: .long, help: "Destination, as --from.")
    var to: String?

    @Option(name: .long, help: "How you travel: car, bike or walk.")
    var mode = Route.Mode.car

    @Option(name: .long, help: "Road network (JSON). Default: Seattle's, which is shipped.")
    var network: String?

    func validate() throws {
        guard (from == nil) == (to == nil) else {
            throw ValidationError("--from and --to belong together")
        }
    }

    /// The planner and the trip asked for; nil without --from and --to.
    func trip() throws -> (planner: RoutePlanner, trip: Trip)? {
        guard let from, let to else { return nil }
        let roads: RoadNetwork
        if let network {
            let json = try InputFile(URL(fileURLWithPath: network)).bytes
            do {
                roads = try RoadNetwork(json: Data(json))
            } catch {
                throw CommandFailure(error, of: network)
            }
        } else {
            roads = .seattle
        }
        let trip = Trip(
            from: try roads.anchor(from, for: mode), to: try roads.anchor(to, for: mode), mode: mode
        )
        return (RoutePlanner(roads), trip)
    }
}

extension Route.Mode: ExpressibleByArgument {}
