// Grows one tree, leaf by leaf, always at the leaf where a cut helps most.

/// Grows a regression tree on gradients and curvatures of the loss.
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
    /// The least rows of a leaf among those that the tree sees.
    private var leastRows: Float = 0

    /// - Parameter columns: Those that the tree may look at.
    init(_ inputs: BinnedColumns, columns: [Int], settings: BoostingSettings) {
        self.inputs = inputs
        self.columns = columns
        self.settings = settings
    }

    /// The tree for some rows, each of which stands for `weight` rows when leaves are counted.
    ///
    /// - Parameter slopes: Gradient and curvature of each of the rows.
    mutating func grow(
        _ rows: [Int32], slopes: [SIMD2<Float>], weight: Float
    ) -> RegressionTree {
        // Rows are counted as whole numbers, which stay exact in any order of sums.
        let table = SlopeTable(
            inputs, columns: columns, rows: rows,
            slopes: slopes.map { SIMD4(lowHalf: $0, highHalf: [1, 0]) })
        leastRows = settings.leastRows / weight
        var tree = RegressionTree(nodes: [RegressionTree.Node()])
        let all = (0..<Int32(rows.count)).map { $0 }
        var leaves = [
            leaf(node: 0, all[...], table, table.histogram(all[...]), sums(all[...], table))
        ]
        while leaves.count < settings.leaves {
            guard let best = leaves.indices.max(by: { leaves[$0].cut.gain < leaves[$1].cut.gain }),
                leaves[best].cut.gain > 0
            else { break }
            let parent = leaves.remove(at: best)
            let (left, right) = divide(parent, table)
            let isLeftSmaller = left.count < right.count
            let small = isLeftSmaller ? left : right
            let smallHistogram = table.histogram(small)
            let largeHistogram = zip(parent.histogram, smallHistogram).map { $0 - $1 }
            let smallSums = sums(small, table)
            let largeSums = parent.sums - smallSums
            let first = tree.nodes.count
            tree.nodes[parent.node].column = Int32(columns[parent.cut.column])
            tree.nodes[parent.node].threshold = UInt8(parent.cut.bin)
            tree.nodes[parent.node].left = Int32(first)
            tree.nodes += [RegressionTree.Node(), RegressionTree.Node()]
            leaves.append(
                leaf(
                    node: first, left, table, isLeftSmaller ? smallHistogram : largeHistogram,
                    isLeftSmaller ? smallSums : largeSums))
            leaves.append(
                leaf(
                    node: first + 1, right, table, isLeftSmaller ? largeHistogram : smallHistogram,
                    isLeftSmaller ? largeSums : smallSums))
        }
        for leaf in leaves { tree.nodes[leaf.node].value = value(leaf.sums) }
        return tree
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
        node: Int, _ rows: ArraySlice<Int32>, _ table: SlopeTable, _ histogram: [Sums], _ sums: Sums
    ) -> Leaf {
        Leaf(
            node: node, rows: rows, sums: sums, histogram: histogram,
            cut: bestCut(histogram, sums, table))
    }

    private func bestCut(_ histogram: [Sums], _ all: Sums, _ table: SlopeTable) -> Cut {
        func score(_ sums: Sums) -> Float {
            sums.gradient * sums.gradient / (sums.curvature + settings.regularisation)
        }
        var best = Cut()
        let whole = score(all)
        for place in columns.indices {
            var left = Sums.zero
            let start = table.starts[place]
            // The last bin, that of NaN, has nothing to its right.
            for bin in 0..<table.starts[place + 1] - start - 1 {
                let cell = histogram[start + bin]
                guard cell.rows > 0 else { continue }
                left += cell
                guard left.rows >= leastRows else { continue }
                let right = all - left
                guard right.rows >= leastRows else { break }
                let gain = score(left) + score(right) - whole
                if gain > best.gain { best = Cut(gain: gain, column: place, bin: bin) }
            }
        }
        return best
    }

    private func divide(
        _ leaf: Leaf, _ table: SlopeTable
    ) -> (left: ArraySlice<Int32>, right: ArraySlice<Int32>) {
        // Every row is written to both sides, and stays on one: nothing to guess.
        var left = [Int32](repeating: 0, count: leaf.rows.count)
        var right = left
        var (lefts, rights) = (0, 0)
        for row in leaf.rows {
            let isLeft = table.isLeft(row, place: leaf.cut.column, bin: leaf.cut.bin) ? 1 : 0
            (left[lefts], right[rights]) = (row, row)
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
