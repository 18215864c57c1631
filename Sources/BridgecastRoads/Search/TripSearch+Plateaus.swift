// Stretches on which the quickest ways from the origin and to the destination agree; AlternativeSearch's material.

/// A chain of edges of the core that are on the quickest way to its end and on the quickest way on from its beginning.
///
/// The way over it is the quickest from where the search began to its last vertex, and the quickest from its first
/// vertex to the ends.
struct Plateau {
    let first, last: UInt32
    /// Seconds from the one end to the other.
    let seconds: Double
    /// Seconds from the origin over the plateau to the destination.
    let totalSeconds: Double
}

extension TripSearch {
    /// The plateaus of the last search that lie on ways of up to so many seconds, in the order of their vertices.
    ///
    /// - Precondition: The clock stands still, and everything that is as near to the ends is known
    ///   (``widen(from:)``).
    func plateaus(upTo seconds: Double) -> [Plateau] {
        var found: [Plateau] = []
        for vertex in hierarchy.firstOfCore..<UInt32(memory.labels.count) {
            let label = memory.labels[Int(vertex)]
            guard isKnown(label), label.time + Double(label.least) <= seconds,
                !isAgreed(label.lastEdge, from: label.lastVertex)
            else { continue }
            var last = vertex
            while let next = agreed(last) { last = next }
            guard last != vertex else { continue }
            found.append(
                Plateau(
                    first: vertex, last: last,
                    seconds: memory.labels[Int(last)].time - label.time,
                    totalSeconds: label.time + Double(label.least)))
        }
        return found
    }

    /// The quickest way to a vertex of the core and from there to the ends; nil if it crosses water.
    func way(through vertex: UInt32) -> (start: UInt32, edges: [UInt32], end: TripEnd)? {
        var (start, edges) = way(to: vertex)
        var place = vertex
        while memory.labels[Int(place)].nextEdge != VertexLabel.begins {
            let label = memory.labels[Int(place)]
            if label.nextEdge == VertexLabel.crosses { return nil }
            edges.append(label.nextEdge)
            place = label.nextVertex
        }
        let end = ends.filter { $0.vertex == place }.min {
            clock.arrival($0.deciseconds, $0.paceGroup, at: 0)
                < clock.arrival($1.deciseconds, $1.paceGroup, at: 0)
        }
        return end.map { (start, edges, $0) }
    }

    /// The vertex that a plateau leads to from one of the core.
    private func agreed(_ vertex: UInt32) -> UInt32? {
        let label = memory.labels[Int(vertex)]
        guard label.nextEdge < hierarchy.upward.count else { return nil }
        let next = memory.labels[Int(label.nextVertex)]
        return isKnown(next) && next.lastEdge == label.nextEdge ? label.nextVertex : nil
    }

    /// Whether an edge by which the search came is the one by which one goes on.
    private func isAgreed(_ edge: UInt32, from vertex: UInt32) -> Bool {
        guard edge < hierarchy.upward.count, vertex >= hierarchy.firstOfCore else { return false }
        let label = memory.labels[Int(vertex)]
        return isKnown(label) && label.nextEdge == edge
    }

    private func isKnown(_ label: VertexLabel) -> Bool {
        label.stamp == memory.stamp && label.leastStamp == memory.leastStamp
    }
}
