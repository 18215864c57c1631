// The roads of one mode prepared for searching: vertices in order of importance, with edges that skip the less important.
// Belongs here: what preparing gives and how it is searched; not: crossings of water in a row, which Search is about.
package import BridgecastCore

/// A contraction hierarchy over one mode's roads (Geisberger, Sanders, Schultes and Delling, 2008).
///
/// Every quickest way, at any time of any day, goes first along edges to more important vertices, then within the core
/// of the most important ones, which are left as they are, and then along edges to less important ones. Vertices are numbered by importance. For cars a vertex is an arc of the map, at whose
/// head one is, so that turns have their price; for others it is a node. A crossing of water has two vertices of its
/// own: one where ways end, and one where they go on, so that no way passes through.
package final class RoadHierarchy: Sendable {
    /// Vertices of a crossing of water.
    package struct Gate: Sendable, Equatable, BitwiseCopyable {
        /// The arc that crosses.
        package var arc: UInt32
        /// Reached when the crossing is behind one.
        package var entry: UInt32
        /// Where ways begin that have crossed.
        package var exit: UInt32

        package init(arc: UInt32, entry: UInt32, exit: UInt32) {
            (self.arc, self.entry, self.exit) = (arc, entry, exit)
        }
    }

    package static let noVertex = UInt32.max

    package let mode: Route.Mode
    /// Vertices by arc, if `isOnArcs`, or else by node; `noVertex` where the mode may not go or cannot come back
    /// from.
    ///
    /// Arcs that cross water have none.
    package let vertices: [UInt32]
    package let gates: [Gate]
    /// Edges from vertex v to more important ones: upward[firstUp[v] ..< firstUp[v + 1]].
    package let firstUp: [UInt32]
    package let upward: [HierarchyEdge]
    /// Edges that lead to vertex v from more important ones: downward[firstDown[v] ..< firstDown[v + 1]].
    package let firstDown: [UInt32]
    package let downward: [HierarchyEdge]

    /// Vertices from this one on are the core: all edges between them count as upward.
    package let firstOfCore: UInt32
    /// Edges that lead to vertex firstOfCore + n from others of the core: numbers and tails.
    let coreArrivals: [CoreArrival]
    let firstCoreArrival: [UInt32]
    /// By vertex of the core: where one goes on from a gate's entry, and where one comes from to its exit.
    let exits, entries: [UInt32]
    let memories = SearchMemories()

    /// An upward edge within the core, for those who look backwards.
    struct CoreArrival: Sendable, BitwiseCopyable {
        let edge, tail: UInt32
    }

    package init(
        mode: Route.Mode, firstOfCore: UInt32, vertices: [UInt32], gates: [Gate], firstUp: [UInt32],
        upward: [HierarchyEdge], firstDown: [UInt32], downward: [HierarchyEdge]
    ) {
        (self.mode, self.vertices, self.gates) = (mode, vertices, gates)
        (self.firstUp, self.upward) = (firstUp, upward)
        (self.firstDown, self.downward) = (firstDown, downward)
        self.firstOfCore = firstOfCore
        let core = Int(firstOfCore)..<firstUp.count - 1
        var (exits, entries) = (
            [UInt32](repeating: Self.noVertex, count: core.count),
            [UInt32](repeating: Self.noVertex, count: core.count)
        )
        for gate in gates {
            exits[Int(gate.entry - firstOfCore)] = gate.exit
            entries[Int(gate.exit - firstOfCore)] = gate.entry
        }
        (self.exits, self.entries) = (exits, entries)
        var counts = [UInt32](repeating: 0, count: core.count + 1)
        for edge in upward[Int(firstUp[core.lowerBound])...] {
            counts[Int(edge.other) - core.lowerBound + 1] += 1
        }
        for place in 0..<core.count { counts[place + 1] += counts[place] }
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
    /// Whether vertices are arcs, not nodes.
    package var isOnArcs: Bool { mode == .car }
}
