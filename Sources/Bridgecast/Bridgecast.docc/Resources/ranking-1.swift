// A route service that uses Bridgecast: bridge states, ranking of its own routes, departure times, the reply of a
// route engine, routes on the city's roads, and a user interface. See the tutorial in the documentation.
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
