internal import CBridgecastKernels

/// Goes through the rows of a text that is in memory.
///
/// Each row is what ``CSVScanner`` would read; empty lines are skipped. A defective row does not affect the others.
package struct CSVRows {
    package enum Step: Equatable {
        case row
        /// A row that cannot be split into fields, and why.
        case defect(String)
        case end
    }

    /// The fields of the last row, in ``bytes``; the first ``CSVScanner/maxFields`` of a longer one.
    package private(set) var fields: [FieldSlice] = []
    package private(set) var fieldCount = 0
    /// The line on which the last row starts, from 1.
    package private(set) var line = 1

    private var window: TextWindow
    private var scanner = CSVScanner()
    private var regularRows = RegularRows()
    private var nextRow = 0

    /// The rows of a text from an index; UTF-8, which is not checked.
    package init(_ bytes: consuming [UInt8], from start: Int = 0) {
        window = TextWindow(TextPart(bytes: bytes, start: start, digested: 0), path: "")
    }

    /// The text; in rows that have been read, doubled quotes are replaced by single ones.
    package var bytes: [UInt8] { window.bytes }
    package var linesRead: Int { scanner.line - 1 }

    package mutating func next() -> Step {
        while true {
            while nextRow < regularRows.count {
                nextRow += 1
                line = scanner.line
                scanner.skipCountedLine()
                if !regularRows.isEmptyLine(nextRow - 1, window.bytes.span) {
                    takeRegularRow(nextRow - 1)
                    return .row
                }
            }
            if regularRows.count > 0 {
                window.consume(to: regularRows.end(of: regularRows.count - 1))
            }
            findRows()
            if regularRows.count == 0 { return nextByScanner() }
        }
    }

    /// Finds the next rows; no reference to the text is kept, so that the scanner changes it in place.
    private mutating func findRows() {
        let text = window.bytes
        regularRows.find(text.span, in: window.start..<window.end)
        nextRow = 0
    }

    private mutating func takeRegularRow(_ row: Int) {
        fieldCount = regularRows.fieldCount(of: row)
        fields.removeAll(keepingCapacity: true)
        var start = regularRows.start(of: row)
        let text = window.bytes
        let bytes = text.span
        for column in 0..<min(fieldCount, CSVScanner.maxFields) {
            fields.append(regularRows.nextField(column, of: row, bytes, start: &start))
        }
    }

    private mutating func nextByScanner() -> Step {
        // The window is at its end: there is nothing to read that could fail.
        let step = (try? scanner.next(&window)) ?? .end
        line = scanner.recordLine
        fields = scanner.fields
        fieldCount = scanner.fieldCount
        return switch step {
        case .record: .row
        case .defect(let defect): .defect(defect.message)
        case .end: .end
        }
    }
}

/// The fields of regular rows: no doubled quotes, no line ends within quotes, no text next to quotes.
///
/// Each is what ``CSVScanner`` would find. They end before the first row that is irregular or incomplete, which is left
/// to the scanner.
package struct RegularRows {
    package private(set) var count = 0

    private let kernel: RowKernel
    /// Offsets of separators from the start of the first row.
    private var separators = [UInt32](repeating: 0, count: RowKernel.maxSeparators)
    /// For each row, the number of separators up to its end.
    private var ends = [UInt32](repeating: 0, count: RowKernel.maxSeparators)
    /// The index at which the first row starts.
    private var origin = 0

    package init(_ kernel: RowKernel = .best) { self.kernel = kernel }

    /// Finds rows in a range of bytes that starts with one; not all if there are many.
    package mutating func find(_ bytes: Span<UInt8>, in range: Range<Int>) {
        origin = range.lowerBound
        count = kernel.find(bytes.extracting(range), separators: &separators, ends: &ends)
    }

    @inline(__always)
    private func range(of row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
    }

    /// The number of fields of a row; 1 for an empty line.
    @inline(__always)
    package func fieldCount(of row: Int) -> Int { range(of: row).count }

    @inline(__always)
    package func start(of row: Int) -> Int { start(ofField: range(of: row).lowerBound) }

    /// Whether a row consists of its line end only.
    package func isEmptyLine(_ row: Int, _ bytes: Span<UInt8>) -> Bool {
        let start = start(of: row)
        let length = end(of: row) - start
        return length == 1 || length == 2 && bytes[start] == UInt8(ascii: "\r")
    }

    /// The index after a row's line end.
    @inline(__always)
    package func end(of row: Int) -> Int { start(ofField: range(of: row).upperBound) }

    @inline(__always)
    private func start(ofField field: Int) -> Int {
        field == 0 ? origin : origin + Int(separators[field - 1]) + 1
    }

    /// The field of a row that starts at an index, without its quotes; the index is moved to the next field.
    @inline(__always)
    package func nextField(
        _ column: Int, of row: Int, _ bytes: Span<UInt8>, start: inout Int
    ) -> FieldSlice {
        let range = range(of: row)
        let separator = origin + Int(separators[range.lowerBound + column])
        var first = start
        var end = separator
        start = separator + 1
        if column == range.count - 1, first < end, bytes[end - 1] == UInt8(ascii: "\r") {
            end -= 1
        }
        if first < end, bytes[first] == UInt8(ascii: "\"") {
            first += 1
            end -= 1
        }
        return FieldSlice(start: first, end: end)
    }
}

package struct RowKernel: Sendable {
    private let instructionSet: bck_isa

    /// The maximum number of separators that a call finds.
    package static let maxSeparators = Int(BCK_MAX_SEPARATORS)
    /// The kernels that this CPU supports, slowest first; never empty.
    package static let available = (0..<BCK_ISA_COUNT.rawValue).map { bck_isa(rawValue: $0) }
        .filter { unsafe bck_kernels_of($0) != nil }.map(RowKernel.init)
    package static let best = available[available.count - 1]

    private init(_ instructionSet: bck_isa) { self.instructionSet = instructionSet }

    /// Finds the fields of a text's complete rows; see `u8_rows`.
    ///
    /// - Parameters:
    ///   - text: Starts with a row.
    ///   - separators: Receives the offsets of separators.
    ///   - ends: Receives for each row the number of separators up to its end.
    /// - Returns: The number of rows.
    package func find(
        _ text: Span<UInt8>, separators: inout [UInt32], ends: inout [UInt32]
    ) -> Int {
        precondition(text.count <= Int(UInt32.max))
        precondition(separators.count >= Self.maxSeparators && ends.count >= Self.maxSeparators)
        guard let kernels = unsafe bck_kernels_of(instructionSet) else { return 0 }
        return unsafe text.withUnsafeBufferPointer { text in
            unsafe separators.withUnsafeMutableBufferPointer { separators in
                unsafe ends.withUnsafeMutableBufferPointer { ends in
                    var rows = unsafe bck_rows(
                        separators: separators.baseAddress, ends: ends.baseAddress,
                        separator_count: 0, row_count: 0)
                    unsafe kernels.pointee.u8_rows(text.count, text.baseAddress, &rows)
                    return unsafe rows.row_count
                }
            }
        }
    }
}
