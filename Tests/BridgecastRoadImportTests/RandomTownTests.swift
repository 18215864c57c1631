// The search on prepared roads compared with every path of small random networks.
import BridgecastCore
import Testing
@testable import BridgecastRoadImport
@testable import BridgecastRoads

@Suite struct RandomTownTests {
    /// A way that is missing needs a reason: one that crosses less is no slower, or it crosses a drawbridge needlessly.
    private func isNeedless(
        _ crossings: [Int], minutes: Double, found: [Path], _ town: RandomTown
    ) -> Bool {
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
        "every sequence of crossings has its path of least cost, by every mode",
        arguments: 0..<60, [Reluctance.none, reluctant])
    func everySequence(_ seed: Int, _ reluctance: Reluctance) throws {
        var town = RandomTown(UInt64(seed))
        let network = try town.network(reluctance)
        var compared = 0
        var isReluctant = false
        for number in 0..<60 {
            let mode = Route.Mode.allCases[number % 3]
            let (from, to, departure) = (town.spot(), town.spot(), town.timestamp())
            let ends = [from, to].map {
                Anchor("", at: network.map.nodes[0].geoPoint, on: network, spots: [$0])
            }
            let every = EveryWay(town, mode, from: from, to: to, leaving: departure, reluctance)
                .minutes
            var search = RouteSearch(network, mode, from: ends[0], to: ends[1], leaving: departure)
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
                #expect(
                    abs(
                        path.minutes
                            - travelMinutes(path, mode, town, from: from, leaving: departure))
                        < 1e-6)
                isReluctant = isReluctant || path.minutes < path.costMinutes - 0.01
                compared += 1
            }
            for (crossings, minutes) in every where minutes < limit - 1e-6 {
                let isFound = found.contains { $0.crossings == crossings }
                #expect(
                    isFound || isNeedless(crossings, minutes: minutes, found: found, town),
                    "\(seed) \(number) \(mode) \(crossings) \(minutes)")
            }
        }
        #expect(compared > 0)
        #expect(isReluctant == (reluctance != .none))
    }

    /// Minutes of a path's arcs and turns, without reluctance.
    private func travelMinutes(
        _ path: Path, _ mode: Route.Mode, _ town: RandomTown, from origin: Anchor.Spot,
        leaving departure: Timestamp
    ) -> Double {
        let clock = TripClock(departure, mode == .car ? town.paces : .free)
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
        "A later departure arrives no earlier, lanes that open and close or not",
        arguments: 0..<20)
    func firstInFirstOut(_ seed: Int) throws {
        var town = RandomTown(UInt64(1_000 + seed))
        let network = try town.network()
        for _ in 0..<20 {
            let ends = [town.spot(), town.spot()].map {
                Anchor("", at: network.map.nodes[0].geoPoint, on: network, spots: [$0])
            }
            let first = town.timestamp()
            var before = -Double.infinity
            for minutes in [0, 0.005, 0.02, 1, 7, 14.99, 15, 15.01, 44, 45] {
                let departure = first.adding(minutes: minutes)
                var search = RouteSearch(
                    network, .car, from: ends[0], to: ends[1], leaving: departure)
                guard let path = search.quickest() else { continue }
                let arrival = departure.minutes(since: first) + path.minutes
                #expect(arrival >= before - 1e-6)
                before = arrival
            }
        }
    }
}

/// Tries every way on which no crossing is passed twice, and keeps the quickest of each sequence of crossings.
struct EveryWay {
    private let town: RandomTown
    private let mode: Route.Mode
    private let clock: TripClock
    private let destination: Anchor.Spot
    private let reluctance: Reluctance
    /// Minutes by sequence of crossings.
    private(set) var minutes: [[Int]: Double] = [:]
    private var crossed: [Int] = []
    /// Earliest times seen by place and sequence: a later arrival goes on no earlier.
    private var seen: [Visit: Double] = [:]

    private struct Visit: Hashable {
        let place: Int
        let crossed: [Int]
    }

    init(
        _ town: RandomTown, _ mode: Route.Mode, from origin: Anchor.Spot,
        to destination: Anchor.Spot, leaving departure: Timestamp,
        _ reluctance: Reluctance = .none
    ) {
        self.town = town
        self.mode = mode
        self.destination = destination
        self.reluctance = reluctance
        clock = TripClock(departure, mode == .car ? town.paces : .free)
        if origin.arc == destination.arc, destination.share >= origin.share {
            let whole = free(origin.arc) * (destination.share - origin.share)
            arrive(at: pass(whole, origin.arc, at: clock.departure))
        }
        goOn(
            from: origin.arc,
            at: pass(free(origin.arc) * (1 - origin.share), origin.arc, at: clock.departure))
    }

    /// From the head of an arc along every arc that may follow.
    private mutating func goOn(from arc: Int, at time: Double) {
        let visit = Visit(
            place: mode == .car ? arc : Int(town.map.arcs[arc].head), crossed: crossed)
        guard time < seen[visit] ?? .infinity else { return }
        seen[visit] = time
        if mode != .car, town.map.arcs[arc].head == town.map.arcs[destination.arc].tail {
            arrive(at: pass(free(destination.arc) * destination.share, destination.arc, at: time))
        }
        let nexts =
            mode == .car
            ? town.turns.filter { $0.from == arc }.map {
                ($0.to, Double($0.deciseconds) + entering(arc, $0.to))
            }
            : town.map.departing(Int(town.map.arcs[arc].head)).map { ($0, 0) }
        for (next, turn) in nexts {
            if mode == .car, next == destination.arc {
                let last =
                    destination.share == 0 ? 0 : turn + free(destination.arc) * destination.share
                arrive(at: pass(last, destination.arc, at: time))
            }
            let after = pass(turn + free(next), next, at: time)
            let crossing = town.map.arcs[next].crossing
            guard crossing != RoadArc.noCrossing else {
                goOn(from: next, at: after)
                continue
            }
            guard !crossed.contains(Int(crossing)) else { continue }
            crossed.append(Int(crossing))
            goOn(from: next, at: after)
            crossed.removeLast()
        }
    }

    private mutating func arrive(at time: Double) {
        minutes[crossed] = min(minutes[crossed] ?? .infinity, (time - clock.departure) / 60)
    }

    private func pass(_ deciseconds: Double, _ arc: Int, at time: Double) -> Double {
        clock.arrival(deciseconds, mode == .car ? town.map.arcs[arc].paceGroup : .local, at: time)
    }

    private func free(_ arc: Int) -> Double {
        let arc = town.map.arcs[arc]
        let time =
            switch mode {
            case .car: arc.carDeciseconds
            case .bike: arc.bikeDeciseconds
            case .walk: arc.walkDeciseconds
            }
        return Double(Int(time) + reluctance.deciseconds(on: arc, mode))
    }

    private func entering(_ arc: Int, _ next: Int) -> Double {
        let arcs = town.map.arcs
        return Double(reluctance.deciseconds(from: arcs[arc], onto: arcs[next], mode))
    }
}

/// Two or three banks of a few junctions each, with bridges between them and lanes that open and close.
struct RandomTown {
    private(set) var random: SplitMix
    let map: RoadMap
    let turns: [TurnLink]
    let paces: PaceTable
    let crossings: [Crossing]

    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private typealias Road = (from: Int, to: Int, crossing: Int?)

    init(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let bankCount = Int.random(in: 2...3, using: &random)
        let perBank = Int.random(in: 2...4, using: &random)
        var roads = Self.roads(ofBanks: bankCount, perBank: perBank, &random)
        let crossingCount = Int.random(in: 2...4, using: &random)
        for crossing in 0..<crossingCount {
            let bank = crossing % bankCount
            let ends = (
                bank * perBank + Int.random(in: 0..<perBank, using: &random),
                (bank + 1) % bankCount * perBank + Int.random(in: 0..<perBank, using: &random)
            )
            roads.append((ends.0, ends.1, crossing))
            if Int.random(in: 0..<4, using: &random) > 0 {
                roads.append((ends.1, ends.0, crossing))
            }
        }
        roads.sort { ($0.from, $0.to, $0.crossing ?? -1) < ($1.from, $1.to, $1.crossing ?? -1) }
        let arcs = Self.arcs(of: roads, &random)
        let nodes = (0..<bankCount * perBank).map {
            RoadPoint(GeoPoint(latitude: 47.6, longitude: -122.3 + Double($0) * 0.001))
        }
        map = RoadMap(nodes: nodes, arcs: arcs, shapes: [], names: [""])
        turns = Self.turns(between: arcs, &random)
        crossings = (0..<crossingCount).map { number in
            Crossing(
                name: "\(number)",
                bridge: Bool.random(using: &random)
                    ? BridgeIndex.all[number % BridgeIndex.all.count] : nil,
                point: nodes[0].geoPoint)
        }
        paces = PaceTable(
            rows: (0..<2 * PaceTable.slotsPerDay).map { slot in
                var row = SIMD8<Float>(repeating: 1)
                for lane in 0..<6 { row[lane] = Float.random(in: 0.8...2.5, using: &random) }
                row[6] = slot % 96 < 46 ? 1 : PaceTable.closed
                row[7] = slot % 96 < 47 ? PaceTable.closed : 1
                return row
            })
        self.random = random
    }

    /// A ring on each bank, most of it in both directions.
    private static func roads(
        ofBanks bankCount: Int, perBank: Int, _ random: inout SplitMix
    ) -> [Road] {
        var roads: [Road] = []
        for bank in 0..<bankCount {
            let first = bank * perBank
            for node in first..<first + perBank {
                roads.append((node, first + (node - first + 1) % perBank, nil))
                if Int.random(in: 0..<3, using: &random) > 0 {
                    roads.append((first + (node - first + 1) % perBank, node, nil))
                }
            }
        }
        return roads
    }

    private static func arcs(of roads: [Road], _ random: inout SplitMix) -> [RoadArc] {
        roads.enumerated().map { number, road in
            var arc = RoadArc(
                tail: road.from, head: road.to, name: 0, shape: 0, shapeCount: 0, metres: 100,
                roadClass: [.residential, .primary, .trail, .motorway][number % 4],
                paceGroup: PaceGroup.allCases.randomElement(using: &random) ?? .local,
                flags: number % 4 == 3 ? .link : [])
            arc.carDeciseconds = UInt16.random(in: 100...6_000, using: &random)
            arc.bikeDeciseconds = UInt16.random(in: 100...6_000, using: &random)
            arc.walkDeciseconds = UInt16.random(in: 100...6_000, using: &random)
            if let crossing = road.crossing { arc.crossing = UInt8(crossing) }
            let twin = roads.firstIndex {
                $0.from == road.to && $0.to == road.from && $0.crossing == road.crossing
            }
            if let twin { arc.twin = UInt32(twin) }
            return arc
        }
    }

    private static func turns(
        between arcs: [RoadArc], _ random: inout SplitMix
    ) -> [TurnLink] {
        var turns: [TurnLink] = []
        for from in arcs.indices {
            for to in arcs.indices where arcs[to].tail == arcs[from].head {
                guard arcs[from].twin != to, Int.random(in: 0..<8, using: &random) > 0 else {
                    continue
                }
                turns.append(
                    TurnLink(
                        from: from, to: to,
                        deciseconds: UInt16.random(in: 0...300, using: &random)))
            }
        }
        return turns
    }

    func network(_ reluctance: Reluctance = .none) throws -> RoadNetwork {
        RoadNetwork(
            name: "Town", attribution: "", source: "", places: [], crossings: crossings, map: map,
            paces: paces, reluctance: reluctance,
            hierarchies: try Route.Mode.allCases.map {
                try RoadPreparation.hierarchy(
                    $0, of: map, turns: turns, paces: paces, reluctance: reluctance)
            })
    }

    /// A point of a road that does not cross water.
    mutating func spot() -> Anchor.Spot {
        let land = map.arcs.indices.filter { map.arcs[$0].crossing == RoadArc.noCrossing }
        let share = [0, 1, Double.random(in: 0...1, using: &random)].randomElement(using: &random)
        return Anchor.Spot(arc: land.randomElement(using: &random) ?? 0, share: share ?? 0)
    }

    /// A time of a day, often just at the end of a quarter of an hour.
    mutating func timestamp() -> Timestamp {
        let quarter = Double(Int.random(in: 0..<90, using: &random)) * 15
        let offset = [0, -0.01, 0.01, Double.random(in: 0..<15, using: &random)]
        let day = CivilDate(year: 2026, month: 2, day: 18).map { SeattleTime.startOfDay($0) }
        let minutes = max(0, quarter + (offset.randomElement(using: &random) ?? 0))
        return (day ?? Timestamp(secondsSinceEpoch: 0)).adding(minutes: minutes)
    }
}
