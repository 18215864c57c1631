// Gradient-boosted trees, the network's main teacher, and their evaluation. Trees learn more from few openings
// than a network does, and a network that imitates them is far cheaper to run. TreeGrower fits one tree.
private import Foundation

/// Boosted trees for the log-odds of an event, added to a prior's.
///
/// Friedman, "Greedy function approximation" (2001), with second-order leaves and histograms as in
/// LightGBM (Ke et al., 2017). Rows are sampled for each tree with a chance that grows with their error,
/// and weighted by its inverse.
package struct GradientBoostedTrees: Sendable {
    private var trees: [TreeProgram] = []
    private let cuts: [[Float]]

    /// Fits trees.
    ///
    /// - Parameters:
    ///   - inputs: Binned inputs, B rows.
    ///   - prior: Log-odds to be corrected, [B].
    ///   - happened: Whether the event happened, [B].
    init(
        _ inputs: BinnedColumns, prior: [Float], happened: [Bool], settings: BoostingSettings,
        seed: UInt64
    ) {
        cuts = inputs.cuts
        let varying = inputs.cuts.indices.map { inputs.varies($0) }
        var random = SeededRandom(seed: seed)
        var logits = prior
        for _ in 0..<settings.trees {
            let sample = Self.sample(logits, happened: happened, random: &random)
            let columns = inputs.cuts.indices.filter {
                random.uniform() < settings.inputShare && varying[$0]
            }
            var grower = TreeGrower(inputs, columns: columns, settings: settings)
            let tree = TreeProgram(
                grower.grow(
                    sample.rows, slopes: sample.slopes,
                    weight: Float(prior.count) / Float(max(sample.rows.count, 1))))
            Self.add([tree], to: &logits, inputs)
            trees.append(tree)
        }
    }

    /// The rows that a tree is fitted to, with gradient and curvature of the loss divided by the row's chance.
    private static func sample(
        _ logits: [Float], happened: [Bool], random: inout SeededRandom
    ) -> (rows: [Int32], slopes: [SIMD2<Float>]) {
        var rows: [Int32] = []
        var slopes: [SIMD2<Float>] = []
        rows.reserveCapacity(logits.count / 4)
        slopes.reserveCapacity(logits.count / 4)
        for row in logits.indices {
            let probability = 1 / (1 + exp(-logits[row]))
            let gradient = probability - (happened[row] ? 1 : 0)
            let chance = min(1, minSamplingChance + chancePerError * abs(gradient))
            guard Float(random.uniform()) < chance else { continue }
            slopes.append([gradient / chance, probability * (1 - probability) / chance])
            rows.append(Int32(row))
        }
        return (rows, slopes)
    }

    /// The mean over some fits to the same inputs, for rows of values [B, F] on their prior's, [B].
    static func meanLogits(
        _ teachers: [GradientBoostedTrees], _ values: ArraySlice<Float>, prior: [Float]
    ) -> [Float] {
        guard let cuts = teachers.first?.cuts else { return prior }
        let inputs = BinnedColumns(values, cuts: cuts)
        var sum = [Float](repeating: 0, count: prior.count)
        for teacher in teachers {
            var logits = prior
            add(teacher.trees, to: &logits, inputs)
            for row in sum.indices { sum[row] += logits[row] / Float(teachers.count) }
        }
        return sum
    }

    /// Adds block by block, so that inputs are in the cache for every tree.
    private static func add(
        _ trees: [TreeProgram], to logits: inout [Float], _ inputs: BinnedColumns
    ) {
        var scratch = TreeProgram.Scratch(for: trees)
        for start in stride(from: 0, to: logits.count, by: TreeProgram.blockRows) {
            for tree in trees { tree.add(to: &logits, inputs, from: start, &scratch) }
        }
    }

    /// The sampling chance of a row without error, and its growth with the error.
    private static let minSamplingChance: Float = 0.08
    private static let chancePerError: Float = 3
}

package struct BoostingSettings: Sendable {
    /// Number of boosting rounds, one tree each.
    package var trees = 300
    /// Leaves of a tree, 2...255.
    package var leaves = 63
    /// Factor of each tree's leaf values.
    package var learningRate: Float = 0.06
    /// Minimal number of rows in a leaf, weighted.
    package var minRowsInLeaf: Float = 400
    /// L2 regularisation: added to a leaf's curvature.
    package var regularisation: Float = 10
    /// Share of the inputs that are sampled for each tree.
    package var inputShare = 0.5

    /// The defaults of `bridgecast train`.
    package init() {}

    /// The same with half the leaves, four times the rows in each, and three times the regularisation.
    ///
    /// Such trees do better where little is known, the others where much is; the mean of both is better than either.
    var regularised: BoostingSettings {
        var settings = self
        settings.leaves = max(2, leaves / 2)
        settings.minRowsInLeaf *= 4
        settings.regularisation *= 3
        return settings
    }
}

// MARK: - One tree

/// A tree during fitting: at each node, rows whose bin is at most the threshold go to the left.
struct RegressionTree: Sendable {
    struct Node: Sendable {
        /// Negative for a leaf.
        var column: Int32 = -1
        var threshold: UInt8 = 0
        /// The right child follows the left one.
        var left: Int32 = 0
        var value: Float = 0
    }

    var nodes: [Node]
}

/// A tree as a list of steps for its evaluation.
///
/// Every node is evaluated for every row of a block: which of its rows go to the right is one comparison of bytes,
/// sixteen rows an instruction. With at most a few hundred leaves that is cheaper than to follow each row.
struct TreeProgram: Sendable {
    static let blockRows = 256

    /// A split sends rows of a mask to the next mask (left) and keeps the others (right); a leaf takes a mask's rows.
    private struct Step: Sendable {
        /// Negative for a leaf.
        var column: Int32
        /// The highest bin that goes left, or the leaf's number.
        var byte: UInt8
        var mask: Int32
    }

    private var steps: [Step] = []
    private var leafValues: [Float] = []
    /// The number of masks in use at the same time.
    private var masks = 1

    /// Orders a tree.
    ///
    /// - Precondition: It has at most 256 leaves, whose numbers are bytes.
    init(_ tree: RegressionTree) {
        var open: [(node: Int, mask: Int)] = [(0, 0)]
        while let (number, mask) = open.popLast() {
            let node = tree.nodes[number]
            masks = max(masks, mask + 1)
            guard node.column >= 0 else {
                let leaf = UInt8(leafValues.count)
                steps.append(Step(column: -1, byte: leaf, mask: Int32(mask)))
                leafValues.append(node.value)
                continue
            }
            steps.append(Step(column: node.column, byte: node.threshold, mask: Int32(mask)))
            // The left side is done, and its masks are free again, before the right side begins.
            open.append((Int(node.left) + 1, mask))
            open.append((Int(node.left), mask + 1))
        }
    }

    /// Memory for the evaluation of some programs.
    struct Scratch {
        fileprivate var masks: [UInt8]
        fileprivate var leaves = [UInt8](repeating: 0, count: blockRows)

        init(for programs: [TreeProgram]) {
            masks = Array(
                repeating: 0, count: (programs.map(\.masks).max() ?? 1) * TreeProgram.blockRows)
        }
    }

    /// Adds the tree's value to a block of rows from `start`, fewer at the end.
    func add(
        to logits: inout [Float], _ inputs: BinnedColumns, from start: Int, _ scratch: inout Scratch
    ) {
        let rows = min(Self.blockRows, inputs.rowCount - start)
        precondition(start >= 0 && rows > 0 && logits.count == inputs.rowCount)
        precondition(scratch.masks.count >= masks * Self.blockRows)
        unsafe inputs.bins.withUnsafeBufferPointer { bins in
            unsafe scratch.masks.withUnsafeMutableBufferPointer { masks in
                unsafe scratch.leaves.withUnsafeMutableBufferPointer { leaves in
                    for row in 0..<rows {
                        unsafe masks[row] = .max
                        unsafe leaves[row] = 0
                    }
                    for step in steps {
                        let mask = unsafe UnsafeMutableBufferPointer(
                            rebasing: masks[Int(step.mask) * Self.blockRows..<masks.count])
                        guard step.column >= 0 else {
                            for row in 0..<rows { unsafe leaves[row] |= mask[row] & step.byte }
                            continue
                        }
                        let column = unsafe UnsafeBufferPointer(
                            rebasing: bins[Int(step.column) * inputs.rowCount + start..<bins.count])
                        unsafe Self.split(column, byte: step.byte, mask, rows: rows)
                    }
                }
            }
        }
        for row in 0..<rows { logits[start + row] += leafValues[Int(scratch.leaves[row])] }
    }

    @inline(__always) private static func split(
        _ bins: UnsafeBufferPointer<UInt8>, byte: UInt8, _ mask: UnsafeMutableBufferPointer<UInt8>,
        rows: Int
    ) {
        for row in 0..<rows {
            let isRight: UInt8 = unsafe bins[row] > byte ? .max : 0
            let all = unsafe mask[row]
            unsafe mask[row] = all & isRight
            unsafe mask[row + blockRows] = all & ~isRight
        }
    }
}
