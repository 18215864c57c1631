// The rows of a piece of comma-separated text, one at a time, fast where they are regular; used by BridgecastTransit.

/// Goes through the rows of a text that is in memory.
///
/// Each row is what ``CSVScanner`` makes of it; empty lines are passed over. A row that is not as it should be costs
/// nothing but itself.
package struct CSVRows {
    /// What a step came to.
    package enum Step: Equatable {
        case row
        /// A row that cannot be told into fields, and why.
        case defect(String)
        case end
    }

    /// The fields of the last row, in ``bytes``; of one with more than ``mostFields`` the first.
    package private(set) var fields: [FieldSlice] = []
    /// How many fields the last row has.
    package private(set) var fieldCount = 0
    /// The line on which the last row starts, from 1.
    package private(set) var line = 1

    private var window: TextWindow
    private var scanner = CSVScanner()
    private var regularRows = RegularRows()
    /// The next of the rows that are found.
    private var place = 0

    /// Fields that are kept of a row.
    package static let mostFields = 256

    /// The rows of a text from a byte on; UTF-8, which is not checked.
    package init(_ bytes: consuming [UInt8], from start: Int = 0) {
        window = TextWindow(TextPart(bytes: bytes, start: start, digested: 0), path: "")
    }

    /// The text; doubled quotes are written anew as one where a row has been read.
    package var bytes: [UInt8] { window.bytes }
    /// Lines that have been read.
    package var linesRead: Int { scanner.line - 1 }

    /// Goes to the next row.
    package mutating func next() -> Step {
        while true {
            while place < regularRows.count {
                place += 1
                line = scanner.line
                scanner.pass()
                if !regularRows.isEmptyLine(place - 1, window.bytes.span) {
                    takeRegularRow(place - 1)
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

    /// Finds the next rows; the text is let go of on return, so that the scanner changes it where it lies.
    private mutating func findRows() {
        let text = window.bytes
        regularRows.find(text.span, in: window.start..<window.end)
        place = 0
    }

    private mutating func takeRegularRow(_ row: Int) {
        fieldCount = regularRows.fieldCount(of: row)
        fields.removeAll(keepingCapacity: true)
        var start = regularRows.start(of: row)
        let text = window.bytes
        let bytes = text.span
        for column in 0..<min(fieldCount, Self.mostFields) {
            fields.append(regularRows.nextField(column, of: row, bytes, start: &start))
        }
    }

    private mutating func nextByScanner() -> Step {
        // The window is at its end: nothing is read that could fail.
        let step = (try? scanner.next(&window)) ?? .end
        (line, fields, fieldCount) = (scanner.recordLine, scanner.fields, scanner.fieldCount)
        return switch step {
        case .record: .row
        case .defect(let defect): .defect(defect.words)
        case .end: .end
        }
    }
}
