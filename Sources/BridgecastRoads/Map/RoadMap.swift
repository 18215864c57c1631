// The roads themselves as flat arrays: junctions, the pieces of road between them, their shapes and names.
// Belongs here: what is on the ground, and how long it takes when nobody else is there; not: which way is the quickest.
package import BridgecastCore

/// Junctions and the directed pieces of road between them; made by an import, read from a network file.
package struct RoadMap: Sendable {
    /// Junctions, by number.
    package var nodes: [RoadPoint] = []
    /// Directed pieces of road, in order of their tails.
    package var arcs: [RoadArc] = []
    /// Points between the ends of arcs; an arc and its twin share theirs.
    package var shapes: [RoadPoint] = []
    /// Names of roads as people there say them; number 0 is no name.
    package var names: [String] = [""]
    /// Arcs that leave node n: firstOut[n] ..< firstOut[n + 1].
    package private(set) var firstOut: [UInt32] = [0]
    /// The same for arcs that arrive: positions in `arrivals`.
    package private(set) var firstIn: [UInt32] = [0]
    /// Arcs in order of their heads.
    package private(set) var arrivals: [UInt32] = []

    /// - Precondition: Arcs are sorted by tail, and every index in them lies in its array.
    package init(nodes: [RoadPoint], arcs: [RoadArc], shapes: [RoadPoint], names: [String]) {
        (self.nodes, self.arcs, self.shapes, self.names) = (nodes, arcs, shapes, names)
        firstOut = [UInt32](repeating: 0, count: nodes.count + 1)
        firstIn = firstOut
        for arc in arcs {
            firstOut[Int(arc.tail) + 1] += 1
            firstIn[Int(arc.head) + 1] += 1
        }
        for node in nodes.indices {
            firstOut[node + 1] += firstOut[node]
            firstIn[node + 1] += firstIn[node]
        }
        arrivals = [UInt32](repeating: 0, count: arcs.count)
        var next = firstIn
        for (number, arc) in arcs.enumerated() {
            arrivals[Int(next[Int(arc.head)])] = UInt32(number)
            next[Int(arc.head)] += 1
        }
    }

    /// Arcs that leave a node.
    package func departing(_ node: Int) -> Range<Int> {
        Int(firstOut[node])..<Int(firstOut[node + 1])
    }

    /// Arcs that arrive at a node.
    package func arriving(_ node: Int) -> ArraySlice<UInt32> {
        arrivals[Int(firstIn[node])..<Int(firstIn[node + 1])]
    }

    /// All points of an arc, from its tail to its head.
    package func line(_ arc: Int) -> [GeoPoint] {
        let arc = arcs[arc]
        let between = shapes[Int(arc.shape)..<Int(arc.shape) + Int(arc.shapeCount)].map(\.geoPoint)
        return [nodes[Int(arc.tail)].geoPoint]
            + (arc.flags.contains(.shapeReversed) ? between.reversed() : between)
            + [nodes[Int(arc.head)].geoPoint]
    }
}
