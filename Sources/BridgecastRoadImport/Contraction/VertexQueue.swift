// Vertices by importance, the least first; used by Contraction.

/// A heap of vertices.
struct VertexQueue {
    private var items: [(importance: Float, vertex: Int)] = []

    init(_ count: Int) { items.reserveCapacity(count) }

    var leastImportance: Float? { items.first?.importance }

    mutating func push(_ importance: Float, _ vertex: Int) {
        items.append((importance, vertex))
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) >> 1
            guard items[child].importance < items[parent].importance else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> (importance: Float, vertex: Int)? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].importance < items[child].importance {
                child += 1
            }
            guard items[child].importance < last.importance else { break }
            items[parent] = items[child]
            parent = child
        }
        items[parent] = last
        return first
    }
}
