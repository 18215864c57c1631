// Contraction and pace windows on random roads.
import BridgecastCore
import Testing
@testable import BridgecastRoadImport
@testable import BridgecastRoads

@Suite struct ContractionTests {
    private func hierarchy(_ result: Contraction.Result) -> RoadHierarchy {
        RoadHierarchy(
            mode: .car, firstOfCore: result.firstOfCore, vertices: result.ranks, gates: [],
            firstUp: result.firstUp, upward: result.upward, firstDown: result.firstDown,
            downward: result.downward)
    }

    /// A time of a Friday or a Saturday.
    private func timestamp(with dice: inout Dice) -> Timestamp {
        Timestamp(secondsSinceEpoch: 1_790_319_600 + Int64.random(in: 0..<172_800, using: &dice))
    }

    /// The arrival at the end of an edge: each single piece at the pace of its time.
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
    func `prepared roads are as quick as unprepared ones at every departure`(wildness: Float) throws
    {
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
                let clock = TripClock(timestamp(with: &dice), roads.paces)
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

    @Test func `edges unpack to the roads that they replace`() throws {
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

    @Test func `links too long for an edge are refused, longer paths stay in pieces`() throws {
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

@Suite struct PaceWindowsTests {
    /// Stretches of a way in order.
    private typealias Way = [(group: PaceGroup, deciseconds: Double)]

    private func weights(_ way: Way) -> SIMD8<Float> {
        way.reduce(into: SIMD8()) { $0[Int($1.group.rawValue)] += Float($1.deciseconds) }
    }

    private func way(_ groups: [PaceGroup], upTo longest: Double, with dice: inout Dice) -> Way {
        (0..<Int.random(in: 1...5, using: &dice)).map { _ in
            (
                groups.randomElement(using: &dice) ?? .local,
                Double.random(in: 1...longest, using: &dice).rounded()
            )
        }
    }

    private func arrival(_ way: Way, _ clock: TripClock) -> Double {
        way.reduce(clock.departure) { clock.arrival($1.deciseconds, $1.group, at: $0) }
    }

    /// A time of a Friday or a Saturday, mostly shortly before pace changes.
    private func timestamp(with dice: inout Dice) -> Timestamp {
        let quarter = Int64.random(in: 1...192, using: &dice)
        let before = Int64.random(in: 0...900, using: &dice)
        return Timestamp(secondsSinceEpoch: 1_790_319_600 + quarter * 900 - before)
    }

    @Test(arguments: [Float(0.005), 0.03, 0.3], [200.0, 3_000, 20_000])
    func `never slower holds at every departure`(wildness: Float, longest: Double) {
        var dice = Dice(UInt64(wildness * 1_000) + UInt64(longest))
        var agreed = 0
        var slower = 0
        for _ in 0..<8 {
            let paces = RandomRoads.paces(wildness, with: &dice)
            var windows = PaceWindows(paces)
            let clocks = (0..<40).map { _ in TripClock(timestamp(with: &dice), paces) }
            for _ in 0..<200 {
                let groups = Array(PaceGroup.allCases.shuffled(using: &dice).prefix(3))
                let way = way(groups, upTo: longest, with: &dice)
                let other =
                    Bool.random(using: &dice)
                    ? self.way(groups, upTo: longest * 2, with: &dice)
                    : way.map { ($0.group, ($0.deciseconds * 1.2).rounded()) }.shuffled(
                        using: &dice)
                guard windows.isNeverSlower(weights(way), than: weights(other)) else { continue }
                agreed += 1
                for clock in clocks {
                    slower += arrival(way, clock) > arrival(other, clock) + 1e-6 ? 1 : 0
                }
            }
        }
        #expect(slower == 0)
        #expect(agreed > 50)
    }

    private func isNeverSlower(_ way: Way, than other: Way, _ paces: PaceTable) -> Bool {
        var windows = PaceWindows(paces)
        return windows.isNeverSlower(weights(way), than: weights(other))
    }

    @Test func `a path on one kind of road is never slower than one with more of it`() {
        var dice = Dice(3)
        let paces = RandomRoads.paces(0.5, with: &dice)
        let way: Way = [(.local, 600)]
        let longer: Way = [(.arterialAcross, 10), (.local, 600)]
        #expect(isNeverSlower(way, than: longer, paces))
        #expect(!isNeverSlower(longer, than: way, paces))
        #expect(!isNeverSlower(way, than: [(.local, 599)], paces))
    }

    @Test func `one slower quarter of an hour is enough to decide no`() {
        var rows = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 2 * PaceTable.slotsPerDay)
        let (way, other): (Way, Way) = ([(.freewayInbound, 900)], [(.local, 1_000)])
        #expect(isNeverSlower(way, than: other, PaceTable(rows: rows)))
        rows[131][Int(PaceGroup.freewayInbound.rawValue)] = 1.2
        #expect(!isNeverSlower(way, than: other, PaceTable(rows: rows)))
    }
}

/// A seeded source of chance: the same tests every time.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 31)) &* 0xBF58_476D_1CE4_E5B9
    }
}

/// A random graph whose edges take as long as the hour says.
struct RandomRoads {
    var links: [Contraction.Link] = []
    let vertexCount: Int
    let paces: PaceTable

    /// - Parameter wildness: How far paces are apart.
    init(_ vertexCount: Int, wildness: Float, with dice: inout Dice) {
        self.vertexCount = vertexCount
        paces = Self.paces(wildness, with: &dice)
        for from in 0..<vertexCount {
            for _ in 0..<2 {
                let to = (from + Int.random(in: 1...5, using: &dice)) % vertexCount
                let isBack = Bool.random(using: &dice)
                links.append(
                    Contraction.Link(
                        from: UInt32(isBack ? to : from), to: UInt32(isBack ? from : to),
                        deciseconds: Int.random(in: 1...4_000, using: &dice),
                        paceGroup: PaceGroup.allCases[..<3].randomElement(using: &dice) ?? .local,
                        arc: UInt32(links.count)))
            }
        }
    }

    /// Paces that wander from quarter to quarter, each group its own way, and leap now and then.
    static func paces(_ wildness: Float, with dice: inout Dice) -> PaceTable {
        var row = SIMD8<Float>(repeating: 1)
        return PaceTable(
            rows: (0..<2 * PaceTable.slotsPerDay).map { _ in
                for lane in 0..<8 {
                    row[lane] *= Float.random(in: 1 / (1 + wildness)...1 + wildness, using: &dice)
                    if Int.random(in: 0..<60, using: &dice) == 0 {
                        row[lane] = Float.random(in: 0.5...4, using: &dice)
                    }
                }
                row = pointwiseMin(pointwiseMax(row, SIMD8(repeating: 0.5)), SIMD8(repeating: 8))
                return row
            })
    }

    /// When one is at every vertex who leaves one at a time: Dijkstra's algorithm, link by link.
    func times(from start: UInt32, _ clock: TripClock) -> [Double] {
        var times = [Double](repeating: .infinity, count: vertexCount)
        times[Int(start)] = clock.departure
        var open = Set(0..<vertexCount)
        while let vertex = open.min(by: { times[$0] < times[$1] }), times[vertex].isFinite {
            open.remove(vertex)
            for link in links where link.from == vertex {
                let time = clock.arrival(
                    Double(link.deciseconds), link.paceGroup, at: times[vertex])
                times[Int(link.to)] = min(times[Int(link.to)], time)
            }
        }
        return times
    }
}
