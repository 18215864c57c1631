// One tree: splits and leaves, as TreeGrower makes it; TreeProgram runs it.

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
}
