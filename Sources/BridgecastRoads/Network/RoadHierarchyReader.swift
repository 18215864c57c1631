// One mode's hierarchy of a network file: its checks, and the times of its edges, which the file does not store.
import BridgecastCore

struct RoadHierarchyReader {
    private let sections: RoadSections
    private let map: RoadMap
    private let mode: Route.Mode
    private let reluctance: Reluctance

    private struct Frame {
        let core: [UInt32]
        let vertices: [UInt32]
        let gates: [RoadHierarchy.Gate]
        let firstUp, firstDown: [UInt32]
    }

    init(_ sections: RoadSections, map: RoadMap, mode: Route.Mode, reluctance: Reluctance) {
        self.sections = sections
        self.map = map
        self.mode = mode
        self.reluctance = reluctance
    }

    /// The checked hierarchy; without hourly times it is laid out when it is first used.
    func hierarchy() throws(RoadNetworkError) -> Lazy<RoadHierarchy> {
        // In the order of the file.
        let core = try array(.core, UInt32.self)
        let vertices = try array(.vertices, UInt32.self)
        let gates = try array(.gates, RoadHierarchy.Gate.self)
        let firstUp = try array(.firstUp, UInt32.self)
        func frame(_ firstDown: [UInt32]) -> Frame {
            Frame(
                core: core, vertices: vertices, gates: gates, firstUp: firstUp,
                firstDown: firstDown)
        }
        guard mode == .car else {
            let up = try array(.upward, RoadFileFormat.Edge.self)
            let frame = frame(try array(.firstDown, UInt32.self))
            let down = try array(.downward, RoadFileFormat.Edge.self)
            let first = try check(frame, upCount: up.count, downCount: down.count)
            var edges = NarrowEdges(up: up, down: down)
            try setTimes(of: &edges, upCount: up.count, downCount: down.count, frame, core: first)
            return Lazy { [mode, edges] in
                RoadHierarchy(
                    mode: mode, firstOfCore: first, vertices: vertices, gates: gates,
                    firstUp: firstUp, upward: edges.up.indices.map(edges.edge),
                    firstDown: frame.firstDown,
                    downward: edges.down.indices.map { edges.edge(edges.up.count + $0) })
            }
        }
        // Referenced only here, so that times are set in place.
        var edges = WideEdges(up: try wide(.upward), down: [])
        let frame = frame(try array(.firstDown, UInt32.self))
        edges.down = try wide(.downward)
        let upCount = edges.up.count
        let downCount = edges.down.count
        let first = try check(frame, upCount: upCount, downCount: downCount)
        try setTimes(of: &edges, upCount: upCount, downCount: downCount, frame, core: first)
        return Lazy(
            RoadHierarchy(
                mode: mode, firstOfCore: first, vertices: vertices, gates: gates, firstUp: firstUp,
                upward: edges.up, firstDown: frame.firstDown, downward: edges.down))
    }

    /// Checks all but the edges, and returns the first vertex of the core.
    private func check(
        _ frame: Frame, upCount: Int, downCount: Int
    ) throws(RoadNetworkError) -> UInt32 {
        try check(frame.firstUp, upCount, "firstUp")
        try check(frame.firstDown, downCount, "firstDown")
        let count = frame.firstUp.count - 1
        guard frame.firstDown.count == frame.firstUp.count, frame.core.count == 1,
            let core = frame.core.first, core <= count
        else { throw refusal("core", 0, "does not fit \(count) vertices") }
        let wanted = mode == .car ? map.arcs.count : map.nodes.count
        guard frame.vertices.count == wanted else {
            throw refusal("vertices", 0, "\(frame.vertices.count) where the map has \(wanted)")
        }
        for (number, vertex) in frame.vertices.enumerated()
        where vertex >= count && vertex != RoadHierarchy.noVertex {
            throw refusal("vertices", number, "there is no vertex \(vertex)")
        }
        guard frame.gates.count <= Self.maxGates else {
            throw refusal("gates", Self.maxGates, "there are too many")
        }
        for (number, gate) in frame.gates.enumerated() {
            let isValid =
                gate.arc < map.arcs.count && gate.entry < count && gate.exit < count
                && gate.entry >= core && gate.exit >= core
                && map.arcs[Int(gate.arc)].crossing != RoadArc.noCrossing
            guard isValid else { throw refusal("gates", number, "is not a crossing of the core") }
        }
        return core
    }

    private func check(_ starts: [UInt32], _ count: Int, _ name: String) throws(RoadNetworkError) {
        guard let last = starts.last, starts[0] == 0, last == count else {
            throw refusal(name, 0, "does not fit \(count) edges")
        }
        for number in 1..<starts.count where starts[number] < starts[number - 1] {
            throw refusal(name, number, "is less than the one before")
        }
    }

    /// Some work is quadratic in the number of gates.
    private static let maxGates = 10_000

    private func array<Element: BitwiseCopyable>(
        _ section: RoadFileFormat.ModeSection, _ type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try sections.array(section.number(mode.index), "\(mode.rawValue) \(section)", of: type)
    }

    /// Edges laid out for the search, without their times.
    private func wide(
        _ section: RoadFileFormat.ModeSection
    ) throws(RoadNetworkError) -> [HierarchyEdge] {
        try sections.array(
            section.number(mode.index), "\(mode.rawValue) \(section)",
            of: RoadFileFormat.Edge.self, transform: WideEdges.unknown)
    }

    private func refusal(_ section: String, _ index: Int, _ problem: String) -> RoadNetworkError {
        .content(
            file: sections.file, section: "\(mode.rawValue) \(section)", index: index,
            problem: problem)
    }
}

// MARK: - Times

extension RoadHierarchyReader {
    /// Sets all times, by vertex: shortcuts replace edges of less important vertices only.
    @inline(__always)
    private func setTimes<Edges: StoredEdges>(
        of edges: inout Edges, upCount: Int, downCount: Int, _ frame: Frame, core: UInt32
    ) throws(RoadNetworkError) {
        let count = frame.firstUp.count - 1
        var extents = [EdgeExtent](repeating: .single, count: upCount + downCount)
        for vertex in 0..<count {
            // Edges of the vertices before this one have times.
            let known = Known(
                up: Int(frame.firstUp[vertex]), upCount: upCount,
                down: upCount + Int(frame.firstDown[vertex]))
            for number in known.up..<Int(frame.firstUp[vertex + 1]) {
                try setTime(
                    number, of: &edges, from: vertex, count: count, core: core, known: known,
                    extents: &extents)
            }
            for number in known.down..<upCount + Int(frame.firstDown[vertex + 1]) {
                try setTime(
                    number, of: &edges, from: vertex, count: count, core: core, known: known,
                    extents: &extents)
            }
        }
    }

    /// The edges that a shortcut may replace: those with times.
    private struct Known {
        let up, upCount, down: Int

        @inline(__always)
        func contains(_ edge: Int) -> Bool { edge < up || edge >= upCount && edge < down }
    }

    @inline(__always)
    private func setTime<Edges: StoredEdges>(
        _ number: Int, of edges: inout Edges, from vertex: Int, count: Int, core: UInt32,
        known: Known, extents: inout [EdgeExtent]
    ) throws(RoadNetworkError) {
        let edge = edges.stored(number)
        let isValid =
            edge.other < count && (vertex >= core ? edge.other >= core : edge.other > vertex)
        guard isValid else { throw refusal("edges", number, "does not lead upwards") }
        if let deciseconds = edge.singleDeciseconds {
            let group = try check(deciseconds, arc: edge.second, number)
            edges.set(number, to: UInt16(deciseconds), in: group)
            return
        }
        let first = Int(edge.first)
        let second = Int(edge.second)
        guard known.contains(first), known.contains(second),
            let extent = extents[first].joined(to: extents[second])
        else { throw refusal("edges", number, "replaces later edges, or too many") }
        extents[number] = extent
        guard edges.set(number, toSumOf: first, second) else {
            throw refusal(number < known.upCount ? "upward" : "downward", number, "takes too long")
        }
    }

    /// Checks the time of a single edge, and returns the pace group that it belongs to.
    @inline(__always)
    private func check(
        _ deciseconds: UInt32, arc: UInt32, _ number: Int
    ) throws(RoadNetworkError) -> Int {
        guard deciseconds <= UInt32(UInt16.max),
            arc == HierarchyEdge.noArc ? deciseconds == 0 : arc < map.arcs.count
        else { throw refusal("edges", number, "has no arc") }
        guard arc != HierarchyEdge.noArc else { return 0 }
        let arc = map.arcs[Int(arc)]
        guard Int(deciseconds) >= reluctance.deciseconds(on: arc, mode) else {
            throw refusal("edges", number, "takes less than its reluctance")
        }
        return mode == .car ? Int(arc.paceGroup.rawValue) : 0
    }
}

/// How many single edges an edge replaces, and how deep they are nested: 24 bits and 8.
private struct EdgeExtent: BitwiseCopyable {
    private let bits: UInt32

    static let single = EdgeExtent(bits: 1)

    /// Unpacking an edge recurses this deep.
    private static let maxDepth: UInt32 = 200
    /// Edges that take no time could double at every level.
    private static let maxSingles: UInt32 = 65_536

    /// That of a shortcut for two edges; nil if it is too large.
    @inline(__always)
    func joined(to other: EdgeExtent) -> EdgeExtent? {
        let singles = bits & 0xff_ffff + other.bits & 0xff_ffff
        let depth = max(bits >> 24, other.bits >> 24)
        guard depth < Self.maxDepth, singles <= Self.maxSingles else { return nil }
        return EdgeExtent(bits: (depth + 1) << 24 | singles)
    }
}

// MARK: - Layouts of edges

/// Edges that get their times one after the other; downward edges are numbered after the upward ones.
private protocol StoredEdges {
    /// An edge as it was stored, until its time is set.
    func stored(_ number: Int) -> RoadFileFormat.Edge
    /// Sets the time of a single edge, tenths of a second in a pace group.
    mutating func set(_ number: Int, to deciseconds: UInt16, in group: Int)
    /// Sets the time of a shortcut; false if it does not fit 16 bits.
    mutating func set(_ number: Int, toSumOf first: Int, _ second: Int) -> Bool
}

/// Edges laid out for the search.
private struct WideEdges: StoredEdges {
    var up, down: [HierarchyEdge]

    /// An edge without its time; `first` is as it was stored.
    @inline(__always)
    static func unknown(_ edge: RoadFileFormat.Edge) -> HierarchyEdge {
        HierarchyEdge(weights: SIMD8(), other: edge.other, first: edge.first, second: edge.second)
    }

    @inline(__always)
    private func edge(_ number: Int) -> HierarchyEdge {
        number < up.count ? up[number] : down[number - up.count]
    }

    @inline(__always)
    func stored(_ number: Int) -> RoadFileFormat.Edge {
        let edge = edge(number)
        return RoadFileFormat.Edge(other: edge.other, first: edge.first, second: edge.second)
    }

    @inline(__always)
    mutating func set(_ number: Int, to deciseconds: UInt16, in group: Int) {
        var weights = SIMD8<UInt16>()
        weights[group] = deciseconds
        if number < up.count {
            up[number].weights = weights
            up[number].first = HierarchyEdge.single
        } else {
            down[number - up.count].weights = weights
            down[number - up.count].first = HierarchyEdge.single
        }
    }

    @inline(__always)
    mutating func set(_ number: Int, toSumOf first: Int, _ second: Int) -> Bool {
        let weights = edge(first).weights
        let sum = weights &+ edge(second).weights
        if number < up.count {
            up[number].weights = sum
        } else {
            down[number - up.count].weights = sum
        }
        // A sum that overflowed is less than its terms.
        return all(sum .>= weights)
    }
}

/// Edges that take time in the first pace group only, in stored form.
private struct NarrowEdges: StoredEdges, Sendable {
    let up, down: [RoadFileFormat.Edge]
    /// Tenths of a second.
    private var deciseconds: [UInt16]

    init(up: [RoadFileFormat.Edge], down: [RoadFileFormat.Edge]) {
        self.up = up
        self.down = down
        deciseconds = [UInt16](repeating: 0, count: up.count + down.count)
    }

    @inline(__always)
    func stored(_ number: Int) -> RoadFileFormat.Edge {
        number < up.count ? up[number] : down[number - up.count]
    }

    @inline(__always)
    mutating func set(_ number: Int, to deciseconds: UInt16, in group: Int) {
        self.deciseconds[number] = deciseconds
    }

    @inline(__always)
    mutating func set(_ number: Int, toSumOf first: Int, _ second: Int) -> Bool {
        let (sum, overflow) = deciseconds[first].addingReportingOverflow(deciseconds[second])
        deciseconds[number] = sum
        return !overflow
    }

    func edge(_ number: Int) -> HierarchyEdge {
        let edge = stored(number)
        var weights = SIMD8<UInt16>()
        weights[0] = deciseconds[number]
        return HierarchyEdge(
            weights: weights, other: edge.other,
            first: edge.singleDeciseconds == nil ? edge.first : HierarchyEdge.single,
            second: edge.second)
    }
}
