// Looks for ways around a vertex that is to be taken out; used by Contraction.
import BridgecastRoads

/// A short search for ways that make shortcuts needless.
struct WitnessSearch: ~Copyable {
    private struct Label: BitwiseCopyable {
        var cost: Float = 0
        /// Of the search that wrote it.
        var stamp: UInt32 = 0
        /// Of the search that wants to get here.
        var wanted: UInt32 = 0
        /// The last edge of the way; none where the search began.
        var edge = ContractionGraph.none
    }

    private struct Item: BitwiseCopyable {
        let cost: Float
        let vertex: UInt32
    }

    private var labels: PlainBuffer<Label>
    private var queue = PlainBuffer<Item>(filledWith: Item(cost: 0, vertex: 0))
    private var stamp: UInt32 = 0
    private var wanted = 0

    init(_ vertexCount: Int) {
        labels = PlainBuffer(repeating: Label(), count: vertexCount)
    }

    /// Begins a search.
    mutating func begin() {
        stamp += 1
        wanted = 0
        queue.removeAll()
    }

    /// Has the search get to a vertex.
    mutating func want(_ vertex: UInt32) {
        guard labels[vertex].wanted != stamp else { return }
        labels[vertex].wanted = stamp
        wanted += 1
    }

    /// Searches from a vertex without passing another.
    ///
    /// - Parameters:
    ///   - most: Ways that cost more are not wanted.
    ///   - limit: Vertices looked at, at most.
    ///   - sample: The sample pace that costs go by.
    mutating func run(
        from start: UInt32, without avoided: UInt32, most: Float, limit: Int, sample: Int,
        in graph: borrowing ContractionGraph
    ) {
        reach(start, 0, by: ContractionGraph.none)
        var looked = 0
        while let item = pop() {
            let label = labels[item.vertex]
            guard item.cost <= label.cost else { continue }
            if label.wanted == stamp {
                labels[item.vertex].wanted = 0
                wanted -= 1
                if wanted == 0 { return }
            }
            looked += 1
            if looked > limit { return }
            var number = graph.leaving[item.vertex]
            while number != ContractionGraph.none {
                let edge = graph.edges[number]
                let cost = item.cost + edge.costs[sample]
                if cost <= most, edge.head != avoided {
                    let known = labels[edge.head]
                    if known.stamp != stamp || cost < known.cost {
                        reach(edge.head, cost, by: number)
                    }
                }
                number = edge.nextLeaving
            }
        }
    }

    /// What the way found to a vertex costs; nil if there is none.
    ///
    /// A way that the search had no time to better is one, too.
    func cost(to vertex: UInt32) -> Float? {
        let label = labels[vertex]
        return label.stamp == stamp ? label.cost : nil
    }

    /// What the way found to a vertex takes.
    func way(to vertex: UInt32, in graph: borrowing ContractionGraph) -> SIMD8<Float> {
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
        let item = Item(cost: cost, vertex: vertex)
        queue.append(item)
        var child = queue.count - 1
        while child > 0 {
            let parent = (child - 1) >> 1
            let above = queue[parent]
            guard item.cost < above.cost else { break }
            queue[child] = above
            child = parent
        }
        queue[child] = item
    }

    @inline(__always)
    private mutating func pop() -> Item? {
        guard queue.count > 0 else { return nil }
        let last = queue.removeLast()
        guard queue.count > 0 else { return last }
        let first = queue[0]
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < queue.count else { break }
            if child + 1 < queue.count, queue[child + 1].cost < queue[child].cost { child += 1 }
            let below = queue[child]
            guard below.cost < last.cost else { break }
            queue[parent] = below
            parent = child
        }
        queue[parent] = last
        return first
    }
}
