// Small random networks with crossings of water, and every way through them; used by the tests of the search.
import BridgecastCore

@testable import BridgecastRoadImport
@testable import BridgecastRoads

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

    init(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let bankCount = Int.random(in: 2...3, using: &random)
        let perBank = Int.random(in: 2...4, using: &random)
        var roads: [(from: Int, to: Int, crossing: Int?)] = []
        for bank in 0..<bankCount {
            let first = bank * perBank
            for node in first..<first + perBank {
                roads.append((node, first + (node - first + 1) % perBank, nil))
                if Int.random(in: 0..<3, using: &random) > 0 {
                    roads.append((first + (node - first + 1) % perBank, node, nil))
                }
            }
        }
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
        let arcs = roads.enumerated().map { number, road in
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
        let nodes = (0..<bankCount * perBank).map {
            RoadPoint(GeoPoint(latitude: 47.6, longitude: -122.3 + Double($0) * 0.001))
        }
        map = RoadMap(nodes: nodes, arcs: arcs, shapes: [], names: [""])
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
        self.turns = turns
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

    /// A moment of a day, often just at the end of a quarter of an hour.
    mutating func moment() -> Timestamp {
        let quarter = Double(Int.random(in: 0..<90, using: &random)) * 15
        let offset = [0, -0.01, 0.01, Double.random(in: 0..<15, using: &random)]
        let day = CivilDate(year: 2026, month: 2, day: 18).map { SeattleTime.startOfDay($0) }
        let minutes = max(0, quarter + (offset.randomElement(using: &random) ?? 0))
        return (day ?? Timestamp(secondsSinceEpoch: 0)).adding(minutes: minutes)
    }
}
