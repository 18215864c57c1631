// Edges of a network file while their times are worked out: with a time for each pace group, or with one.

/// Edges whose times are worked out one after the other; downward ones count on behind the upward ones.
protocol StoredEdges {
    /// As it was stored, until its time is set.
    func stored(_ place: Int) -> RoadFileFormat.Edge
    /// Sets what a single one takes, tenths of a second in a pace group.
    mutating func set(_ place: Int, to deciseconds: UInt16, _ group: Int)
    /// Sets what one takes that stands for two; tells whether numbers of 16 bits can say it.
    mutating func set(_ place: Int, toSumOf first: Int, _ second: Int) -> Bool
}

/// Edges as the search wants them.
struct WideEdges: StoredEdges {
    var up, down: [HierarchyEdge]

    /// One whose time is not known yet; `first` is as it was stored.
    @inline(__always)
    static func unknown(_ edge: RoadFileFormat.Edge) -> HierarchyEdge {
        HierarchyEdge(weights: SIMD8(), other: edge.other, first: edge.first, second: edge.second)
    }

    @inline(__always)
    private func edge(_ place: Int) -> HierarchyEdge {
        place < up.count ? up[place] : down[place - up.count]
    }

    @inline(__always)
    func stored(_ place: Int) -> RoadFileFormat.Edge {
        let edge = edge(place)
        return RoadFileFormat.Edge(edge.other, edge.first, edge.second)
    }

    @inline(__always)
    mutating func set(_ place: Int, to deciseconds: UInt16, _ group: Int) {
        var weights = SIMD8<UInt16>()
        weights[group] = deciseconds
        if place < up.count {
            (up[place].weights, up[place].first) = (weights, HierarchyEdge.single)
        } else {
            let place = place - up.count
            (down[place].weights, down[place].first) = (weights, HierarchyEdge.single)
        }
    }

    @inline(__always)
    mutating func set(_ place: Int, toSumOf first: Int, _ second: Int) -> Bool {
        let (one, other) = (edge(first).weights, edge(second).weights)
        let sum = one &+ other
        if place < up.count {
            up[place].weights = sum
        } else {
            down[place - up.count].weights = sum
        }
        // A sum that did not fit is less than what was added up.
        return all(sum .>= one)
    }
}

/// Edges that take time in the first pace group only.
struct NarrowEdges: StoredEdges, Sendable {
    let up, down: [RoadFileFormat.Edge]
    /// Tenths of a second.
    private var deciseconds: [UInt16]

    init(up: [RoadFileFormat.Edge], down: [RoadFileFormat.Edge]) {
        (self.up, self.down) = (up, down)
        deciseconds = [UInt16](repeating: 0, count: up.count + down.count)
    }

    @inline(__always)
    func stored(_ place: Int) -> RoadFileFormat.Edge {
        place < up.count ? up[place] : down[place - up.count]
    }

    @inline(__always)
    mutating func set(_ place: Int, to deciseconds: UInt16, _ group: Int) {
        self.deciseconds[place] = deciseconds
    }

    @inline(__always)
    mutating func set(_ place: Int, toSumOf first: Int, _ second: Int) -> Bool {
        let (sum, overflow) = deciseconds[first].addingReportingOverflow(deciseconds[second])
        deciseconds[place] = sum
        return !overflow
    }

    /// One of them as the search wants it.
    func edge(_ place: Int) -> HierarchyEdge {
        let edge = stored(place)
        var weights = SIMD8<UInt16>()
        weights[0] = deciseconds[place]
        return HierarchyEdge(
            weights: weights, other: edge.other,
            first: edge.singleDeciseconds == nil ? edge.first : HierarchyEdge.single,
            second: edge.second)
    }
}
