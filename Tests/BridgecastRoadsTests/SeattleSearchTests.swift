// The search on Seattle's roads beside Dijkstra's algorithm: random trips at random hours, by every mode.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct SeattleSearchTests {
    /// Trips of each mode; BRIDGECAST_TRIPS asks for more, such as 10000.
    private static let trips =
        ProcessInfo.processInfo.environment["BRIDGECAST_TRIPS"].flatMap(Int.init) ?? 120

    @Test(arguments: Route.Mode.allCases)
    func noWayIsQuickerThanTheQuickest(_ mode: Route.Mode) {
        let network = Fixtures.seattle
        let hierarchy = network.hierarchy(mode)
        let plain = PlainSearch(hierarchy)
        var random = SeededGenerator(seed: 18)
        let usable = network.map.arcs.indices.filter {
            network.freeDeciseconds($0, mode) > 0
                && !network.map.arcs[$0].flags.contains(.noStopping)
        }
        func anchor() -> Anchor {
            let arc = usable[Int.random(in: 0..<usable.count, using: &random)]
            let share = [0, 1, Double.random(in: 0...1, using: &random)][
                Int.random(in: 0..<3, using: &random)]
            var spots = [Anchor.Spot(arc: arc, share: share)]
            let twin = network.map.arcs[arc].twin
            if twin != RoadArc.noTwin, network.freeDeciseconds(Int(twin), mode) > 0,
                Bool.random(using: &random)
            {
                spots.append(Anchor.Spot(arc: Int(twin), share: 1 - share))
            }
            return Anchor(
                "somewhere", at: network.map.nodes[0].geoPoint, on: network, spots: spots)
        }
        var compared = 0
        for _ in 0..<Self.trips {
            let (origin, destination) = (anchor(), anchor())
            // Any minute of five days, a weekend among them.
            let moment = Fixtures.moment("2026-02-18T00:00").adding(
                minutes: Double.random(in: 0..<7_200, using: &random))
            let clock = TripClock(moment, mode == .car ? network.paces : .free)
            let reference = plain.arrival(
                from: network.starts(of: origin, hierarchy, clock),
                to: network.ends(of: destination, hierarchy), clock)
            // Who would cross the same water twice may not, here.
            guard !reference.passesTwice(hierarchy, network.map) else { continue }
            // Along one piece of road there is nothing to search.
            let arcs = Set(origin.spots.map(\.arc))
            guard !destination.spots.contains(where: { arcs.contains($0.arc) }) else { continue }
            var ways = WaySearch(network, mode, from: origin, to: destination, leaving: moment)
            let minutes = ways.quickest()?.costMinutes ?? .infinity
            let wanted = (reference.seconds - clock.departure) / 60
            #expect(
                minutes == wanted || abs(minutes - wanted) < 1e-6,
                "\(mode) \(origin.spots) \(destination.spots) \(moment)")
            compared += 1
        }
        #expect(compared > Self.trips * 9 / 10)
    }

    @Test(arguments: [
        ("2026-03-08T08:50", 8 * 3_600 + 50 * 60), ("2026-11-01T23:30", 23 * 3_600 + 30 * 60),
    ])
    func afterAChangeOfTheClocksRoadsGoByTheClockOnTheWall(_ example: (String, Int)) {
        let clock = TripClock(Fixtures.moment(example.0), Fixtures.seattle.paces)
        #expect(clock.departure == Double(example.1))
    }
}
