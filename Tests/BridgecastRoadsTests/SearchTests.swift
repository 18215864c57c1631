// The search on Seattle's network compared with Dijkstra's algorithm, and other ways over the
// same crossings.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastRoads

@Suite struct SeattleSearchTests {
    /// Trips of each mode; BRIDGECAST_TRIPS asks for more, such as 10000.
    private static let trips =
        ProcessInfo.processInfo.environment["BRIDGECAST_TRIPS"].flatMap(Int.init) ?? 120

    @Test(arguments: Route.Mode.allCases)
    func `no path is quicker than the quickest`(_ mode: Route.Mode) {
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
            let time = Fixtures.timestamp("2026-02-18T00:00").adding(
                minutes: Double.random(in: 0..<7_200, using: &random))
            let clock = TripClock(time, mode == .car ? network.paces : .free)
            let reference = plain.arrival(
                from: network.starts(of: origin, hierarchy, clock),
                to: network.ends(of: destination, hierarchy), clock)
            // Who would cross the same water twice may not, here.
            guard !reference.passesTwice(hierarchy, network.map) else { continue }
            // Along one piece of road there is nothing to search.
            let arcs = Set(origin.spots.map(\.arc))
            guard !destination.spots.contains(where: { arcs.contains($0.arc) }) else { continue }
            var ways = RouteSearch(network, mode, from: origin, to: destination, leaving: time)
            let minutes = ways.quickest()?.costMinutes ?? .infinity
            let wanted = (reference.seconds - clock.departure) / 60
            #expect(
                minutes == wanted || abs(minutes - wanted) < 1e-6,
                "\(mode) \(origin.spots) \(destination.spots) \(time)")
            compared += 1
        }
        #expect(compared > Self.trips * 9 / 10)
    }

    @Test(arguments: [
        ("2026-03-08T08:50", 8 * 3_600 + 50 * 60), ("2026-11-01T23:30", 23 * 3_600 + 30 * 60),
    ])
    func afterAChangeOfTheClocksRoadsGoByTheClockOnTheWall(_ example: (String, Int)) {
        let clock = TripClock(Fixtures.timestamp(example.0), Fixtures.seattle.paces)
        #expect(clock.departure == Double(example.1))
    }
}

/// A search without any preparation.
struct PlainSearch {
    private struct Step {
        let head: Int
        let deciseconds: Double
        let paceGroup: PaceGroup
    }

    private let steps: [[Step]]
    private let exits: [Int: Int]

    init(_ hierarchy: RoadHierarchy) {
        var steps = [[Step]](repeating: [], count: hierarchy.vertexCount)
        func add(_ edge: HierarchyEdge, from tail: Int, to head: Int) {
            guard edge.isSingle else { return }
            let group = PaceGroup.allCases.first { edge.weights[Int($0.rawValue)] > 0 } ?? .local
            steps[tail].append(
                Step(
                    head: head, deciseconds: Double(edge.weights[Int(group.rawValue)]),
                    paceGroup: group))
        }
        for vertex in 0..<hierarchy.vertexCount {
            for edge in hierarchy.upward[hierarchy.up(UInt32(vertex))] {
                add(edge, from: vertex, to: Int(edge.other))
            }
            for edge in hierarchy.downward[hierarchy.down(UInt32(vertex))] {
                add(edge, from: Int(edge.other), to: vertex)
            }
        }
        self.steps = steps
        exits = Dictionary(
            hierarchy.gates.map { (Int($0.entry), Int($0.exit)) }, uniquingKeysWith: { a, _ in a })
    }

    /// When one is at the ends at the earliest, seconds of the clock, and how many crossings are passed twice on the way.
    func arrival(
        from starts: [SearchStart], to ends: [TripEnd], _ clock: TripClock
    ) -> (seconds: Double, passesTwice: (RoadHierarchy, RoadMap) -> Bool) {
        var times = [Double](repeating: .infinity, count: steps.count)
        var before = [Int](repeating: -1, count: steps.count)
        var heap = VertexHeap()
        for start in starts where start.seconds < times[Int(start.vertex)] {
            times[Int(start.vertex)] = start.seconds
            heap.insert(start.vertex, start.seconds)
        }
        var best = (seconds: Double.infinity, vertex: -1)
        while let item = heap.removeFirst(), item.key <= best.seconds {
            let vertex = Int(item.vertex)
            guard item.key <= times[vertex] else { continue }
            for end in ends where Int(end.vertex) == vertex {
                let time = clock.arrival(end.deciseconds, end.paceGroup, at: item.key)
                if time < best.seconds { best = (time, vertex) }
            }
            func reach(_ head: Int, _ time: Double) {
                guard time < times[head] else { return }
                times[head] = time
                before[head] = vertex
                heap.insert(UInt32(head), time)
            }
            if let exit = exits[vertex] { reach(exit, item.key) }
            for step in steps[vertex] {
                reach(step.head, clock.arrival(step.deciseconds, step.paceGroup, at: item.key))
            }
        }
        return (
            best.seconds,
            { hierarchy, map in
                var seen = Set<UInt8>()
                var vertex = best.vertex
                while vertex >= 0 {
                    if let gate = hierarchy.gates.first(where: { Int($0.entry) == vertex }),
                        !seen.insert(map.arcs[Int(gate.arc)].crossing).inserted
                    {
                        return true
                    }
                    vertex = before[vertex]
                }
                return false
            }
        )
    }
}

@Suite struct AlternativeSearchTests {
    private let seattle = Fixtures.seattle

    /// The quickest way between two anchors and the others over its crossings.
    private func ways(
        _ origin: Anchor, _ destination: Anchor, _ mode: Route.Mode, leaving: Timestamp
    ) -> (best: Path, others: [Path])? {
        var search = RouteSearch(seattle, mode, from: origin, to: destination, leaving: leaving)
        guard let best = search.quickest() else { return nil }
        let others = AlternativeSearch(
            seattle, mode, from: origin, to: destination, leaving: leaving
        ).alternatives(to: best)
        return (best, others)
    }

    private func randomAnchor(_ mode: Route.Mode, _ random: inout SeededGenerator) -> Anchor {
        while true {
            let arc = Int.random(in: 0..<seattle.map.arcs.count, using: &random)
            guard seattle.freeDeciseconds(arc, mode) > 0,
                !seattle.map.arcs[arc].flags.contains(.noStopping)
            else { continue }
            return anchor(arc, Double.random(in: 0...1, using: &random))
        }
    }

    private func anchor(_ arc: Int, _ share: Double) -> Anchor {
        Anchor(
            "somewhere", at: seattle.map.nodes[0].geoPoint, on: seattle,
            spots: [Anchor.Spot(arc: arc, share: share)])
    }

    @Test(arguments: Route.Mode.allCases)
    func `second paths are connected and no quicker than the quickest`(_ mode: Route.Mode) {
        var random = SeededGenerator(seed: 21)
        var found = 0
        for _ in 0..<60 {
            let ends = (randomAnchor(mode, &random), randomAnchor(mode, &random))
            let leaving = Fixtures.timestamp("2026-02-24T00:00").adding(
                minutes: Double.random(in: 0..<1_440, using: &random))
            guard let (best, others) = ways(ends.0, ends.1, mode, leaving: leaving) else {
                continue
            }
            for path in others {
                found += 1
                #expect(path.crossings == best.crossings)
                #expect(path.pieces.map(\.arc) != best.pieces.map(\.arc))
                // The search promises that there is no quicker one.
                #expect(path.costMinutes > best.costMinutes - 1e-6)
                let arcs = path.pieces.map { seattle.map.arcs[$0.arc] }
                #expect(zip(arcs, arcs.dropFirst()).allSatisfy { $0.head == $1.tail })
                // No junction twice; the way ends before that of its last piece.
                #expect(Set(arcs.dropLast().map(\.head)).count == arcs.count - 1)
                #expect(path.pieces.first?.arc == ends.0.spots[0].arc)
                #expect(path.pieces.last?.arc == ends.1.spots[0].arc)
                let inner = path.pieces.dropFirst().dropLast()
                #expect(inner.allSatisfy { $0.start == 0 && $0.end == 1 && $0.minutes >= 0 })
            }
            #expect(others.map(\.costMinutes) == others.map(\.costMinutes).sorted())
        }
        #expect(found > 60)
    }

    @Test func noShortPartOfASecondWayIsADetour() {
        // On foot minutes are the same at all hours, and nothing but minutes counts.
        var random = SeededGenerator(seed: 22)
        let leaving = Fixtures.timestamp("2026-02-24T12:00")
        var looked = 0
        for _ in 0..<25 {
            let ends = (randomAnchor(.walk, &random), randomAnchor(.walk, &random))
            guard let (best, others) = ways(ends.0, ends.1, .walk, leaving: leaving) else {
                continue
            }
            for path in others.prefix(3) {
                let apart = path.minutes(besides: best)
                let inner = Array(path.pieces.dropFirst().dropLast())
                for first in stride(from: 0, to: inner.count, by: 7) {
                    var minutes = 0.0
                    var last = first
                    while last < inner.count, minutes + inner[last].minutes <= apart / 4 {
                        minutes += inner[last].minutes
                        last += 1
                    }
                    guard last - first > 1 else { continue }
                    let part = inner[first..<last]
                    guard part.allSatisfy({ $0.crossing == nil }) else { continue }
                    var search = RouteSearch(
                        seattle, .walk, from: anchor(inner[first].arc, 0),
                        to: anchor(inner[last - 1].arc, 1), leaving: leaving)
                    guard let quickest = search.quickest(), quickest.crossings.isEmpty else {
                        continue
                    }
                    #expect(quickest.minutes > minutes - 1e-6)
                    looked += 1
                }
            }
        }
        #expect(looked > 200)
    }

    @Test func `second paths take at most a quarter and a minute longer`() {
        // On foot a way differs on one leg alone, and minutes are all that counts.
        var random = SeededGenerator(seed: 24)
        var looked = 0
        for _ in 0..<40 {
            let ends = (randomAnchor(.walk, &random), randomAnchor(.walk, &random))
            let leaving = Fixtures.timestamp("2026-02-24T12:00")
            guard let (best, others) = ways(ends.0, ends.1, .walk, leaving: leaving) else {
                continue
            }
            for path in others where best.crossings.isEmpty {
                #expect(path.minutes <= best.minutes * 1.25 + 1 + 1e-6)
                looked += 1
            }
        }
        #expect(looked > 20)
    }

    @Test func aCornerBeginsOnTheRoadThatLeavesIt() throws {
        // Both the end of one arc and the beginning of the next: the way begins at the corner, not an arc before it.
        let map = seattle.map
        let arc = try #require(
            map.arcs.indices.first { arc in
                map.arcs[arc].metres > 50 && map.arcs[arc].metres < 150
                    && seattle.freeDeciseconds(arc, .car) > 0
                    && !map.arcs[arc].flags.contains(.noStopping)
                    && map.departing(Int(map.arcs[arc].head)).count > 2
            })
        let spots = [Anchor.Spot(arc: arc, share: 0), Anchor.Spot(arc: arc, share: 1)]
        let corner = Anchor("corner", at: map.nodes[0].geoPoint, on: seattle, spots: spots)
        let far = try seattle.anchor("Georgetown", for: .car)
        let leaving = Fixtures.timestamp("2026-02-24T12:00")
        var search = RouteSearch(seattle, .car, from: corner, to: far, leaving: leaving)
        let found = search.quickest()
        let path = try #require(found)
        #expect(path.pieces.first?.arc != arc)
        var alone = RouteSearch(seattle, .car, from: anchor(arc, 1), to: far, leaving: leaving)
        let fromItsEnd = alone.quickest()
        #expect(try #require(fromItsEnd).costMinutes >= path.costMinutes - 1e-9)
    }

    @Test func aWayOnOnePieceOfRoadHasNoSecondOne() throws {
        let arc = try #require(
            seattle.map.arcs.indices.first {
                seattle.map.arcs[$0].metres > 300
                    && !seattle.map.arcs[$0].flags.contains(.noStopping)
                    && seattle.freeDeciseconds($0, .car) > 0
            })
        let (best, others) = try #require(
            ways(
                anchor(arc, 0.2), anchor(arc, 0.7), .car,
                leaving: Fixtures.timestamp("2026-02-24T12:00")))
        #expect(best.pieces.count == 1 && others.isEmpty)
    }

    @Test func `a standing clock has the paces of its time`() {
        let clock = TripClock(Fixtures.timestamp("2026-02-24T12:00"), seattle.paces)
        let evening = 17.6 * 3_600
        let still = TripClock(standingAt: evening, of: clock)
        for group in PaceGroup.allCases {
            let there = clock.arrival(1, group, at: evening) - evening
            // As long as its quarter of an hour lasts, which is for another nine minutes.
            #expect(abs(still.arrival(1, group, at: 0) - there) < 1e-9)
            #expect(abs(still.arrival(60_000, group, at: 0) - 60_000 * there) < 1e-4)
        }
    }
}
