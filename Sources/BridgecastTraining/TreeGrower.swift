// Fits one tree, and the binned columns that trees are fitted to.

/// Grows a regression tree on gradients and curvatures of the loss, always at the leaf where a cut gains most.
struct TreeGrower {
    private typealias Sums = SlopeTable.Slope

    private struct Cut {
        var gain: Float = 0
        var column = -1
        var bin = 0
    }

    private struct Leaf {
        let node: Int
        let rows: ArraySlice<Int32>
        let sums: Sums
        /// By column and bin, as in ``SlopeTable``.
        let histogram: [Sums]
        let cut: Cut
    }

    private let inputs: BinnedColumns
    private let columns: [Int]
    private let settings: BoostingSettings
    /// Minimal number of the sampled rows in a leaf.
    private var minRowsInLeaf: Float = 0

    /// - Parameter columns: Those that the tree may cut.
    init(_ inputs: BinnedColumns, columns: [Int], settings: BoostingSettings) {
        self.inputs = inputs
        self.columns = columns
        self.settings = settings
    }

    /// The tree for some rows, each of which counts as `weight` rows in a leaf.
    ///
    /// - Parameter slopes: Gradient and curvature of each of the rows.
    mutating func grow(_ rows: [Int32], slopes: [SIMD2<Float>], weight: Float) -> RegressionTree {
        // Rows are counted as whole numbers, which stay exact in any order of sums.
        let table = SlopeTable(
            inputs, columns: columns, rows: rows,
            slopes: slopes.map { SIMD4(lowHalf: $0, highHalf: [1, 0]) })
        minRowsInLeaf = settings.minRowsInLeaf / weight
        var tree = RegressionTree(nodes: [RegressionTree.Node()])
        let all = (0..<Int32(rows.count)).map { $0 }
        var leaves = [
            leaf(
                node: 0, rows: all[...], in: table, histogram: table.histogram(all[...]),
                sums: sums(all[...], table))
        ]
        while leaves.count < settings.leaves {
            guard let best = leaves.indices.max(by: { leaves[$0].cut.gain < leaves[$1].cut.gain }),
                leaves[best].cut.gain > 0
            else { break }
            let parent = leaves.remove(at: best)
            let first = tree.nodes.count
            tree.nodes[parent.node].column = Int32(columns[parent.cut.column])
            tree.nodes[parent.node].threshold = UInt8(parent.cut.bin)
            tree.nodes[parent.node].left = Int32(first)
            tree.nodes += [RegressionTree.Node(), RegressionTree.Node()]
            leaves += children(of: parent, nodes: first, in: table)
        }
        for leaf in leaves { tree.nodes[leaf.node].value = value(leaf.sums) }
        return tree
    }

    /// The leaves on both sides of a leaf's cut; only the smaller one is summed up, the other is the difference.
    private func children(of parent: Leaf, nodes first: Int, in table: SlopeTable) -> [Leaf] {
        let (left, right) = divide(parent, table)
        let isLeftSmaller = left.count < right.count
        let smaller = isLeftSmaller ? left : right
        let smallerHistogram = table.histogram(smaller)
        let largerHistogram = zip(parent.histogram, smallerHistogram).map { $0 - $1 }
        let smallerSums = sums(smaller, table)
        let largerSums = parent.sums - smallerSums
        return [
            leaf(
                node: first, rows: left, in: table,
                histogram: isLeftSmaller ? smallerHistogram : largerHistogram,
                sums: isLeftSmaller ? smallerSums : largerSums),
            leaf(
                node: first + 1, rows: right, in: table,
                histogram: isLeftSmaller ? largerHistogram : smallerHistogram,
                sums: isLeftSmaller ? largerSums : smallerSums),
        ]
    }

    private func value(_ sums: Sums) -> Float {
        -settings.learningRate * sums.gradient / (sums.curvature + settings.regularisation)
    }

    private func sums(_ rows: ArraySlice<Int32>, _ table: SlopeTable) -> Sums {
        var sums = Sums.zero
        for row in rows { sums += table.slopes[Int(row)] }
        return sums
    }

    private func leaf(
        node: Int, rows: ArraySlice<Int32>, in table: SlopeTable, histogram: [Sums], sums: Sums
    ) -> Leaf {
        Leaf(
            node: node, rows: rows, sums: sums, histogram: histogram,
            cut: bestCut(histogram, sums: sums, in: table))
    }

    private func bestCut(_ histogram: [Sums], sums all: Sums, in table: SlopeTable) -> Cut {
        func score(_ sums: Sums) -> Float {
            sums.gradient * sums.gradient / (sums.curvature + settings.regularisation)
        }
        var best = Cut()
        let whole = score(all)
        for column in columns.indices {
            var left = Sums.zero
            let start = table.starts[column]
            // The last bin, that of NaN, has nothing to its right.
            for bin in 0..<table.starts[column + 1] - start - 1 {
                let cell = histogram[start + bin]
                guard cell.rows > 0 else { continue }
                left += cell
                guard left.rows >= minRowsInLeaf else { continue }
                let right = all - left
                guard right.rows >= minRowsInLeaf else { break }
                let gain = score(left) + score(right) - whole
                if gain > best.gain { best = Cut(gain: gain, column: column, bin: bin) }
            }
        }
        return best
    }

    private func divide(
        _ leaf: Leaf, _ table: SlopeTable
    ) -> (left: ArraySlice<Int32>, right: ArraySlice<Int32>) {
        // Every row is written to both sides, and overwritten on one of them: without branches.
        var left = [Int32](repeating: 0, count: leaf.rows.count)
        var right = left
        var lefts = 0
        var rights = 0
        for row in leaf.rows {
            let isLeft = table.isLeft(row, column: leaf.cut.column, bin: leaf.cut.bin) ? 1 : 0
            left[lefts] = row
            right[rights] = row
            lefts += isLeft
            rights += 1 - isLeft
        }
        return (left[..<lefts], right[..<rights])
    }
}

extension SlopeTable.Slope {
    fileprivate var gradient: Float { x }
    fileprivate var curvature: Float { y }
    fileprivate var rows: Float { z }
}

// MARK: - Histograms

/// The rows that one tree is fitted to: their bins in the columns that it may cut, and their slopes.
struct SlopeTable {
    /// Gradient, curvature, 1 for the row itself, and padding.
    typealias Slope = SIMD4<Float>

    /// [column of the tree, row of the tree].
    private let bins: [UInt8]
    let slopes: [Slope]
    /// Index of each column's first bin in a histogram, and the end of the last.
    let starts: [Int]

    init(_ inputs: BinnedColumns, columns: [Int], rows: [Int32], slopes: [Slope]) {
        precondition(rows.count == slopes.count)
        precondition(rows.allSatisfy { (0..<inputs.rowCount).contains(Int($0)) })
        self.slopes = slopes
        var starts = [0]
        // Bins up to the number of cuts, and that of NaN.
        for column in columns {
            starts.append(starts[starts.count - 1] + inputs.cuts[column].count + 2)
        }
        self.starts = starts
        bins = unsafe Array(unsafeUninitializedCapacity: columns.count * rows.count) {
            target, count in
            unsafe inputs.bins.withUnsafeBufferPointer { source in
                unsafe rows.withUnsafeBufferPointer { rows in
                    for (own, column) in columns.enumerated() {
                        let highest = UInt8(min(inputs.cuts[column].count + 1, 255))
                        let from = column * inputs.rowCount
                        let to = own * rows.count
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

    var count: Int { slopes.count }

    /// Whether a row's bin in a column of the tree is at most a threshold.
    @inline(__always) func isLeft(_ row: Int32, column: Int, bin: Int) -> Bool {
        Int(bins[column * count + Int(row)]) <= bin
    }

    /// Sums over some rows by column and bin, indexed as in ``starts``.
    func histogram(_ rows: ArraySlice<Int32>) -> [Slope] {
        precondition(rows.allSatisfy { (0..<count).contains(Int($0)) })
        var histogram = [Slope](repeating: .zero, count: starts[starts.count - 1])
        // Gathered once, so that only the bins are looked up at random.
        let slopes = rows.map { self.slopes[Int($0)] }
        let columns = starts.count - 1
        unsafe histogram.withUnsafeMutableBufferPointer { histogram in
            unsafe bins.withUnsafeBufferPointer { bins in
                unsafe rows.withUnsafeBufferPointer { rows in
                    unsafe slopes.withUnsafeBufferPointer { slopes in
                        var column = 0
                        // Four columns at a time: additions to one bin need not wait for each other.
                        while column + 4 <= columns {
                            let a = column * count
                            let b = (column + 1) * count
                            let c = (column + 2) * count
                            let d = (column + 3) * count
                            let p = starts[column]
                            let q = starts[column + 1]
                            let r = starts[column + 2]
                            let s = starts[column + 3]
                            for index in 0..<rows.count {
                                let row = unsafe Int(rows[index])
                                let slope = unsafe slopes[index]
                                unsafe histogram[p + Int(bins[a + row])] += slope
                                unsafe histogram[q + Int(bins[b + row])] += slope
                                unsafe histogram[r + Int(bins[c + row])] += slope
                                unsafe histogram[s + Int(bins[d + row])] += slope
                            }
                            column += 4
                        }
                        while column < columns {
                            let a = column * count
                            let p = starts[column]
                            for index in 0..<rows.count {
                                unsafe histogram[p + Int(bins[a + Int(rows[index])])] +=
                                    slopes[index]
                            }
                            column += 1
                        }
                    }
                }
            }
        }
        return histogram
    }
}

// MARK: - Binned inputs

/// Columns of bin numbers, one byte a value.
///
/// Bins hold about equally many different values; NaN has the highest bin, so that unknown times are
/// grouped with times long ago.
struct BinnedColumns: Sendable {
    /// Bins per column; the last is NaN's.
    static let binCount = 256
    /// Number of rows that the cuts are chosen from.
    private static let rowsForCuts = 100_000
    private static let blockRows = 256

    /// B.
    let rowCount: Int
    /// [F, B].
    let bins: [UInt8]
    /// Upper limits of the bins, [F][...]; a value is in the first bin whose limit it does not exceed.
    let cuts: [[Float]]

    /// Cuts values [B, F] into bins chosen from them.
    init(_ values: [Float], width: Int) {
        let cuts = (0..<width).map { Self.cuts(values, column: $0, width: width) }
        self.init(values[...], cuts: cuts)
    }

    /// Cuts values [B, F] by given limits.
    init(_ values: ArraySlice<Float>, cuts: [[Float]]) {
        let width = cuts.count
        let rows = values.count / width
        rowCount = rows
        self.cuts = cuts
        var bins = [UInt8](repeating: 0, count: width * rows)
        let searches = cuts.map { BinSearch($0) }
        unsafe values.withUnsafeBufferPointer { values in
            unsafe bins.withUnsafeMutableBufferPointer { bins in
                // Block by block, so that a row's values are still in the cache for its next column.
                for start in stride(from: 0, to: rows, by: Self.blockRows) {
                    for (column, search) in searches.enumerated() {
                        for row in start..<min(start + Self.blockRows, rows) {
                            unsafe bins[column * rows + row] =
                                search.bin(of: values[row * width + column])
                        }
                    }
                }
            }
        }
        self.bins = bins
    }

    /// The bins of a column, [B].
    func column(_ column: Int) -> ArraySlice<UInt8> {
        bins[column * rowCount..<(column + 1) * rowCount]
    }

    /// Whether rows of a column are in different bins: only then can it be cut.
    func varies(_ column: Int) -> Bool {
        let bins = self.column(column)
        return bins.contains { $0 != bins.first }
    }

    private static func cuts(_ values: [Float], column: Int, width: Int) -> [Float] {
        let rows = values.count / width
        let step = max(1, rows / rowsForCuts)
        let sorted = stride(from: 0, to: rows, by: step).map { values[$0 * width + column] }
            .filter { !$0.isNaN }.sorted()
        guard !sorted.isEmpty else { return [] }
        let maxCuts = binCount - 2
        var cuts: [Float] = []
        for index in 1...maxCuts {
            let value = sorted[min(index * sorted.count / (maxCuts + 1), sorted.count - 1)]
            if cuts.last.map({ value > $0 }) ?? true { cuts.append(value) }
        }
        return cuts
    }
}

/// Looks up bins by binary search with the same number of steps for every value, without branches.
private struct BinSearch {
    /// Limits, and infinity up to a power of two less one.
    private let limits: [Float]
    private let firstStep: Int

    init(_ cuts: [Float]) {
        var room = 1
        while room <= cuts.count { room *= 2 }
        firstStep = room / 2
        limits = cuts + Array(repeating: .infinity, count: room - cuts.count)
    }

    /// The first bin whose limit a value does not exceed.
    @inline(__always) func bin(of value: Float) -> UInt8 {
        var bin = 0
        var step = firstStep
        while step > 0 {
            bin += limits[bin + step - 1] < value ? step : 0
            step /= 2
        }
        return value.isNaN ? UInt8(BinnedColumns.binCount - 1) : UInt8(truncatingIfNeeded: bin)
    }
}
