// From contracted vertices to the edges of a hierarchy; the last step of Contraction.
package import BridgecastRoads

extension Contraction {
    /// What comes of it: vertices numbered by importance.
    package struct Result: Sendable {
        /// New number of each vertex.
        package var ranks: [UInt32] = []
        /// Vertices from this number on are the core.
        package var firstOfCore: UInt32 = 0
        package var firstUp: [UInt32] = [0]
        package var upward: [HierarchyEdge] = []
        package var firstDown: [UInt32] = [0]
        package var downward: [HierarchyEdge] = []
    }

    /// Edges in order of the vertex that went first.
    func result() -> Result {
        var result = Result()
        result.ranks = Array(repeating: 0, count: vertexCount)
        // What is left is the core: every edge of it leads upward, and none downward.
        let core = Set(order)
        let contracted = order.count
        result.firstOfCore = UInt32(contracted)
        let order = order + (0..<UInt32(vertexCount)).filter { !core.contains($0) }
        for (rank, vertex) in order.enumerated() { result.ranks[Int(vertex)] = UInt32(rank) }
        let upCount = order.reduce(0) { $0 + graph.edges(leaving: Int($1)).count }
        var places = [UInt32](repeating: 0, count: graph.edges.count)
        var next = (up: UInt32(0), down: UInt32(upCount))
        for (rank, vertex) in order.enumerated() {
            for number in graph.edges(leaving: Int(vertex)) {
                places[Int(number)] = next.up
                next.up += 1
            }
            for number in graph.edges(arriving: Int(vertex)) where rank < contracted {
                places[Int(number)] = next.down
                next.down += 1
            }
        }
        func edge(_ number: UInt32, other: UInt32) -> HierarchyEdge {
            let edge = graph.contents[number]
            let isSingle = edge.first == HierarchyEdge.single
            return HierarchyEdge(
                weights: SIMD8<UInt16>(edge.weights), other: result.ranks[Int(other)],
                first: isSingle ? edge.first : places[Int(edge.first)],
                second: isSingle ? edge.second : places[Int(edge.second)])
        }
        for (rank, vertex) in order.enumerated() {
            for number in graph.edges(leaving: Int(vertex)) {
                result.upward.append(edge(number, other: graph.edges[number].head))
            }
            for number in graph.edges(arriving: Int(vertex)) where rank < contracted {
                result.downward.append(edge(number, other: graph.edges[number].tail))
            }
            result.firstUp.append(UInt32(result.upward.count))
            result.firstDown.append(UInt32(result.downward.count))
        }
        return result
    }
}
