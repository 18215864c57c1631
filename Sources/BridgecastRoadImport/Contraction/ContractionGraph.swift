// What is contracted: vertices and edges that have not been taken out yet.
import BridgecastRoads

/// A graph from which vertices are taken out one by one, while shortcuts come in.
struct ContractionGraph: ~Copyable {
    /// What searches look at: half a cache line.
    struct Edge: BitwiseCopyable {
        /// At each of the sample paces.
        let costs: SIMD4<Float>
        let tail, head: UInt32
        /// The next edges that leave the same tail, and that arrive at the same head; `none` at the end.
        var nextLeaving = none, nextArriving = none
    }

    /// What an edge stands for.
    struct Content: BitwiseCopyable {
        /// Tenths of a second of free travel by pace group.
        var weights = SIMD8<Float>()
        /// Its two edges, or ``HierarchyEdge/single`` and an arc.
        var first: UInt32 = 0, second: UInt32 = 0
        /// How many pieces of road.
        var pieces: Float = 0
    }

    static let none = UInt32.max

    private(set) var edges = PlainBuffer<Edge>(filledWith: Edge(costs: SIMD4(), tail: 0, head: 0))
    /// By the numbers of `edges`.
    private(set) var contents = PlainBuffer<Content>(filledWith: Content())
    /// The first edge that leaves, and that arrives at, each vertex.
    private(set) var leaving: PlainBuffer<UInt32>
    private(set) var arriving: PlainBuffer<UInt32>
    private let samples: [SIMD8<Float>]

    init(_ vertexCount: Int, samples: [SIMD8<Float>]) {
        leaving = PlainBuffer(repeating: Self.none, count: vertexCount)
        arriving = PlainBuffer(repeating: Self.none, count: vertexCount)
        self.samples = samples
    }

    mutating func add(from tail: UInt32, to head: UInt32, _ content: Content) {
        var costs = SIMD4<Float>()
        for (place, sample) in samples.enumerated() {
            costs[place] = (content.weights * sample).sum()
        }
        let number = UInt32(edges.count)
        edges.append(
            Edge(
                costs: costs, tail: tail, head: head, nextLeaving: leaving[tail],
                nextArriving: arriving[head]))
        contents.append(content)
        leaving[tail] = number
        arriving[head] = number
    }

    /// Edges that leave a vertex.
    func edges(leaving vertex: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        var number = leaving[vertex]
        while number != Self.none {
            numbers.append(number)
            number = edges[number].nextLeaving
        }
        return numbers
    }

    /// Edges that arrive at a vertex.
    func edges(arriving vertex: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        var number = arriving[vertex]
        while number != Self.none {
            numbers.append(number)
            number = edges[number].nextArriving
        }
        return numbers
    }

    /// Takes an edge out of what is searched; its content stays.
    mutating func withdraw(_ number: UInt32) {
        withdrawLeaving(number)
        withdrawArriving(number)
    }

    /// Takes a vertex out: its edges stay its own, its neighbours forget it.
    mutating func withdraw(vertex: Int) {
        for number in edges(leaving: vertex) { withdrawArriving(number) }
        for number in edges(arriving: vertex) { withdrawLeaving(number) }
    }

    private mutating func withdrawLeaving(_ number: UInt32) {
        let edge = edges[number]
        var place = leaving[edge.tail]
        if place == number {
            leaving[edge.tail] = edge.nextLeaving
            return
        }
        while edges[place].nextLeaving != number { place = edges[place].nextLeaving }
        edges[place].nextLeaving = edge.nextLeaving
    }

    private mutating func withdrawArriving(_ number: UInt32) {
        let edge = edges[number]
        var place = arriving[edge.head]
        if place == number {
            arriving[edge.head] = edge.nextArriving
            return
        }
        while edges[place].nextArriving != number { place = edges[place].nextArriving }
        edges[place].nextArriving = edge.nextArriving
    }
}
