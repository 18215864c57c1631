// Sums of gradients, curvatures and rows by column and bin: what TreeGrower looks for cuts in.

/// The rows that one tree sees: their bins in the columns that it may cut, side by side, and their slopes.
struct SlopeTable {
    /// Gradient, curvature, 1 for the row itself, and nothing.
    typealias Slope = SIMD4<Float>

    /// [column of the tree, row], numbered from 0 for the rows that the tree sees.
    private let bins: [UInt8]
    let slopes: [Slope]
    /// Where each column's bins begin in a histogram, and the end of the last.
    let starts: [Int]

    init(_ inputs: BinnedColumns, columns: [Int], rows: [Int32], slopes: [Slope]) {
        precondition(rows.count == slopes.count)
        precondition(rows.allSatisfy { (0..<inputs.rowCount).contains(Int($0)) })
        self.slopes = slopes
        var starts = [0]
        // Bins up to the number of cuts, and that of NaN, which follows here at once.
        for column in columns {
            starts.append(starts[starts.count - 1] + inputs.cuts[column].count + 2)
        }
        self.starts = starts
        bins = unsafe Array(unsafeUninitializedCapacity: columns.count * rows.count) {
            target, count in
            unsafe inputs.bins.withUnsafeBufferPointer { source in
                unsafe rows.withUnsafeBufferPointer { rows in
                    for (place, column) in columns.enumerated() {
                        let highest = UInt8(min(inputs.cuts[column].count + 1, 255))
                        let (from, to) = (column * inputs.rowCount, place * rows.count)
                        for index in 0..<rows.count {
                            unsafe target[to + index] =
                                min(source[from + Int(rows[index])], highest)
                        }
                    }
                }
            }
            count = columns.count * rows.count
        }
    }

    /// Rows.
    var count: Int { slopes.count }

    /// Whether a row's bin in a column of the tree is at most a threshold.
    @inline(__always)
    func isLeft(_ row: Int32, place: Int, bin: Int) -> Bool {
        Int(bins[place * count + Int(row)]) <= bin
    }

    /// Sums over some rows by column and bin, ``starts`` says where.
    func histogram(_ rows: ArraySlice<Int32>) -> [Slope] {
        precondition(rows.allSatisfy { (0..<count).contains(Int($0)) })
        var histogram = [Slope](repeating: .zero, count: starts[starts.count - 1])
        // Gathered once, so that only the bins are looked up at random.
        let slopes = rows.map { self.slopes[Int($0)] }
        let places = starts.count - 1
        unsafe histogram.withUnsafeMutableBufferPointer { histogram in
            unsafe bins.withUnsafeBufferPointer { bins in
                unsafe rows.withUnsafeBufferPointer { rows in
                    unsafe slopes.withUnsafeBufferPointer { slopes in
                        var place = 0
                        // Four columns at a time: additions to one bin need not wait for each other.
                        while place + 4 <= places {
                            let (a, b, c, d) = (
                                place * count, (place + 1) * count, (place + 2) * count,
                                (place + 3) * count
                            )
                            let (p, q, r, s) = (
                                starts[place], starts[place + 1], starts[place + 2],
                                starts[place + 3]
                            )
                            for index in 0..<rows.count {
                                let row = unsafe Int(rows[index])
                                let slope = unsafe slopes[index]
                                unsafe histogram[p + Int(bins[a + row])] += slope
                                unsafe histogram[q + Int(bins[b + row])] += slope
                                unsafe histogram[r + Int(bins[c + row])] += slope
                                unsafe histogram[s + Int(bins[d + row])] += slope
                            }
                            place += 4
                        }
                        while place < places {
                            let (a, p) = (place * count, starts[place])
                            for index in 0..<rows.count {
                                unsafe histogram[p + Int(bins[a + Int(rows[index])])] +=
                                    slopes[index]
                            }
                            place += 1
                        }
                    }
                }
            }
        }
        return histogram
    }
}
