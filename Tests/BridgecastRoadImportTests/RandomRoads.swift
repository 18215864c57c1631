// Small random graphs and paces, and the plain search that the prepared one must agree with; for tests of the contraction.
@testable import BridgecastRoadImport
@testable import BridgecastRoads

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
