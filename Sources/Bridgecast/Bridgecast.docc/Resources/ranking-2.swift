// Ranks candidates of a route service's own with every new state of the bridges; see the DocC tutorial.
//
//     swift run --package-path tools/example RouteService models/bridgecast.int8.bcm
import Bridgecast
import Foundation

guard CommandLine.arguments.count == 2, let ballard = BridgeCatalogue.index(named: "Ballard") else {
    print("usage: RouteService MODEL.bcm")
    exit(64)
}
let inference = try TrafficInference(
    contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))

// Candidates: yours, or the ways through the built-in network. They are packed once.
let network = RoadNetwork.seattle
let trip = Trip(
    from: try network.anchor("Ballard", for: .car),
    to: try network.anchor("Downtown", for: .car), mode: .car)
