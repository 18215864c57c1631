// Works out what the edges of a hierarchy take, and checks them on the way; the last step of reading one.
import BridgecastCore

extension RoadHierarchyReader {
    /// Sets what every edge takes, from the first vertex to the last: those of a vertex stand for edges of less
    /// important vertices only.
    @inline(__always)
    func weigh<Edges: StoredEdges>(
        _ edges: inout Edges, upCount: Int, downCount: Int, _ frame: Frame, core: UInt32
    ) throws(RoadNetworkError) {
        let count = frame.firstUp.count - 1
        var extents = [EdgeExtent](repeating: .single, count: upCount + downCount)
        for vertex in 0..<count {
            // What stands in rows before this one is known.
            let known = Known(
                up: Int(frame.firstUp[vertex]), upCount: upCount,
                down: upCount + Int(frame.firstDown[vertex]))
            for place in known.up..<Int(frame.firstUp[vertex + 1]) {
                try weigh(place, of: &edges, from: vertex, count, known, &extents, core)
            }
            for place in known.down..<upCount + Int(frame.firstDown[vertex + 1]) {
                try weigh(place, of: &edges, from: vertex, count, known, &extents, core)
            }
        }
    }

    /// Edges that may be stood for.
    private struct Known {
        let up, upCount, down: Int

        @inline(__always)
        func contains(_ place: Int) -> Bool { place < up || place >= upCount && place < down }
    }

    @inline(__always)
    private func weigh<Edges: StoredEdges>(
        _ place: Int, of edges: inout Edges, from vertex: Int, _ count: Int, _ known: Known,
        _ extents: inout [EdgeExtent], _ core: UInt32
    ) throws(RoadNetworkError) {
        let edge = edges.stored(place)
        let isSound =
            edge.other < count && (vertex >= core ? edge.other >= core : edge.other > vertex)
        guard isSound else { throw refusal("edges", place, "leads to no vertex above") }
        if let deciseconds = edge.singleDeciseconds {
            let group = try check(deciseconds, edge.second, place)
            edges.set(place, to: UInt16(deciseconds), group)
            return
        }
        let (first, second) = (Int(edge.first), Int(edge.second))
        guard known.contains(first), known.contains(second),
            let extent = extents[first].joined(to: extents[second])
        else { throw refusal("edges", place, "stands for edges that come later, or too many") }
        extents[place] = extent
        guard edges.set(place, toSumOf: first, second) else {
            throw refusal(place < known.upCount ? "upward" : "downward", place, "takes too long")
        }
    }

    /// Checks what an edge takes that stands for one arc; the pace group in which it does.
    @inline(__always)
    private func check(
        _ deciseconds: UInt32, _ arc: UInt32, _ place: Int
    ) throws(RoadNetworkError) -> Int {
        guard deciseconds <= UInt32(UInt16.max),
            arc == HierarchyEdge.noArc ? deciseconds == 0 : arc < map.arcs.count
        else { throw refusal("edges", place, "travels no arc") }
        guard arc != HierarchyEdge.noArc else { return 0 }
        let arc = map.arcs[Int(arc)]
        guard Int(deciseconds) >= reluctance.deciseconds(on: arc, mode) else {
            throw refusal("edges", place, "takes less than its reluctance")
        }
        return mode == .car ? Int(arc.paceGroup.rawValue) : 0
    }
}

/// How many single edges an edge stands for, and how deep they lie in it: 24 bits and 8.
private struct EdgeExtent: BitwiseCopyable {
    private let bits: UInt32

    static let single = EdgeExtent(bits: 1)

    /// Edges within edges: more would take a search too deep.
    private static let deepest: UInt32 = 200
    /// Edges that take no time could double at every level.
    private static let mostSingles: UInt32 = 65_536

    /// That of an edge that stands for two; nil if it is too much.
    @inline(__always)
    func joined(to other: EdgeExtent) -> EdgeExtent? {
        let singles = bits & 0xff_ffff + other.bits & 0xff_ffff
        let depth = max(bits >> 24, other.bits >> 24)
        guard depth < Self.deepest, singles <= Self.mostSingles else { return nil }
        return EdgeExtent(bits: (depth + 1) << 24 | singles)
    }
}
