// Short searches for paths around a vertex that is to be removed: they make shortcuts unnecessary.
import BridgecastRoads

struct WitnessSearch: ~Copyable {
    private struct Label: BitwiseCopyable {
        var cost: Float = 0
        var stamp: UInt32 = 0
        /// The search that has the vertex as a target.
        var wanted: UInt32 = 0
        /// The last edge of the path; `none` at the start.
        var edge = ContractionGraph.none
    }

    private var labels: PlainBuffer<Label>
    private var queue = VertexQueue()
    private var stamp: UInt32 = 0
    private var wanted = 0

    init(_ vertexCount: Int) {
        labels = PlainBuffer(repeating: Label(), count: vertexCount)
    }

    mutating func begin() {
        stamp += 1
        wanted = 0
        queue.removeAll()
    }

    /// Adds a target: the search ends when it has reached all.
    mutating func addTarget(_ vertex: UInt32) {
        guard labels[vertex].wanted != stamp else { return }
        labels[vertex].wanted = stamp
        wanted += 1
    }

    /// Searches from a vertex without passing another.
    ///
    /// - Parameters:
    ///   - maxCost: Paths that cost more are ignored.
    ///   - limit: The maximum number of vertices to settle.
    ///   - sample: The sample pace of the costs.
    mutating func run(
        from start: UInt32, without avoided: UInt32, maxCost: Float, limit: Int, sample: Int,
        in graph: borrowing ContractionGraph
    ) {
        reach(start, 0, by: ContractionGraph.none)
        var settled = 0
        while let item = queue.removeFirst() {
            let label = labels[item.vertex]
            guard item.key <= label.cost else { continue }
            if label.wanted == stamp {
                labels[item.vertex].wanted = 0
                wanted -= 1
                if wanted == 0 { return }
            }
            settled += 1
            if settled > limit { return }
            var number = graph.leaving[item.vertex]
            while number != ContractionGraph.none {
                let edge = graph.edges[number]
                let cost = item.key + edge.costs[sample]
                if cost <= maxCost, edge.head != avoided {
                    let known = labels[edge.head]
                    if known.stamp != stamp || cost < known.cost {
                        reach(edge.head, cost, by: number)
                    }
                }
                number = edge.nextLeaving
            }
        }
    }

    /// The cost of the path found to a vertex, not always the least; nil if there is none.
    func cost(to vertex: UInt32) -> Float? {
        let label = labels[vertex]
        return label.stamp == stamp ? label.cost : nil
    }

    /// The times of the path found to a vertex, by pace group.
    func weights(to vertex: UInt32, in graph: borrowing ContractionGraph) -> SIMD8<Float> {
        var weights = SIMD8<Float>()
        var number = labels[vertex].edge
        while number != ContractionGraph.none {
            weights += graph.contents[number].weights
            number = labels[graph.edges[number].tail].edge
        }
        return weights
    }

    @inline(__always)
    private mutating func reach(_ vertex: UInt32, _ cost: Float, by edge: UInt32) {
        labels[vertex].cost = cost
        labels[vertex].stamp = stamp
        labels[vertex].edge = edge
        queue.insert(vertex, cost)
    }
}
