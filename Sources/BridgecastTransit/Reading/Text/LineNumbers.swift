// Which line each row of a table came from, in a few numbers: lines and rows go together but for a few gaps.
internal import BridgecastCore

/// The lines of rows that were kept.
struct LineNumbers: Sendable {
    /// Rows at which lines and rows part, increasing, and their lines.
    private var rows: [UInt32] = []
    private var lines: [UInt32] = []

    /// Says the line of a row behind all before it.
    @inline(__always)
    mutating func append(row: Int, line: Int) {
        if let lastRow = rows.last, let lastLine = lines.last,
            line - Int(lastLine) == row - Int(lastRow)
        {
            return
        }
        rows.append(UInt32(clamping: row))
        lines.append(UInt32(clamping: line))
    }

    /// The line of a row; O(log gaps).
    func line(ofRow row: Int) -> Int {
        let place = rows.partitioningIndex { Int($0) > row } - 1
        return place < 0 ? row : Int(lines[place]) + row - Int(rows[place])
    }
}
