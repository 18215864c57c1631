// What the contraction works on: the graph of vertices and edges that are left, a queue of vertices, and their memory.
import BridgecastRoads

/// A graph from which vertices are removed one by one while shortcuts are added.
struct ContractionGraph: ~Copyable {
    /// The part of an edge that searches read: half a cache line.
    struct Edge: BitwiseCopyable {
        /// Costs at the sample paces.
        let costs: SIMD4<Float>
        let tail, head: UInt32
        /// The next edges that leave the same tail, and that arrive at the same head; `none` at the end.
        var nextLeaving = none, nextArriving = none
    }

    /// The times of an edge, and the edges or the arc that it replaces.
    struct Content: BitwiseCopyable {
        /// Tenths of a second of free travel by pace group.
        var weights = SIMD8<Float>()
        /// Its two edges, or `HierarchyEdge.single` and an arc.
        var first: UInt32 = 0, second: UInt32 = 0
        var pieces: Float = 0
    }

    static let none = UInt32.max

    private(set) var edges = PlainBuffer<Edge>(filledWith: Edge(costs: SIMD4(), tail: 0, head: 0))
    /// By index of `edges`.
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
        for (index, sample) in samples.enumerated() {
            costs[index] = (content.weights * sample).sum()
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

    func edges(leaving vertex: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        var number = leaving[vertex]
        while number != Self.none {
            numbers.append(number)
            number = edges[number].nextLeaving
        }
        return numbers
    }

    func edges(arriving vertex: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        var number = arriving[vertex]
        while number != Self.none {
            numbers.append(number)
            number = edges[number].nextArriving
        }
        return numbers
    }

    /// Removes an edge from the graph; its content stays.
    mutating func withdraw(_ number: UInt32) {
        withdrawLeaving(number)
        withdrawArriving(number)
    }

    /// Removes a vertex: its neighbours lose the edges, but the vertex keeps them.
    mutating func withdraw(vertex: Int) {
        for number in edges(leaving: vertex) { withdrawArriving(number) }
        for number in edges(arriving: vertex) { withdrawLeaving(number) }
    }

    private mutating func withdrawLeaving(_ number: UInt32) {
        let edge = edges[number]
        var other = leaving[edge.tail]
        if other == number {
            leaving[edge.tail] = edge.nextLeaving
            return
        }
        while edges[other].nextLeaving != number { other = edges[other].nextLeaving }
        edges[other].nextLeaving = edge.nextLeaving
    }

    private mutating func withdrawArriving(_ number: UInt32) {
        let edge = edges[number]
        var other = arriving[edge.head]
        if other == number {
            arriving[edge.head] = edge.nextArriving
            return
        }
        while edges[other].nextArriving != number { other = edges[other].nextArriving }
        edges[other].nextArriving = edge.nextArriving
    }
}

/// An array of plain values with one owner and without reference counts; the only unsafe memory of the contraction,
/// which spends its time in a few large arrays; every access is checked against the count.
@safe struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<Element>
    private(set) var count: Int

    init(repeating value: Element, count: Int) {
        unsafe memory = .allocate(capacity: max(16, count))
        unsafe memory.initialize(repeating: value)
        self.count = count
    }

    init(filledWith value: Element) {
        self.init(repeating: value, count: 0)
    }

    deinit { unsafe memory.deallocate() }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count)
            return unsafe memory[index]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < count)
            unsafe memory[index] = newValue
        }
    }

    @inline(__always) subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        set { self[Int(index)] = newValue }
    }

    mutating func append(_ value: Element) {
        if unsafe count == memory.count {
            let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: count * 2)
            unsafe larger.initialize(repeating: value)
            _ = unsafe UnsafeMutableBufferPointer(rebasing: larger[..<count]).update(
                fromContentsOf: UnsafeBufferPointer(memory))
            unsafe memory.deallocate()
            unsafe memory = larger
        }
        count += 1
        self[count - 1] = value
    }

    mutating func removeLast() -> Element {
        let last = self[count - 1]
        count -= 1
        return last
    }

    mutating func removeAll() { count = 0 }
}

/// A binary heap of vertices, the smallest key first.
///
/// The order of equal keys follows from this algorithm, and the edges of a network file follow from that order.
struct VertexQueue: ~Copyable {
    struct Item: BitwiseCopyable {
        let key: Float
        let vertex: UInt32
    }

    private var items = PlainBuffer<Item>(filledWith: Item(key: 0, vertex: 0))

    var minKey: Float? { items.count > 0 ? items[0].key : nil }

    mutating func removeAll() { items.removeAll() }

    @inline(__always)
    mutating func insert(_ vertex: UInt32, _ key: Float) {
        let item = Item(key: key, vertex: vertex)
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) >> 1
            let above = items[parent]
            guard key < above.key else { break }
            items[child] = above
            child = parent
        }
        items[child] = item
    }

    @inline(__always)
    mutating func removeFirst() -> Item? {
        guard items.count > 0 else { return nil }
        let last = items.removeLast()
        guard items.count > 0 else { return last }
        let first = items[0]
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].key < items[child].key { child += 1 }
            let below = items[child]
            guard below.key < last.key else { break }
            items[parent] = below
            parent = child
        }
        items[parent] = last
        return first
    }
}
