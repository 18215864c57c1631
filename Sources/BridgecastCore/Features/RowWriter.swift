// Where feature groups put their values: a list of the inputs that are not zero, in memory of SparseRows.

/// Writes a list of inputs, most of which are zero and take nothing.
///
/// Groups walk over all their inputs in order, skip those that belong to another list of the row, and add to those
/// of soft bins that they have passed. Every input is checked against the row.
@safe package struct RowWriter: ~Copyable {
    private let inputs: UnsafeMutablePointer<UInt16>
    private let values: UnsafeMutablePointer<Float>
    private let width: Int
    /// Entries so far.
    private(set) var count = 0
    /// The next input.
    package var position = 0

    /// Writes to memory that outlives the writer and has room for all inputs of a row.
    init(inputs: UnsafeMutableBufferPointer<UInt16>, values: UnsafeMutableBufferPointer<Float>) {
        guard let input = inputs.baseAddress, let value = values.baseAddress else {
            preconditionFailure("a row has inputs")
        }
        unsafe self.inputs = unsafe input
        unsafe self.values = unsafe value
        width = min(inputs.count, values.count)
    }

    /// Writes the next value.
    @inline(__always)
    package mutating func append(_ value: Float) {
        if value != 0 { insert(value, at: position) }
        position += 1
    }

    /// Leaves the next values zero, to be added to; returns where they start.
    @inline(__always)
    @discardableResult mutating func skip(_ values: Int) -> Int {
        defer { position += values }
        return position
    }

    /// Adds to a value that has been passed.
    @inline(__always)
    mutating func add(_ value: Float, at index: Int) {
        precondition(index < position, "only what has been passed is added to")
        if value != 0 { insert(value, at: index) }
    }

    /// Puts an entry where it belongs: mostly behind the last one, else among the few of its soft bins.
    @inline(__always)
    private mutating func insert(_ value: Float, at index: Int) {
        precondition(index >= 0 && index < width, "a group has more values than specs")
        var place = count
        while place > 0, unsafe Int(inputs[place - 1]) > index { place -= 1 }
        if place > 0, unsafe Int(inputs[place - 1]) == index {
            unsafe values[place - 1] += value
            return
        }
        var end = count
        while end > place {
            unsafe (inputs[end], values[end]) = (inputs[end - 1], values[end - 1])
            end -= 1
        }
        // Inputs differ and lie below the width, so there are never more entries than that.
        unsafe inputs[place] = UInt16(truncatingIfNeeded: index)
        unsafe values[place] = value
        count += 1
    }
}
