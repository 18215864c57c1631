// The memory that the loops of TripSearch work on: labels, heaps, and a hierarchy and a clock as plain pointers.
import Synchronization

/// Pointers that are valid during one call of ``TripSearch``; every index comes from the hierarchy, whose reader has
/// checked it.
@safe struct SearchTables {
    let labels: UnsafeMutablePointer<VertexLabel>
    let firstUp, firstDown: UnsafePointer<UInt32>
    let upward, downward: UnsafePointer<HierarchyEdge>
    let upCount: UInt32
    let firstOfCore: UInt32
    let clock: TripClock.Rows
    let best: SIMD8<Float>

    @inline(__always)
    subscript(vertex: UInt32) -> UnsafeMutablePointer<VertexLabel> {
        unsafe labels + Int(vertex)
    }

    @inline(__always)
    func up(_ vertex: UInt32) -> Range<Int> {
        unsafe Int(firstUp[Int(vertex)])..<Int(firstUp[Int(vertex) + 1])
    }

    @inline(__always)
    func down(_ vertex: UInt32) -> Range<Int> {
        unsafe Int(firstDown[Int(vertex)])..<Int(firstDown[Int(vertex) + 1])
    }

    /// A lower bound of the time of an edge, seconds.
    @inline(__always)
    func minSeconds(_ edge: UnsafePointer<HierarchyEdge>) -> Float {
        let each = unsafe SIMD8<Float>(truncating: edge.pointee.weights) * best
        let four = each.lowHalf + each.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// The arrival at the end of an edge entered at a time, if that is before `latest`; or else some time not before it.
    @inline(__always)
    func arrival(
        _ edge: UnsafePointer<HierarchyEdge>, at time: Double, before latest: Double
    ) -> Double {
        let (arrival, isExact) = unsafe clock.arrival(edge.pointee.weights, at: time)
        if isExact || arrival >= latest { return arrival }
        return unsafe slowArrival(edge.pointee, at: time)
    }

    /// Pace changes along the edge: each single edge at its own pace.
    @inline(never)
    private func slowArrival(_ edge: HierarchyEdge, at time: Double) -> Double {
        guard edge.isSingle else {
            let between = unsafe arrival(pointer(edge.first), at: time, before: .infinity)
            return unsafe arrival(pointer(edge.second), at: between, before: .infinity)
        }
        for lane in 0..<8 where edge.weights[lane] > 0 {
            return clock.arrival(Double(edge.weights[lane]), lane, at: time)
        }
        return time
    }

    @inline(__always)
    func pointer(_ edge: UInt32) -> UnsafePointer<HierarchyEdge> {
        unsafe edge < upCount ? upward + Int(edge) : downward + Int(edge - upCount)
    }
}

extension SIMD8<Float> {
    /// Numbers of 16 bits, without a check of their sign.
    @inline(__always)
    fileprivate init(truncating weights: SIMD8<UInt16>) {
        self = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: weights))
    }
}

/// What a search knows about a vertex: the arrival there, and a lower bound of the rest.
struct VertexLabel: BitwiseCopyable {
    /// The arrival at the vertex, valid if `stamp` is that of the search.
    var time = 0.0
    var stamp: UInt32 = 0
    /// The edge that the path arrives by, or ``begins`` or ``crosses``.
    var lastEdge = begins
    /// The vertex before.
    var lastVertex = begins
    /// A lower bound of the seconds to the destination, valid if `boundStamp` is that of the trip.
    var bound: Float = .infinity
    var boundStamp: UInt32 = 0
    /// The edge that the path of the bound continues by.
    var nextEdge = begins
    /// The vertex after.
    var nextVertex = begins

    /// No edge: a search began here.
    static let begins = UInt32.max
    /// From the entry of a gate to its exit.
    static let crosses = UInt32.max - 1
}

struct SearchWorkspace: Sendable {
    var labels: [VertexLabel]
    var heap = VertexHeap()
    var boundHeap = VertexHeap()
    /// Counts searches.
    var stamp: UInt32 = 0
    /// Counts trips.
    var boundStamp: UInt32 = 0

    init(vertexCount: Int) {
        labels = Array(repeating: VertexLabel(), count: vertexCount)
    }

    /// Clears the labels before stamps overflow.
    mutating func clearIfNeeded() {
        guard max(stamp, boundStamp) > UInt32.max - 1_000_000 else { return }
        self = SearchWorkspace(vertexCount: labels.count)
    }
}

/// Workspaces to reuse; keeps four at most.
final class SearchWorkspacePool: Sendable {
    private let idle = Mutex<[SearchWorkspace]>([])

    func borrow(vertexCount: Int) -> SearchWorkspace {
        var workspace = idle.withLock { $0.popLast() } ?? SearchWorkspace(vertexCount: vertexCount)
        workspace.clearIfNeeded()
        return workspace
    }

    func giveBack(_ workspace: SearchWorkspace) {
        idle.withLock { if $0.count < 4 { $0.append(workspace) } }
    }
}

/// A 4-ary heap of vertices by key; superseded entries stay in it, and searches skip them.
struct VertexHeap: Sendable {
    struct Item: BitwiseCopyable {
        let key: Double
        let vertex: UInt32
    }

    private var items: [Item] = []

    var first: Item? { items.first }

    mutating func removeAll() { items.removeAll(keepingCapacity: true) }

    mutating func insert(_ vertex: UInt32, _ key: Double) {
        let item = Item(key: key, vertex: vertex)
        items.append(item)
        unsafe items.withUnsafeMutableBufferPointer { items in
            var child = items.count - 1
            while child > 0 {
                let parent = (child - 1) >> 2
                guard unsafe key < items[parent].key else { break }
                unsafe items[child] = items[parent]
                child = parent
            }
            unsafe items[child] = item
        }
    }

    @discardableResult
    mutating func removeFirst() -> Item? {
        guard let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return last }
        return unsafe items.withUnsafeMutableBufferPointer { items in
            let first = unsafe items[0]
            var parent = 0
            while true {
                let firstChild = 4 * parent + 1
                guard firstChild < items.count else { break }
                var child = firstChild
                for next in firstChild + 1..<max(firstChild + 1, min(firstChild + 4, items.count))
                where unsafe items[next].key < items[child].key {
                    child = next
                }
                guard unsafe items[child].key < last.key else { break }
                unsafe items[parent] = items[child]
                parent = child
            }
            unsafe items[parent] = last
            return first
        }
    }
}
