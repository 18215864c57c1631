// Scratch memory of one caller: with it, running the network allocates nothing.

/// Buffers for one batch at a time; grows to the largest batch seen and is then reused.
///
/// A workspace belongs to one task; the model it is used with is shared.
public struct Workspace: Sendable {
    var floats: [[Float]] = [[], []]
    var bytes: [[UInt8]] = [[], []]
    var logits: [Float] = []

    /// Creates an empty workspace.
    public init() {}

    /// Makes room for rows of at most `width` numbers.
    mutating func reserve(rows: Int, width: Int) {
        let count = rows * width
        guard logits.count < count else { return }
        logits = Array(repeating: 0, count: count)
        floats = [logits, logits]
        bytes = [[UInt8](repeating: 0, count: count), [UInt8](repeating: 0, count: count)]
    }
}
