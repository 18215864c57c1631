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

// The current situation. Ballard opened a minute ago; Fremont has been observed for three hours.
let now = try TimeText.parse("2026-02-20T09:00")  // a service says .now
var live = LiveSnapshot(asOf: now)
try live.set(.ballard, openings: [KnownOpening(start: now.adding(minutes: -1), end: nil)])
let passed = KnownOpening(start: now.adding(minutes: -50), end: now.adding(minutes: -46))
try live.set(.fremont, openings: [passed], observedSince: now.adding(minutes: -180))
let situation = Situation.unknown(at: now).applying(live)
