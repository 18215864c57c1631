public import BridgecastSupport

/// Rows of F inputs, kept as lists of the inputs that are not zero.
///
/// Nineteen in twenty inputs of a forecast are zero, so a network whose first layer reads only the others does about
/// a twentieth of that layer's work. Int8 results are those of dense rows, to the last bit.
public struct SparseRows: Sendable {
    /// Inputs of a row, F.
    public let width: Int

    /// Where each list begins, and the end of the last.
    package private(set) var starts: [UInt32] = [0]
    /// Inputs of all lists, increasing within each; entries after the last list's end are spare.
    package private(set) var inputs: [UInt16] = []
    package private(set) var values: [Float] = []
    /// The lists of each row, [B].
    package private(set) var parts: [Parts] = []

    /// The lists of a row: two that other rows may share, and its own.
    package struct Parts: Sendable, BitwiseCopyable {
        package var sharedFirst: UInt32
        package var sharedSecond: UInt32
        package var own: UInt32

        /// A list by its number, 0..<``count``.
        @inline(__always)
        package subscript(number: Int) -> UInt32 {
            number == 0 ? sharedFirst : number == 1 ? sharedSecond : own
        }

        package static let count = 3

        /// The lists after `lists` others were inserted before them.
        fileprivate func moved(by lists: UInt32) -> Parts {
            func moved(_ list: UInt32) -> UInt32 { list == noList ? list : list + lists }
            return Parts(
                sharedFirst: moved(sharedFirst), sharedSecond: moved(sharedSecond), own: moved(own))
        }

        fileprivate func forEach(_ body: (Int) -> Void) {
            for list in [sharedFirst, sharedSecond, own] where list != noList { body(Int(list)) }
        }
    }

    /// The number of no list.
    package static let noList = UInt32.max
    /// The largest width of a row.
    public static let maxWidth = 1 << 16

    /// Creates a collection without rows.
    ///
    /// - Precondition: The width is 1 to ``maxWidth``.
    public init(width: Int) {
        precondition((1...Self.maxWidth).contains(width), "a row has 1 to 65,536 inputs")
        self.width = width
    }

    /// Rows, B.
    public var count: Int { parts.count }

    /// Appends a row; inputs that are not listed are zero.
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

    /// All rows as a dense matrix, [B, F]; O(B x F).
    public func dense() -> [Float] {
        var result = [Float](repeating: 0, count: count * width)
        var target = result.mutableSpan
        for (row, parts) in parts.enumerated() {
            parts.forEach { list in
                for entry in Int(starts[list])..<Int(starts[list + 1]) {
                    target[row * width + Int(inputs[entry])] = values[entry]
                }
            }
        }
        return result
    }

    /// Reserves memory for rows with about this many entries each.
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

    /// Forgets all rows but keeps their lists for new rows.
    package mutating func removeRows() { parts.removeAll(keepingCapacity: true) }

    package var listCount: Int { starts.count - 1 }

    /// Appends a list that rows can refer to; returns its number.
    ///
    /// - Parameter list: Another list; its entries with inputs below `bound` are copied first.
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
        // Memory for a list of all inputs, the writer's limit.
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

    /// Appends a row of lists that have no input in common.
    ///
    /// - Precondition: The lists exist and together have at most ``width`` entries, on which the kernels rely.
    package mutating func appendRow(_ sharedFirst: UInt32, _ sharedSecond: UInt32, _ own: UInt32) {
        let entries = count(of: sharedFirst) + count(of: sharedSecond) + count(of: own)
        precondition(entries <= width, "no input is in two lists of a row")
        parts.append(Parts(sharedFirst: sharedFirst, sharedSecond: sharedSecond, own: own))
    }

    /// Entries of a list; 0 for none.
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

    /// Appends a row with only a list of its own; inputs increase and are below the width.
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

// MARK: - Writing a list

/// Writes a list of inputs, most of which are zero and need no entry.
///
/// Feature groups go over all their inputs in order, skip those of another list of the row, and add to soft bins that
/// they have passed. Every input is checked against the width of the row.
@safe package struct RowWriter: ~Copyable {
    private let inputs: UnsafeMutablePointer<UInt16>
    private let values: UnsafeMutablePointer<Float>
    private let width: Int
    private(set) var count = 0
    /// The next input.
    package var position = 0

    /// Writes to memory that outlives the writer and has space for all inputs of a row.
    init(inputs: UnsafeMutableBufferPointer<UInt16>, values: UnsafeMutableBufferPointer<Float>) {
        guard let input = inputs.baseAddress, let value = values.baseAddress else {
            preconditionFailure("a row has inputs")
        }
        unsafe self.inputs = unsafe input
        unsafe self.values = unsafe value
        width = min(inputs.count, values.count)
    }

    @inline(__always)
    package mutating func append(_ value: Float) {
        if value != 0 { insert(value, at: position) }
        position += 1
    }

    @inline(__always)
    mutating func skip(_ values: Int) { position += values }

    @inline(__always)
    mutating func add(_ value: Float, at index: Int) {
        precondition(index < position, "only what has been passed is added to")
        if value != 0 { insert(value, at: index) }
    }

    /// Inserts an entry in order: mostly after the last one, else among the few of its soft bins.
    @inline(__always)
    private mutating func insert(_ value: Float, at index: Int) {
        precondition(index >= 0 && index < width, "a group has more values than specs")
        var entry = count
        while entry > 0, unsafe Int(inputs[entry - 1]) > index { entry -= 1 }
        if entry > 0, unsafe Int(inputs[entry - 1]) == index {
            unsafe values[entry - 1] += value
            return
        }
        var end = count
        while end > entry {
            unsafe inputs[end] = inputs[end - 1]
            unsafe values[end] = values[end - 1]
            end -= 1
        }
        // Inputs differ and are below the width, so there are never more entries than the width.
        unsafe inputs[entry] = UInt16(truncatingIfNeeded: index)
        unsafe values[entry] = value
        count += 1
    }
}

/// Why a list is not a row.
public enum SparseRowsError: Failure, Equatable {
    /// There must be as many values as inputs.
    case counts(row: Int, inputs: Int, values: Int)
    /// An input that rows of this width do not have.
    case outOfRange(row: Int, entry: Int, input: Int, width: Int)
    /// Inputs must increase: this one is repeated or smaller.
    case notIncreasing(row: Int, entry: Int, input: Int, after: Int)

    /// Always ``FailureKind/data``.
    public var kind: FailureKind { .data }

    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .counts(let row, let inputs, let values):
            "row \(row) lists \(inputs) inputs but \(values) values"
        case .outOfRange(let row, let entry, let input, let width):
            "row \(row), entry \(entry): input \(input) is not one of 0 to \(width - 1)"
        case .notIncreasing(let row, let entry, let input, let after) where input == after:
            "row \(row), entry \(entry): input \(input) is listed twice"
        case .notIncreasing(let row, let entry, let input, let after):
            "row \(row), entry \(entry): input \(input) comes after input \(after); inputs must increase"
        }
    }
}
