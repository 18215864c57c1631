// The largest part of a network in which every place can be reached from every other; used by RoadImport for each mode.

/// Finds strongly connected parts (Tarjan 1972), without recursion.
enum ConnectedPart {
    /// Which vertices are in the largest part.
    ///
    /// O(vertices + edges).
    ///
    /// - Parameters:
    ///   - first: Where each vertex's edges begin in `heads`, and where the last ones end.
    static func largest(first: [Int32], heads: [Int32]) -> [Bool] {
        let count = first.count - 1
        var (index, low) = (
            [Int32](repeating: -1, count: count), [Int32](repeating: 0, count: count)
        )
        var part = [Int32](repeating: -1, count: count)
        var sizes: [Int] = []
        var (open, path, next) = ([Int32](), [Int32](), first)
        var counter: Int32 = 0
        for root in 0..<count where index[root] < 0 {
            path.append(Int32(root))
            while let vertex = path.last.map({ Int($0) }) {
                if index[vertex] < 0 {
                    (index[vertex], low[vertex]) = (counter, counter)
                    counter += 1
                    open.append(Int32(vertex))
                }
                if next[vertex] < first[vertex + 1] {
                    let head = Int(heads[Int(next[vertex])])
                    next[vertex] += 1
                    if index[head] < 0 {
                        path.append(Int32(head))
                    } else if part[head] < 0 {
                        low[vertex] = min(low[vertex], index[head])
                    }
                    continue
                }
                path.removeLast()
                if let before = path.last.map({ Int($0) }) {
                    low[before] = min(low[before], low[vertex])
                }
                if low[vertex] == index[vertex] {
                    var size = 0
                    while let last = open.popLast() {
                        part[Int(last)] = Int32(sizes.count)
                        size += 1
                        if Int(last) == vertex { break }
                    }
                    sizes.append(size)
                }
            }
        }
        let largest = sizes.indices.max { sizes[$0] < sizes[$1] } ?? -1
        return part.map { Int($0) == largest }
    }
}
