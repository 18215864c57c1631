// Rows of comma-separated values whose quoting is regular, found many at a time; read by RecordReader before it asks
// CSVScanner.

/// The fields of rows without surprises: no doubled quotes, no line ends within quotes, no text beside quotes.
///
/// Each is what ``CSVScanner`` would find. They end before the first row that is not so or not whole, which is the
/// scanner's.
struct RegularRows {
    /// How many rows were found.
    private(set) var count = 0

    private let kernel: RowKernel
    /// Places of separators, from the first row's start.
    private var separators = [UInt32](repeating: 0, count: RowKernel.mostSeparators)
    /// For each row, how many separators there are up to its end.
    private var ends = [UInt32](repeating: 0, count: RowKernel.mostSeparators)
    /// Where the first row starts.
    private var origin = 0

    init(_ kernel: RowKernel = .best) { self.kernel = kernel }

    /// Finds rows in a range of bytes that begins with one; not all if there are many.
    mutating func find(_ bytes: Span<UInt8>, in range: Range<Int>) {
        origin = range.lowerBound
        count = kernel.find(bytes.extracting(range), separators: &separators, ends: &ends)
    }

    /// Where a row's separators stand among all.
    @inline(__always)
    private func range(of row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
    }

    /// How many fields a row has; one that is empty if the line is.
    @inline(__always)
    func fieldCount(of row: Int) -> Int { range(of: row).count }

    /// Where a row begins.
    @inline(__always)
    func start(of row: Int) -> Int { start(ofField: range(of: row).lowerBound) }

    /// Whether there is nothing in a row but its line end.
    func isEmptyLine(_ row: Int, _ bytes: Span<UInt8>) -> Bool {
        let start = start(of: row)
        let length = end(of: row) - start
        return length == 1 || length == 2 && bytes[start] == UInt8(ascii: "\r")
    }

    /// Behind a row's line end.
    @inline(__always)
    func end(of row: Int) -> Int { start(ofField: range(of: row).upperBound) }

    @inline(__always)
    private func start(ofField field: Int) -> Int {
        field == 0 ? origin : origin + Int(separators[field - 1]) + 1
    }

    /// The field of a row that starts at an index, the quotes around it left out; the index is moved to the next one.
    @inline(__always)
    func nextField(
        _ column: Int, of row: Int, _ bytes: Span<UInt8>, start: inout Int
    ) -> FieldSlice {
        let range = range(of: row)
        let separator = origin + Int(separators[range.lowerBound + column])
        var (first, end) = (start, separator)
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
