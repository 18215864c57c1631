// Brings rows together that belong together: the points of a shape, the stops of a trip, wherever they stand in the
// file. Used by the readers of shapes and stop times.

/// Which rows belong to which group, and in which order.
struct RowGrouping {
    /// By group, where its rows begin; one more than groups.
    private(set) var starts: [UInt32]
    /// By place, the row that belongs there; nil if all rows stand where they belong.
    private(set) var order: [UInt32]?

    /// A stretch of rows of one group.
    struct Stretch {
        var group: Int32
        var firstRow: UInt32
    }

    /// Groups rows; within a group in the order of their sequence numbers, then of the file.
    ///
    /// O(rows) if they are in order within groups.
    init(_ stretches: [Stretch], groups: Int, sequences: [UInt32]) {
        starts = [UInt32](repeating: 0, count: groups + 1)
        let ends = stretches.dropFirst().map(\.firstRow) + [UInt32(sequences.count)]
        for (stretch, end) in zip(stretches, ends) {
            starts[Int(stretch.group) + 1] += end - stretch.firstRow
        }
        for group in 0..<groups { starts[group + 1] += starts[group] }
        let areGroupsInOrder = zip(stretches, stretches.dropFirst()).allSatisfy {
            $0.group < $1.group
        }
        if !areGroupsInOrder { order = Self.order(stretches, Array(ends), starts, sequences.count) }
        sortWithin(sequences)
    }

    private static func order(
        _ stretches: [Stretch], _ ends: [UInt32], _ starts: [UInt32], _ rows: Int
    ) -> [UInt32] {
        var (next, order) = (starts, [UInt32](repeating: 0, count: rows))
        for (stretch, end) in zip(stretches, ends) {
            var place = next[Int(stretch.group)]
            for row in stretch.firstRow..<end {
                order[Int(place)] = row
                place += 1
            }
            next[Int(stretch.group)] = place
        }
        return order
    }

    /// Sorts the groups that are not in order.
    private mutating func sortWithin(_ sequences: [UInt32]) {
        for group in 0..<starts.count - 1 {
            let range = Int(starts[group])..<Int(starts[group + 1])
            guard !isSorted(range, sequences) else { continue }
            var rows = order ?? (0..<UInt32(sequences.count)).map { $0 }
            order = nil
            rows[range].sort { (sequences[Int($0)], $0) < (sequences[Int($1)], $1) }
            order = rows
        }
    }

    private func isSorted(_ range: Range<Int>, _ sequences: [UInt32]) -> Bool {
        var before: UInt32 = 0
        for place in range {
            let sequence = sequences[row(at: place)]
            guard sequence >= before else { return false }
            before = sequence
        }
        return true
    }

    /// The row of the file that belongs at a place.
    @inline(__always)
    func row(at place: Int) -> Int { order.map { Int($0[place]) } ?? place }

    /// Brings a column into order; an empty one stays empty.
    func apply<Value>(_ column: inout [Value]) {
        guard let order, !column.isEmpty else { return }
        column = order.map { column[Int($0)] }
    }
}
