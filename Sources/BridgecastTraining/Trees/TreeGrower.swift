// Grows one tree, leaf by leaf, always at the leaf where a cut helps most.

/// Grows a regression tree on gradients and curvatures of the loss.
struct TreeGrower {
    private struct Sums {
        var gradient: Float = 0
        var curvature: Float = 0
        var rows: Float = 0

        static func - (a: Sums, b: Sums) -> Sums {
            Sums(
                gradient: a.gradient - b.gradient, curvature: a.curvature - b.curvature,
                rows: a.rows - b.rows)
        }
    }

    private struct Cut {
        var gain: Float = 0
        var column = -1
        var bin = 0
    }

    private struct Leaf {
        let node: Int
        let rows: ArraySlice<Int32>
        let sums: Sums
        /// [column of the tree][bin].
        let histogram: [Sums]
        let cut: Cut
    }

    private let inputs: BinnedColumns
    private let columns: [Int]
    private let gradients: [Float]
    private let curvatures: [Float]
    private let settings: BoostingSettings

    init(
        _ inputs: BinnedColumns, columns: [Int], gradients: [Float], curvatures: [Float],
        settings: BoostingSettings
    ) {
        self.inputs = inputs
        self.columns = columns
        self.gradients = gradients
        self.curvatures = curvatures
        self.settings = settings
    }

    /// The tree for some rows, each of which stands for `weight` rows when leaves are counted.
    mutating func grow(_ rows: [Int32], weight: Float) -> RegressionTree {
        var tree = RegressionTree(nodes: [RegressionTree.Node()])
        let histogram = histogram(rows[...], weight)
        var leaves = [leaf(node: 0, rows[...], histogram, sums(rows[...], weight))]
        while leaves.count < settings.leaves {
            guard let best = leaves.indices.max(by: { leaves[$0].cut.gain < leaves[$1].cut.gain }),
                leaves[best].cut.gain > 0
            else { break }
            let parent = leaves.remove(at: best)
            let (left, right) = divide(parent)
            let isLeftSmaller = left.count < right.count
            let small = isLeftSmaller ? left : right
            let smallHistogram = self.histogram(small, weight)
            let largeHistogram = zip(parent.histogram, smallHistogram).map { $0 - $1 }
            let smallSums = sums(small, weight)
            let largeSums = parent.sums - smallSums
            let first = tree.nodes.count
            tree.nodes[parent.node].column = Int32(columns[parent.cut.column])
            tree.nodes[parent.node].threshold = UInt8(parent.cut.bin)
            tree.nodes[parent.node].left = Int32(first)
            tree.nodes += [RegressionTree.Node(), RegressionTree.Node()]
            leaves.append(
                leaf(
                    node: first, left, isLeftSmaller ? smallHistogram : largeHistogram,
                    isLeftSmaller ? smallSums : largeSums))
            leaves.append(
                leaf(
                    node: first + 1, right, isLeftSmaller ? largeHistogram : smallHistogram,
                    isLeftSmaller ? largeSums : smallSums))
        }
        for leaf in leaves { tree.nodes[leaf.node].value = value(leaf.sums) }
        return tree
    }

    private func value(_ sums: Sums) -> Float {
        -settings.learningRate * sums.gradient / (sums.curvature + settings.regularisation)
    }

    private func sums(_ rows: ArraySlice<Int32>, _ weight: Float) -> Sums {
        var sums = Sums(rows: Float(rows.count) * weight)
        for row in rows {
            sums.gradient += gradients[Int(row)]
            sums.curvature += curvatures[Int(row)]
        }
        return sums
    }

    private func histogram(_ rows: ArraySlice<Int32>, _ weight: Float) -> [Sums] {
        let bins = BinnedColumns.binCount
        var histogram = [Sums](repeating: Sums(), count: columns.count * bins)
        // Gathered once, so that only the bins are looked up at random.
        let parts = rows.map { (gradients[Int($0)], curvatures[Int($0)]) }
        for (place, column) in columns.enumerated() {
            let values = inputs.columns[column]
            let start = place * bins
            for (index, row) in rows.enumerated() {
                let bin = start + Int(values[Int(row)])
                histogram[bin].gradient += parts[index].0
                histogram[bin].curvature += parts[index].1
                histogram[bin].rows += weight
            }
        }
        return histogram
    }

    private func leaf(
        node: Int, _ rows: ArraySlice<Int32>, _ histogram: [Sums], _ sums: Sums
    ) -> Leaf {
        Leaf(
            node: node, rows: rows, sums: sums, histogram: histogram, cut: bestCut(histogram, sums))
    }

    private func bestCut(_ histogram: [Sums], _ all: Sums) -> Cut {
        func score(_ sums: Sums) -> Float {
            sums.gradient * sums.gradient / (sums.curvature + settings.regularisation)
        }
        var best = Cut()
        let whole = score(all)
        for place in columns.indices {
            var left = Sums()
            for bin in 0..<BinnedColumns.binCount - 1 {
                let cell = histogram[place * BinnedColumns.binCount + bin]
                guard cell.rows > 0 else { continue }
                left.gradient += cell.gradient
                left.curvature += cell.curvature
                left.rows += cell.rows
                guard left.rows >= settings.leastRows else { continue }
                let right = all - left
                guard right.rows >= settings.leastRows else { break }
                let gain = score(left) + score(right) - whole
                if gain > best.gain { best = Cut(gain: gain, column: place, bin: bin) }
            }
        }
        return best
    }

    private func divide(_ leaf: Leaf) -> (left: ArraySlice<Int32>, right: ArraySlice<Int32>) {
        let values = inputs.columns[columns[leaf.cut.column]]
        var (left, right): ([Int32], [Int32]) = ([], [])
        for row in leaf.rows {
            if Int(values[Int(row)]) <= leaf.cut.bin { left.append(row) } else { right.append(row) }
        }
        return (left[...], right[...])
    }
}
