// A route service with Bridgecast inside: what it knows of the bridges, its own routes ranked, when to leave, the
// reply of a route engine, ways through the city's roads, and a screen. See the documentation's tutorial.
//
//     swift run --package-path tools/examples/route_service RouteService models/bridgecast.int8.bcm \
//         models/roads/seattle.roads
import Bridgecast
import Foundation

guard CommandLine.arguments.count == 3 else {
    print("usage: RouteService MODEL.bcm NETWORK.roads")
    exit(64)
}
let inference = try TrafficInference(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
