// One tree: splits and leaves.

/// One tree: at each node, rows whose bin is at most the threshold go to the left.
struct RegressionTree: Sendable {
    struct Node: Sendable {
        var column: Int32 = -1
        var threshold: UInt8 = 0
        /// The right child follows the left one.
        var left: Int32 = 0
        var value: Float = 0
    }

    var nodes: [Node]

    /// Adds the tree's value to each row.
    func add(to logits: inout [Float], _ inputs: BinnedColumns) {
        for row in logits.indices {
            var node = nodes[0]
            while node.column >= 0 {
                let isRight = inputs.columns[Int(node.column)][row] > node.threshold
                node = nodes[Int(node.left) + (isRight ? 1 : 0)]
            }
            logits[row] += node.value
        }
    }
}
