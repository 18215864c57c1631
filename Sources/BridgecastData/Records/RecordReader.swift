// Takes a text apart into records of either form and keeps what became of each; used by RecordFile.
internal import BridgecastCore
private import Foundation
private import Synchronization

/// Collects the records of one text.
struct RecordReader {
    private(set) var records: [ParsedRecord] = []
    private(set) var rejected: [RejectedRecord] = []
    private(set) var rejections: [RecordRejection: Int] = [:]

    private var parser: SDOTRecordParser
    private var record = RawRecord()
    private static let longestValue = 60
    private static let partBytes = 1 << 20
    /// Two on one core too: what is read in parts is then read the same way everywhere.
    private static let workers = min(4, max(2, ProcessInfo.processInfo.activeProcessorCount))

    init(now: Timestamp) { parser = SDOTRecordParser(now: now) }

    /// Reads all records of a CSV file, on all cores where records end with their lines.
    mutating func readCSV(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = CSVScanner()
        guard try scanner.next(&window) == .record else {
            throw window.error("line 1 is no CSV header")
        }
        let names = scanner.fields.map { RawRecord.text($0, window.bytes.span) }
        guard scanner.fieldCount == names.count else {
            throw window.error(
                "line 1 has \(scanner.fieldCount) columns, at most \(names.count)")
        }
        let columns = names.map { SDOTField(header: $0) }
        try checkColumns(columns, names, window)
        let places = columns.map { $0?.rawValue }
        let line = try readParts(&window, places, line: scanner.line)
        _ = try readRows(&window, places, line: line, isPart: false)
    }

    /// Reads the lines of a long text by parts, several at a time.
    ///
    /// A record that runs over the end of its part ends this: the rest is left in the window.
    ///
    /// - Returns: The line on which the window starts.
    private mutating func readParts(
        _ window: inout TextWindow, _ places: [Int?], line: Int
    ) throws(DocumentError) -> Int {
        let now = parser.now
        let work = Mutex(PartwiseReading(window, self, line: line))
        DispatchQueue.concurrentPerform(iterations: Self.workers) { _ in
            // One worker reads and checks the next part while the others parse theirs.
            while let part = work.withLock({ $0.takePart(bytes: Self.partBytes) }) {
                var reader = RecordReader(now: now)
                var lines = TextWindow(part: part.bytes, path: part.path)
                let end = try? reader.readRows(&lines, places, line: 1, isPart: true)
                work.withLock { $0.finish(part.number, end.map { (reader, $0 - 1) }) }
            }
        }
        let done = work.withLock { $0 }
        (window, self) = (done.window, done.whole)
        if let error = done.error { throw error }
        window.putBack(done.unfinished)
        return done.line
    }

    /// Reads rows to the end of a window.
    ///
    /// - Returns: The line behind it; nil if it is a part and a quote is open at its end.
    private mutating func readRows(
        _ window: inout TextWindow, _ places: [Int?], line: Int, isPart: Bool
    ) throws(DocumentError) -> Int? {
        var scanner = CSVScanner(line: line)
        while true {
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.recordLine, unit: .line)
            switch step {
            case .end: return scanner.line
            case .defect(.unterminatedQuote) where isPart: return nil
            case .defect(let defect):
                let last = scanner.fields.last.map { RawRecord.text($0, window.bytes.span) }
                reject(location, .badQuoting, field: defect.words, value: last ?? "")
            case .record where scanner.fieldCount != places.count:
                reject(
                    location, .wrongShape, field: "\(scanner.fieldCount) fields",
                    value: "expected \(places.count)")
            case .record:
                record.set(scanner.fields, places: places, window.bytes.span)
                add(location, window.bytes.span)
            }
        }
    }

    /// Takes over what another reader found in a part of the same file.
    mutating func add(_ part: RecordReader, linesBefore: Int) {
        for record in part.records { records.append(record.moved(lines: linesBefore)) }
        for row in part.rejected {
            let location = RecordLocation(
                number: row.location.number + linesBefore, unit: row.location.unit)
            let count = rejected.count { $0.rejection == row.rejection }
            guard count < RecordFile.mostExamples else { continue }
            rejected.append(
                RejectedRecord(
                    location: location, rejection: row.rejection, field: row.field,
                    value: row.value))
        }
        rejections.merge(part.rejections, uniquingKeysWith: +)
    }

    mutating func readJSON(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = JSONRecordScanner(fieldCount: SDOTField.allCases.count) {
            SDOTField(header: $0)?.rawValue
        }
        let places = Array(SDOTField.allCases.indices).map(Optional.some)
        while true {
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.number, unit: .record)
            switch step {
            case .end: return
            case .noObject:
                reject(location, .wrongShape, field: "entry", value: "no JSON object")
            case .record:
                record.set(scanner.fields, places: places, window.bytes.span)
                add(location, window.bytes.span)
            }
        }
    }

    private mutating func add(_ location: RecordLocation, _ bytes: Span<UInt8>) {
        do throws(RecordDefect) {
            let (opening, flags) = try parser.parse(record, bytes)
            records.append(ParsedRecord(location, opening, flags))
        } catch {
            reject(location, error.rejection, field: error.field, value: error.value)
        }
    }

    private mutating func reject(
        _ location: RecordLocation, _ rejection: RecordRejection, field: String, value: String
    ) {
        let count = rejections[rejection, default: 0]
        rejections[rejection] = count + 1
        guard count < RecordFile.mostExamples else { return }
        rejected.append(
            RejectedRecord(
                location: location, rejection: rejection, field: field,
                value: String(value.prefix(Self.longestValue))))
    }

    private func checkColumns(
        _ columns: [SDOTField?], _ names: [String], _ window: TextWindow
    ) throws(DocumentError) {
        var missing = SDOTField.required.filter { !columns.contains($0) }.map(\.name)
        if !columns.contains(.entityid), !columns.contains(.entityname) {
            missing.append("entityid or entityname")
        }
        guard missing.isEmpty else {
            let found = names.prefix(12).map { String($0.prefix(30)) }.joined(separator: ", ")
            throw window.error(
                "not SDOT opening records: no column \(missing.joined(separator: ", ")) "
                    + "in line 1 (found: \(found))")
        }
        for field in SDOTField.allCases where columns.filter({ $0 == field }).count > 1 {
            throw window.error("column \(field.name) stands twice")
        }
    }
}
