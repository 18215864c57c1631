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
let now = Timestamp(secondsSinceEpoch: 1_771_606_800)  // 2026-02-20, 09:00 in Seattle

var scorer = RouteScorer()
for state in [SpanState.lowered, .raised(since: now.adding(minutes: -1))] {
    let situation = Situation.unknown(at: now)
        .applying(LiveSnapshot(asOf: now, states: [ballard: state]))
    let table = try await inference.table(
        in: situation, reaching: 180, traffic: TrafficDensity(), modes: [.car])
    let scoring = RouteScoring(
        forecasts: table, climatology: inference.model.climatology, issueTime: now)
    let routes = try RoutePlanner(network).candidates(trip, leaving: now, scoring: scoring)
    let set = try RouteSet(routes)
    scorer.rank(set, with: table, issueTime: now, leaving: now)
    print("Ballard Bridge \(state == .lowered ? "lowered" : "raised a minute ago"):")
    for index in scorer.order.prefix(3) {
        let figures = scorer.figures[index]
        print(
            "  \(routes[index].name): \(Int(figures.expectedMinutes.rounded())) min, "
                + "stopped \(Int((figures.probabilityStopped * 100).rounded())) %")
    }
}
