// Edges of a hierarchy by their number, and what they stand for; used by the search.

extension RoadHierarchy {
    /// An edge by its number: downward edges count on behind the upward ones.
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

    /// The single edges that an edge stands for, in order.
    func unpack(_ number: UInt32, into singles: inout [HierarchyEdge]) {
        let edge = edge(number)
        guard !edge.isSingle else {
            singles.append(edge)
            return
        }
        unpack(edge.first, into: &singles)
        unpack(edge.second, into: &singles)
    }

    /// Edges from a vertex to another that stand for one piece of road.
    func singles(from tail: UInt32, to head: UInt32) -> [HierarchyEdge] {
        upward[up(tail)].filter { $0.other == head && $0.isSingle }
            + downward[down(head)].filter { $0.other == tail && $0.isSingle }
    }
}
