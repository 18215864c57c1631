// A tree as it is evaluated: masks over a block of rows, without a branch that depends on them; GradientBoostedTrees
// runs it over millions of rows.

/// A tree in the order of its evaluation.
///
/// Every node is asked about every row of a block: which of its rows go to the right is one comparison of bytes,
/// sixteen rows an instruction. For the leaves that trees have here that is cheaper than to follow each row.
struct TreeProgram: Sendable {
    /// Rows of a block.
    static let blockRows = 256
    /// The most leaves of a tree: their numbers are bytes.
    static let mostLeaves = 256

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
    /// Masks that are in use at once.
    private var masks = 1

    /// Orders a tree.
    ///
    /// - Precondition: It has at most ``mostLeaves`` leaves.
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
            // The left side is done, and its masks free again, before the right one is looked at.
            open.append((Int(node.left) + 1, mask))
            open.append((Int(node.left), mask + 1))
        }
    }

    /// Memory for the evaluation of any of some programs.
    struct Scratch {
        fileprivate var masks: [UInt8]
        fileprivate var leaves = [UInt8](repeating: 0, count: blockRows)

        init(for programs: [TreeProgram]) {
            masks = Array(
                repeating: 0, count: (programs.map(\.masks).max() ?? 1) * TreeProgram.blockRows)
        }
    }

    /// Adds the tree's value to rows from `start`, a block of them or as many as there are.
    func add(
        to logits: inout [Float], _ inputs: BinnedColumns, from start: Int,
        _ scratch: inout Scratch
    ) {
        let rows = min(Self.blockRows, inputs.rowCount - start)
        precondition(start >= 0 && rows > 0 && logits.count == inputs.rowCount)
        precondition(scratch.masks.count >= masks * Self.blockRows)
        unsafe inputs.bins.withUnsafeBufferPointer { bins in
            unsafe scratch.masks.withUnsafeMutableBufferPointer { masks in
                unsafe scratch.leaves.withUnsafeMutableBufferPointer { leaves in
                    for row in 0..<rows { unsafe (masks[row], leaves[row]) = (.max, 0) }
                    for step in steps {
                        let mask = unsafe UnsafeMutableBufferPointer(
                            rebasing: masks[Int(step.mask) * Self.blockRows..<masks.count])
                        guard step.column >= 0 else {
                            for row in 0..<rows { unsafe leaves[row] |= mask[row] & step.byte }
                            continue
                        }
                        let column = unsafe UnsafeBufferPointer(
                            rebasing: bins[Int(step.column) * inputs.rowCount + start..<bins.count])
                        unsafe Self.split(column, byte: step.byte, mask, rows)
                    }
                }
            }
        }
        for row in 0..<rows { logits[start + row] += leafValues[Int(scratch.leaves[row])] }
    }

    @inline(__always)
    private static func split(
        _ bins: UnsafeBufferPointer<UInt8>, byte: UInt8, _ mask: UnsafeMutableBufferPointer<UInt8>,
        _ rows: Int
    ) {
        for row in 0..<rows {
            let isRight: UInt8 = unsafe bins[row] > byte ? .max : 0
            let all = unsafe mask[row]
            unsafe mask[row] = all & isRight
            unsafe mask[row + blockRows] = all & ~isRight
        }
    }
}
