// Where feature groups put their values: one row of a batch, zero before it is written.

/// Writes a row of inputs from front to back.
///
/// Most inputs are weights of soft bins, of which few are not zero: writing only these, without growing an
/// array, is what makes a row take a microsecond. Every position is checked against the row.
@safe struct RowWriter {
    private let base: UnsafeMutablePointer<Float>
    private let count: Int
    /// Values written or left zero so far.
    private(set) var position = 0

    /// Writes to memory that outlives the writer and holds zeros.
    init(_ row: UnsafeMutableBufferPointer<Float>) {
        guard let base = row.baseAddress else { preconditionFailure("a row has inputs") }
        unsafe self.base = unsafe base
        count = row.count
    }

    /// Writes the next value.
    mutating func append(_ value: Float) {
        precondition(position < count, "a group has more values than specs")
        unsafe base[position] = value
        position += 1
    }

    /// Leaves the next values zero, to be added to; returns where they start.
    mutating func skip(_ values: Int) -> Int {
        precondition(position + values <= count, "a group has more values than specs")
        defer { position += values }
        return position
    }

    /// Adds to a value that has been passed.
    mutating func add(_ value: Float, at index: Int) {
        precondition(index >= 0 && index < position, "only what has been passed is added to")
        unsafe base[index] += value
    }
}
