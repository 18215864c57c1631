// Vertices by time, the earliest first; used by the searches of a trip.

/// A heap of vertices; entries that were bettered stay in it and are passed over.
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
                let eldest = 4 * parent + 1
                guard eldest < items.count else { break }
                var child = eldest
                for next in eldest + 1..<max(eldest + 1, min(eldest + 4, items.count))
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
