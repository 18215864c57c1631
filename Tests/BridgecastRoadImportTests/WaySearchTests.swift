// The search of prepared roads against every way there is, on small random networks.
import BridgecastCore
import Testing

@testable import BridgecastRoadImport
@testable import BridgecastRoads

@Suite struct WaySearchTests {
    /// A way that is missing needs a reason: one that crosses less is no slower, or it meets a drawbridge for nothing.
    private func isNeedless(
        _ crossings: [Int], _ minutes: Double, _ found: [Path], _ town: RandomTown
    )
        -> Bool
    {
        func meets(_ crossings: [Int]) -> Bool {
            crossings.contains { town.crossings[$0].bridge != nil }
        }
        return found.contains { path in
            guard path.costMinutes <= minutes + 1e-6 else { return false }
            if meets(crossings), !meets(path.crossings) { return true }
            // In the same order with some left out.
            var rest = path.crossings[...]
            for crossing in crossings where crossing == rest.first { rest.removeFirst() }
            return rest.isEmpty
                || !meets(path.crossings) && path.crossings.allSatisfy { crossings.contains($0) }
        }
    }

    private static let reluctant = Reluctance(
        localShare: 0.3, enteringSeconds: 30,
        bike: BikeReluctance(
            local: 0.2, greenway: 0.1, track: 0.1, lane: 0.2, sharrows: 0.3, arterial: 0.5,
            busy: 0.7))

    @Test(
        "Every sequence of crossings has its quickest way, or the one that seems so, by every mode",
        arguments: 0..<60, [Reluctance.none, reluctant])
    func everySequence(_ seed: Int, _ reluctance: Reluctance) throws {
        var town = RandomTown(UInt64(seed))
        let network = try town.network(reluctance)
        var (compared, isReluctant) = (0, false)
        for number in 0..<60 {
            let mode = Route.Mode.allCases[number % 3]
            let (from, to, moment) = (town.spot(), town.spot(), town.moment())
            let ends = [from, to].map {
                Anchor("", at: network.map.nodes[0].geoPoint, on: network, spots: [$0])
            }
            let every = EveryWay(town, mode, from: from, to: to, leaving: moment, reluctance)
                .minutes
            var search = WaySearch(network, mode, from: ends[0], to: ends[1], leaving: moment)
            let quickest = search.quickest()?.costMinutes
            #expect((quickest == nil) == every.isEmpty)
            guard let quickest, let best = every.values.min() else { continue }
            #expect(abs(quickest - best) < 1e-6, "\(seed) \(number) \(mode) \(from) \(to)")
            let limit = best * 1.5 + 30
            let found = search.all(upTo: limit)
            for path in found {
                let minutes = every[path.crossings] ?? .infinity
                #expect(
                    abs(path.costMinutes - minutes) < 1e-6,
                    "\(seed) \(number) \(mode) \(path.crossings)")
                #expect(abs(path.minutes - travelMinutes(path, mode, town, from, moment)) < 1e-6)
                isReluctant = isReluctant || path.minutes < path.costMinutes - 0.01
                compared += 1
            }
            for (crossings, minutes) in every where minutes < limit - 1e-6 {
                let isFound = found.contains { $0.crossings == crossings }
                #expect(
                    isFound || isNeedless(crossings, minutes, found, town),
                    "\(seed) \(number) \(mode) \(crossings) \(minutes)")
            }
        }
        #expect(compared > 0)
        #expect(isReluctant == (reluctance != .none))
    }

    /// Minutes of a path's arcs and turns, without reluctance.
    private func travelMinutes(
        _ path: Path, _ mode: Route.Mode, _ town: RandomTown, _ origin: Anchor.Spot,
        _ moment: Timestamp
    ) -> Double {
        let clock = TripClock(moment, mode == .car ? town.paces : .free)
        var time = clock.departure
        // Who begins at an arc's end turns from it at once.
        var last = origin.share < 1 ? -1 : origin.arc
        for piece in path.pieces {
            let arc = town.map.arcs[piece.arc]
            let whole =
                switch mode {
                case .car: arc.carDeciseconds
                case .bike: arc.bikeDeciseconds
                case .walk: arc.walkDeciseconds
                }
            let turn =
                mode == .car
                ? town.turns.first { $0.from == last && $0.to == piece.arc }?.deciseconds ?? 0 : 0
            time = clock.arrival(
                Double(turn) + Double(whole) * (piece.end - piece.start),
                mode == .car ? arc.paceGroup : .local, at: time)
            last = piece.arc
        }
        return (time - clock.departure) / 60
    }

    @Test(
        "Whoever leaves later arrives no earlier, lanes that open and close or not",
        arguments: 0..<20)
    func firstInFirstOut(_ seed: Int) throws {
        var town = RandomTown(UInt64(1_000 + seed))
        let network = try town.network()
        for _ in 0..<20 {
            let ends = [town.spot(), town.spot()].map {
                Anchor("", at: network.map.nodes[0].geoPoint, on: network, spots: [$0])
            }
            let first = town.moment()
            var before = -Double.infinity
            for minutes in [0, 0.005, 0.02, 1, 7, 14.99, 15, 15.01, 44, 45] {
                let moment = first.adding(minutes: minutes)
                var search = WaySearch(network, .car, from: ends[0], to: ends[1], leaving: moment)
                guard let path = search.quickest() else { continue }
                let arrival = moment.minutes(since: first) + path.minutes
                #expect(arrival >= before - 1e-6)
                before = arrival
            }
        }
    }
}
