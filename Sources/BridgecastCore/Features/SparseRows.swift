// Rows of which few inputs are not zero, kept as lists of those; FeatureBatch holds one, the engine runs on it.

/// Rows of F inputs, kept as lists of the inputs that are not zero.
///
/// Of the inputs of a forecast nineteen in twenty are zero, so a network whose first layer looks at the others
/// alone does about a twentieth of that layer's work. Int8 results are those of the rows written out, to the last bit.
public struct SparseRows: Sendable {
    /// Inputs of a row, F.
    public let width: Int

    /// Where each list begins, and the end of the last.
    package private(set) var starts: [UInt32] = [0]
    /// Inputs of all lists, increasing within each; entries beyond the last list's end are room.
    package private(set) var inputs: [UInt16] = []
    /// Their values.
    package private(set) var values: [Float] = []
    /// The lists of each row, [B].
    package private(set) var parts: [Parts] = []

    /// The lists that a row is made of: two that others may share, and its own.
    package struct Parts: Sendable, BitwiseCopyable {
        package var sharedFirst: UInt32
        package var sharedSecond: UInt32
        package var own: UInt32

        /// One of the three, by number.
        @inline(__always)
        package subscript(number: Int) -> UInt32 {
            number == 0 ? sharedFirst : number == 1 ? sharedSecond : own
        }

        /// How many lists a row has at most.
        package static let count = 3

        /// The same lists where `lists` others come before them.
        fileprivate func moved(by lists: UInt32) -> Parts {
            func moved(_ list: UInt32) -> UInt32 { list == noList ? list : list + lists }
            return Parts(
                sharedFirst: moved(sharedFirst), sharedSecond: moved(sharedSecond), own: moved(own))
        }

        fileprivate func forEach(_ body: (Int) -> Void) {
            for list in [sharedFirst, sharedSecond, own] where list != noList { body(Int(list)) }
        }
    }

    /// In place of a list: none.
    package static let noList = UInt32.max
    /// The most inputs that a row can have.
    public static let widest = 1 << 16

    /// Begins without rows.
    ///
    /// - Precondition: The width is 1 to ``widest``.
    public init(width: Int) {
        precondition((1...Self.widest).contains(width), "a row has 1 to 65,536 inputs")
        self.width = width
    }

    /// Rows, B.
    public var count: Int { parts.count }

    /// Appends a row; what is not listed is zero.
    ///
    /// - Parameters:
    ///   - inputs: Increasing, each below ``width``.
    ///   - values: One for each. NaN and infinity make the row's outputs NaN.
    /// - Throws: ``SparseRowsError``; then nothing is appended.
    /// - Complexity: O(entries).
    public mutating func append(inputs: [Int], values: [Float]) throws(SparseRowsError) {
        guard inputs.count == values.count else {
            throw .counts(row: count, inputs: inputs.count, values: values.count)
        }
        for (entry, input) in inputs.enumerated() {
            guard input >= 0, input < width else {
                throw .outOfRange(row: count, entry: entry, input: input, width: width)
            }
            if entry > 0, inputs[entry - 1] >= input {
                throw .notIncreasing(
                    row: count, entry: entry, input: input, after: inputs[entry - 1])
            }
        }
        appendRow(of: zip(inputs, values).lazy.map { (input: $0, value: $1) })
    }

    /// The entries of a row, their inputs increasing; O(entries x log entries).
    ///
    /// - Precondition: There is such a row.
    public func entries(ofRow row: Int) -> [(input: Int, value: Float)] {
        var entries: [(input: Int, value: Float)] = []
        parts[row].forEach { list in
            for entry in Int(starts[list])..<Int(starts[list + 1]) {
                entries.append((Int(inputs[entry]), values[entry]))
            }
        }
        return entries.sorted { $0.input < $1.input }
    }

    /// All rows written out, [B, F]; O(B x F).
    public func dense() -> [Float] {
        var result = [Float](repeating: 0, count: count * width)
        var target = result.mutableSpan
        let (starts, inputs, values) = (starts.span, inputs.span, values.span)
        for (row, parts) in parts.enumerated() {
            for list in [parts.sharedFirst, parts.sharedSecond, parts.own] where list != Self.noList
            {
                for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                    target[row * width + Int(inputs[entry])] = values[entry]
                }
            }
        }
        return result
    }

    /// Makes room for rows of about so many entries.
    package mutating func reserve(rows: Int, entries: Int) {
        parts.reserveCapacity(rows)
        starts.reserveCapacity(rows + 1)
        inputs.reserveCapacity(rows * entries + width)
        values.reserveCapacity(rows * entries + width)
    }

    /// Forgets all rows but keeps the memory.
    package mutating func removeAll() {
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
        parts.removeAll(keepingCapacity: true)
    }

    /// Forgets all rows but keeps their lists, for others to be made of.
    package mutating func removeRows() { parts.removeAll(keepingCapacity: true) }

    /// Lists that rows can be made of.
    package var listCount: Int { starts.count - 1 }

    /// Appends a list that rows can be made of; returns its number.
    ///
    /// - Parameter list: One that it begins as, as far as its inputs are below a bound.
    @inline(__always)
    package mutating func appendList(
        like list: UInt32 = noList, below bound: Int = 0, _ write: (inout RowWriter) -> Void
    ) -> UInt32 {
        var kept = 0..<0
        if list != Self.noList {
            kept = Int(starts[Int(list)])..<Int(starts[Int(list) + 1])
            while let last = kept.last, inputs[last] >= bound { kept.removeLast() }
        }
        let start = Int(starts[starts.count - 1])
        // Room for a list of all inputs, at which the writer stops.
        if inputs.count < start + width {
            let room = max(start + width - inputs.count, inputs.count)
            inputs.append(contentsOf: repeatElement(0, count: room))
            values.append(contentsOf: repeatElement(0, count: room))
        }
        let written = unsafe inputs.withUnsafeMutableBufferPointer { inputs in
            unsafe values.withUnsafeMutableBufferPointer { values in
                var writer = unsafe RowWriter(
                    inputs: UnsafeMutableBufferPointer(rebasing: inputs[start..<start + width]),
                    values: UnsafeMutableBufferPointer(rebasing: values[start..<start + width]))
                for entry in kept {
                    unsafe writer.position = Int(inputs[entry])
                    unsafe writer.append(values[entry])
                }
                write(&writer)
                return writer.count
            }
        }
        starts.append(UInt32(start + written))
        return UInt32(starts.count - 2)
    }

    /// Appends a row made of lists that have no input in common.
    ///
    /// - Precondition: The lists are there and together have at most ``width`` entries, on which the kernels rely.
    package mutating func appendRow(_ sharedFirst: UInt32, _ sharedSecond: UInt32, _ own: UInt32) {
        let entries = count(of: sharedFirst) + count(of: sharedSecond) + count(of: own)
        precondition(entries <= width, "no input is in two lists of a row")
        parts.append(Parts(sharedFirst: sharedFirst, sharedSecond: sharedSecond, own: own))
    }

    /// Entries of a list that is there.
    private func count(of list: UInt32) -> Int {
        list == Self.noList ? 0 : Int(starts[Int(list) + 1] - starts[Int(list)])
    }

    /// Appends the rows of another collection of the same width.
    package mutating func append(contentsOf other: SparseRows) {
        precondition(width == other.width, "rows must be as wide")
        let used = Int(starts[starts.count - 1])
        let lists = UInt32(starts.count - 1)
        let added = Int(other.starts[other.starts.count - 1])
        inputs.replaceSubrange(used..<inputs.count, with: other.inputs[..<added])
        values.replaceSubrange(used..<values.count, with: other.values[..<added])
        starts += other.starts.dropFirst().map { $0 + UInt32(used) }
        parts += other.parts.map { $0.moved(by: lists) }
    }

    /// The first rows, at most all.
    package func prefix(_ rows: Int) -> SparseRows {
        var result = self
        result.parts.removeLast(max(0, count - rows))
        return result
    }

    /// Appends one row of another collection of the same width.
    package mutating func append(row: Int, of other: SparseRows) {
        appendRow(of: other.entries(ofRow: row))
    }

    /// Appends a row with a list of its own alone; inputs increase and are below the width.
    private mutating func appendRow(of entries: some Sequence<(input: Int, value: Float)>) {
        let list = appendList { list in
            for (input, value) in entries {
                list.position = input
                list.append(value)
            }
        }
        appendRow(Self.noList, Self.noList, list)
    }
}
