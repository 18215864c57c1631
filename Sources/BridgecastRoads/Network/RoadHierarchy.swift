// The roads of one mode prepared for searching; BridgecastRoadImport makes it.
package import BridgecastCore

/// A contraction hierarchy over one mode's roads (Geisberger, Sanders, Schultes and Delling, 2008).
///
/// Every quickest path, at any time of any day, goes first along edges to more important vertices, then within the core
/// of the most important ones, which are not contracted, and then along edges to less important ones. Vertices are
/// numbered by importance. For cars a vertex is an arc of the map and means its head, so that turns have a cost; for
/// other modes it is a node. A crossing of water, or gate, has two vertices: paths end at its entry and begin at its
/// exit, so that no path of the hierarchy passes a gate.
package final class RoadHierarchy: Sendable {
    /// The two vertices of a crossing of water.
    package struct Gate: Sendable, Equatable, BitwiseCopyable {
        package var arc: UInt32
        /// Reached once the crossing is passed.
        package var entry: UInt32
        /// Where paths continue after the crossing.
        package var exit: UInt32

        package init(arc: UInt32, entry: UInt32, exit: UInt32) {
            self.arc = arc
            self.entry = entry
            self.exit = exit
        }
    }

    package static let noVertex = UInt32.max

    package let mode: Route.Mode
    /// Vertices by arc, if `isOnArcs`, or else by node; `noVertex` where the mode is not allowed or
    /// cannot return from, and for arcs that cross water.
    package let vertices: [UInt32]
    package let gates: [Gate]
    /// Edges from vertex v to more important ones: upward[firstUp[v] ..< firstUp[v + 1]].
    package let firstUp: [UInt32]
    package let upward: [HierarchyEdge]
    /// Edges that lead to vertex v from more important ones: downward[firstDown[v] ..< firstDown[v + 1]].
    package let firstDown: [UInt32]
    package let downward: [HierarchyEdge]

    /// The vertices from this one on are the core; all edges between them are upward edges.
    package let firstOfCore: UInt32
    /// Edges that lead to vertex firstOfCore + n from others of the core.
    let coreArrivals: [CoreArrival]
    let firstCoreArrival: [UInt32]
    /// By vertex of the core: the exit of the gate of which it is the entry, and the other way round; or `noVertex`.
    let exits, entries: [UInt32]
    let workspaces = SearchWorkspacePool()

    /// An upward edge within the core, for searches backwards.
    struct CoreArrival: Sendable, BitwiseCopyable {
        let edge, tail: UInt32
    }

    package init(
        mode: Route.Mode, firstOfCore: UInt32, vertices: [UInt32], gates: [Gate], firstUp: [UInt32],
        upward: [HierarchyEdge], firstDown: [UInt32], downward: [HierarchyEdge]
    ) {
        self.mode = mode
        self.vertices = vertices
        self.gates = gates
        self.firstUp = firstUp
        self.upward = upward
        self.firstDown = firstDown
        self.downward = downward
        self.firstOfCore = firstOfCore
        let core = Int(firstOfCore)..<firstUp.count - 1
        var exits = [UInt32](repeating: Self.noVertex, count: core.count)
        var entries = exits
        for gate in gates {
            exits[Int(gate.entry - firstOfCore)] = gate.exit
            entries[Int(gate.exit - firstOfCore)] = gate.entry
        }
        self.exits = exits
        self.entries = entries
        var counts = [UInt32](repeating: 0, count: core.count + 1)
        for edge in upward[Int(firstUp[core.lowerBound])...] {
            counts[Int(edge.other) - core.lowerBound + 1] += 1
        }
        for index in 0..<core.count { counts[index + 1] += counts[index] }
        firstCoreArrival = counts
        var arrivals = [CoreArrival](
            repeating: CoreArrival(edge: 0, tail: 0), count: Int(counts[core.count]))
        for tail in core {
            for edge in firstUp[tail]..<firstUp[tail + 1] {
                let head = Int(upward[Int(edge)].other) - core.lowerBound
                arrivals[Int(counts[head])] = CoreArrival(edge: edge, tail: UInt32(tail))
                counts[head] += 1
            }
        }
        coreArrivals = arrivals
    }

    package var vertexCount: Int { firstUp.count - 1 }
    /// Whether vertices are arcs of the map, not nodes.
    package var isOnArcs: Bool { mode == .car }
}

// MARK: - Edges

extension RoadHierarchy {
    /// An edge by its number: downward edges are numbered after the upward ones.
    @inline(__always)
    func edge(_ number: UInt32) -> HierarchyEdge {
        let number = Int(number)
        return number < upward.count ? upward[number] : downward[number - upward.count]
    }

    /// Numbers of the edges from a vertex to more important ones.
    @inline(__always)
    func up(_ vertex: UInt32) -> Range<Int> {
        Int(firstUp[Int(vertex)])..<Int(firstUp[Int(vertex) + 1])
    }

    /// The same for the edges to a vertex from more important ones, without the upward ones before them.
    @inline(__always)
    func down(_ vertex: UInt32) -> Range<Int> {
        Int(firstDown[Int(vertex)])..<Int(firstDown[Int(vertex) + 1])
    }

    /// The single edges that an edge replaces, in order.
    func unpack(_ number: UInt32, into singles: inout [HierarchyEdge]) {
        let edge = edge(number)
        guard !edge.isSingle else {
            singles.append(edge)
            return
        }
        unpack(edge.first, into: &singles)
        unpack(edge.second, into: &singles)
    }

    func singles(from tail: UInt32, to head: UInt32) -> [HierarchyEdge] {
        upward[up(tail)].filter { $0.other == head && $0.isSingle }
            + downward[down(head)].filter { $0.other == tail && $0.isSingle }
    }
}

/// An edge from one vertex to another: a single piece of road, or a shortcut for two edges.
package struct HierarchyEdge: Sendable, Equatable, BitwiseCopyable {
    /// Tenths of a second of free travel by ``PaceGroup``.
    package var weights: SIMD8<UInt16>
    /// The vertex at the other end: of an upward edge its head, of a downward edge its tail.
    package var other: UInt32
    /// The number of the first edge of a shortcut, or `single`; downward edges are numbered after the upward ones.
    package var first: UInt32
    /// The second edge of a shortcut; the arc of a single edge, or `noArc`.
    package var second: UInt32
    private var unused: UInt32 = 0

    package static let single = UInt32.max
    /// A single edge that begins after a crossing of water: the crossing itself belongs to the path before.
    package static let noArc = UInt32.max

    package init(weights: SIMD8<UInt16>, other: UInt32, first: UInt32, second: UInt32) {
        self.weights = weights
        self.other = other
        self.first = first
        self.second = second
    }

    package var isSingle: Bool { first == Self.single }
}
