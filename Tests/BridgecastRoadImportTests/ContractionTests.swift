// Whether prepared roads give the ways that unprepared ones give, at every time of the day.
import BridgecastCore
@testable import BridgecastRoadImport
@testable import BridgecastRoads
import Testing

@Suite struct ContractionTests {
    private func hierarchy(_ result: Contraction.Result) -> RoadHierarchy {
        RoadHierarchy(
            mode: .car, firstOfCore: result.firstOfCore, vertices: result.ranks, gates: [],
            firstUp: result.firstUp, upward: result.upward, firstDown: result.firstDown,
            downward: result.downward)
    }

    /// A moment of a Friday or a Saturday.
    private func moment(with dice: inout Dice) -> Timestamp {
        Timestamp(secondsSinceEpoch: 1_790_319_600 + Int64.random(in: 0..<172_800, using: &dice))
    }

    /// When an edge is behind one: each single piece at the pace of its time.
    private func arrival(
        _ edge: HierarchyEdge, at time: Double, _ hierarchy: RoadHierarchy, _ clock: TripClock
    ) -> Double {
        guard edge.isSingle else {
            let between = arrival(hierarchy.edge(edge.first), at: time, hierarchy, clock)
            return arrival(hierarchy.edge(edge.second), at: between, hierarchy, clock)
        }
        return PaceGroup.allCases.reduce(time) { time, group in
            clock.arrival(Double(edge.weights[Int(group.rawValue)]), group, at: time)
        }
    }

    /// When one is at a vertex by the hierarchy: up, through the core and down.
    private func times(
        _ hierarchy: RoadHierarchy, from start: UInt32, to end: UInt32, _ clock: TripClock
    ) -> Double {
        var times = [Double](repeating: .infinity, count: hierarchy.vertexCount)
        times[Int(start)] = clock.departure
        func relax(_ edge: HierarchyEdge, _ tail: Int, _ head: Int) -> Bool {
            guard times[tail].isFinite else { return false }
            let time = arrival(edge, at: times[tail], hierarchy, clock)
            guard time < times[head] else { return false }
            times[head] = time
            return true
        }
        let core = Int(hierarchy.firstOfCore)..<hierarchy.vertexCount
        for tail in 0..<core.lowerBound {
            for edge in hierarchy.up(UInt32(tail)).map({ hierarchy.upward[$0] }) {
                _ = relax(edge, tail, Int(edge.other))
            }
        }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for tail in core {
                for edge in hierarchy.up(UInt32(tail)).map({ hierarchy.upward[$0] }) {
                    if relax(edge, tail, Int(edge.other)) { hasChanged = true }
                }
            }
        }
        for head in stride(from: core.lowerBound - 1, through: Int(end), by: -1) {
            for edge in hierarchy.down(UInt32(head)).map({ hierarchy.downward[$0] }) {
                _ = relax(edge, Int(edge.other), head)
            }
        }
        return times[Int(end)]
    }

    @Test(arguments: [Float(0), 0.005, 0.03, 0.3])
    func preparedRoadsAreAsQuickAsUnpreparedOnesAtEveryDeparture(wildness: Float) throws {
        var dice = Dice(UInt64(wildness * 1_000) + 1)
        for round in 0..<6 {
            let roads = RandomRoads(30 + 6 * round, wildness: wildness, with: &dice)
            let kept = Set((0..<UInt32(roads.vertexCount)).shuffled(using: &dice).prefix(round))
            let result = try Contraction.contract(
                roads.vertexCount, roads.links, kept: kept, paces: roads.paces)
            let hierarchy = hierarchy(result)
            #expect(kept.allSatisfy { result.ranks[Int($0)] >= result.firstOfCore })
            #expect(Int(result.firstOfCore) > roads.vertexCount / 2)
            for _ in 0..<12 {
                let clock = TripClock(moment(with: &dice), roads.paces)
                let start = UInt32.random(in: 0..<UInt32(roads.vertexCount), using: &dice)
                let wantedTimes = roads.times(from: start, clock)
                for _ in 0..<6 {
                    let end = Int.random(in: 0..<roads.vertexCount, using: &dice)
                    let wanted = wantedTimes[end]
                    let found = times(
                        hierarchy, from: result.ranks[Int(start)], to: result.ranks[end], clock)
                    // Travel is summed in single precision: an hour of it is right to a millisecond.
                    #expect(
                        found == wanted
                            || abs(found - wanted) <= 1e-6 * (wanted - clock.departure) + 1e-6,
                        "\(found - wanted) s from \(start) to \(end)")
                }
            }
        }
    }

    @Test func edgesStandForTheRoadsTheyAreMadeOf() throws {
        var dice = Dice(5)
        let roads = RandomRoads(50, wildness: 0.03, with: &dice)
        let result = try Contraction.contract(
            roads.vertexCount, roads.links, kept: [], paces: roads.paces)
        let hierarchy = hierarchy(result)
        #expect(
            result.upward.contains { !$0.isSingle } && result.downward.contains { !$0.isSingle })
        for tail in 0..<UInt32(roads.vertexCount) {
            for number in hierarchy.up(tail) {
                var singles: [HierarchyEdge] = []
                hierarchy.unpack(UInt32(number), into: &singles)
                let links = singles.map { roads.links[Int($0.second)] }
                #expect(result.ranks[Int(links[0].from)] == tail)
                #expect(result.ranks[Int(links[links.count - 1].to)] == result.upward[number].other)
                for (link, next) in zip(links, links.dropFirst()) { #expect(link.to == next.from) }
                var weights = SIMD8<UInt16>()
                for link in links {
                    weights[Int(link.paceGroup.rawValue)] += UInt16(link.deciseconds)
                }
                #expect(weights == result.upward[number].weights)
            }
        }
    }

    @Test func linksTooLongForAnEdgeAreRefusedAndWaysTooLongAreLeftInPieces() throws {
        func links(_ deciseconds: Int) -> [Contraction.Link] {
            (0..<UInt32(40)).map {
                Contraction.Link(
                    from: $0, to: $0 + 1, deciseconds: deciseconds, paceGroup: .local, arc: $0)
            }
        }
        #expect(throws: RoadImportError.tooFar) {
            try Contraction.contract(41, links(70_000), kept: [], paces: .free)
        }
        let result = try Contraction.contract(41, links(60_000), kept: [], paces: .free)
        let clock = TripClock(Timestamp(secondsSinceEpoch: 1_790_319_600), .free)
        let time = times(hierarchy(result), from: result.ranks[0], to: result.ranks[40], clock)
        #expect(abs(time - clock.departure - 240_000) < 1)
    }
}
