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

// Your own routes: stretches of road with bridges between them.
let routes = [
    ("Ballard Bridge", BridgeIndex.ballard, 4.0, 9.0), ("Fremont Bridge", .fremont, 8, 8),
]
.map { name, bridge, before, after in
    Route(
        id: name, name: name, origin: "Home", destination: "Work", mode: .car,
        steps: [
            .travel(Route.Travel(minutes: before)), .crossing(bridge),
            .travel(Route.Travel(minutes: after)),
        ])
}
func show(_ title: String, _ ranking: RouteRanking) {
    print("\(title):")
    for score in ranking {
        let stopped = (score.probabilityStopped * 100).rounded()
        print(
            "  \(score.route.name): \(Int(score.expectedMinutes.rounded())) min, stopped \(Int(stopped)) %"
        )
    }
}
let ranking = try await inference.rank(routes, leaving: now, in: situation)
show("Own routes, Ballard raised", ranking)

// The latest departure to arrive by 09:40 with a probability of 90 %.
let window = DepartureWindow(
    from: now, until: now.adding(minutes: 40), arriveBy: now.adding(minutes: 40), confidence: 0.9)
for latest in try await inference.departures(of: routes, window, in: situation).latest {
    print("  leave by \(TimeText.clock(latest.departure)): \(latest.score.route.name)")
}

// A route engine's reply, parsed from memory.
let reply = Data(
    #"{"code": "Ok", "routes": [{"duration": 1200, "distance": 7000, "geometry": {"type": "LineString", "coordinates": [[-122.3499, 47.6522], [-122.3498, 47.6489], [-122.3497, 47.6464], [-122.34, 47.6325]]}, "legs": [{"duration": 1200, "distance": 7000, "steps": []}]}]}"#
        .utf8)
let candidates = try CandidateFile.read(reply, mode: .car)
show("OSRM's reply", try await inference.rank(candidates.routes, leaving: now, in: situation))

// Routes on the city's roads, ranked, and directions for the best one.
let roads = try RoadNetwork(contentsOf: URL(fileURLWithPath: CommandLine.arguments[2]))
let trip = try roads.trip(from: "15th Ave NW & NW Market St", to: "Downtown")
let ranked = try await inference.rank(
    trip, by: RoutePlanner(roads), leaving: now, in: situation)
show("Routes on the roads", ranked.ranking)
if let path = ranked[0].path {
    for step in path.directions(on: roads) { print("    \(step.manoeuvre) \(step.name)") }
}
print("  roads: \(roads.attribution)")

// A user interface: observable models; a change notifies only its observers.
let app = AppStateModel()
app.apply(
    try AppStateUpdate(
        await inference.table(in: situation, reaching: 60), situation, routes: ranking))
print("Ballard now: \(app[.ballard].realTimeDelay ?? 0) s, \(app[.ballard].state)")
