// Memory of searches, which serves one trip after another; lent by a hierarchy, used by TripSearch.

/// Labels of all vertices and the heap of a search.
struct SearchMemory: Sendable {
    var labels: [VertexLabel]
    var heap = VertexHeap()
    var leastHeap = VertexHeap()
    /// Of the last search, and of the last trip.
    var stamp: UInt32 = 0
    var leastStamp: UInt32 = 0

    init(vertexCount: Int) {
        labels = Array(repeating: VertexLabel(), count: vertexCount)
    }

    /// Forgets everything before stamps run out.
    mutating func renew() {
        guard max(stamp, leastStamp) > UInt32.max - 1_000_000 else { return }
        self = SearchMemory(vertexCount: labels.count)
    }
}
