// Takes a text apart into records of either form and keeps what became of each; used by RecordFile.
internal import BridgecastCore
private import BridgecastDigest
private import Foundation
private import Synchronization

/// Collects the records of one text.
struct RecordReader {
    private(set) var results = RecordResults()

    private var parser: SDOTRecordParser
    private var regularRows = RegularRows()
    private static let partBytes = 1 << 20
    /// Parts that may wait for their digest before everybody does.
    private static let mostWaiting = 4
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
        let source = Mutex(PartSource(window))
        let reading = Mutex(PartwiseReading(results, line: line))
        let digest = Mutex(window.digest)
        DispatchQueue.concurrentPerform(iterations: Self.workers) { _ in
            // Workers take turns at reading, digesting and putting together; all parse at once.
            var reader = RecordReader(now: now)
            while let part = source.withLock({ $0.takePart(bytes: Self.partBytes) }) {
                reading.withLock { $0.keep(part) }
                let result = reader.readPart(part, places)
                if result == nil { source.withLock { $0.stop() } }
                let waiting = reading.withLock {
                    $0.finish(part.number, result)
                    return $0.undigestedCount
                }
                if waiting > Self.mostWaiting {
                    digest.withLock { Self.digestParts(of: reading, &$0) }
                } else {
                    digest.withLockIfAvailable { Self.digestParts(of: reading, &$0) }
                }
            }
        }
        let text = source.withLock { $0 }
        if let error = text.error { throw error }
        window = text.window
        let done = digest.withLock { digest in
            Self.digestParts(of: reading, &digest)
            return (reading: reading.withLock { $0 }, digest: digest)
        }
        window.resume(done.reading.unfinished, with: done.digest)
        results = done.reading.whole
        return done.reading.line
    }

    private static func digestParts(
        of reading: borrowing Mutex<PartwiseReading>, _ digest: inout SHA256
    ) {
        while let part = reading.withLock({ $0.takeUndigested() }) {
            digest.update(part.bytes.span.extracting(part.digested...))
        }
    }

    /// Reads a part alone.
    ///
    /// - Returns: Its records, their lines counted from its own first, and how many lines it has; nil if a quote is
    ///   open at its end.
    private mutating func readPart(
        _ part: NumberedPart, _ places: [Int?]
    ) -> (results: RecordResults, lines: Int)? {
        let count = results.records.count
        results = RecordResults()
        results.reserve(count + count / 8)
        var lines = TextWindow(part.text, path: part.path)
        guard let end = try? readRows(&lines, places, line: 1, isPart: true) else { return nil }
        return (results, end - 1)
    }

    /// Reads rows to the end of a window.
    ///
    /// - Returns: The line behind it; nil if it is a part and a quote is open at its end.
    private mutating func readRows(
        _ window: inout TextWindow, _ places: [Int?], line: Int, isPart: Bool
    ) throws(DocumentError) -> Int? {
        var scanner = CSVScanner(line: line)
        var record = RawRecord()
        while true {
            window.consume(
                to: addRegularRows(
                    window.bytes.span, window.start..<window.end, &scanner, places))
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.recordLine, unit: .line)
            switch step {
            case .end: return scanner.line
            case .defect(.unterminatedQuote) where isPart: return nil
            case .defect(let defect):
                let last = scanner.fields.last.map { RawRecord.text($0, window.bytes.span) }
                results.reject(location, .badQuoting, field: defect.words, value: last ?? "")
            case .record where scanner.fieldCount != places.count:
                rejectShape(location, fieldCount: scanner.fieldCount, places)
            case .record:
                record.set(scanner.fields, places: places, window.bytes.span)
                add(record, location, window.bytes.span)
            }
        }
    }

    /// Reads rows of which a glance tells the fields, as many as follow each other.
    ///
    /// - Returns: Where the next row starts.
    private mutating func addRegularRows(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ scanner: inout CSVScanner, _ places: [Int?]
    ) -> Int {
        var start = range.lowerBound
        var record = RawRecord()
        while true {
            regularRows.find(bytes, in: start..<range.upperBound)
            guard regularRows.count > 0 else { return start }
            for row in 0..<regularRows.count {
                let location = RecordLocation(number: scanner.line, unit: .line)
                scanner.pass()
                let fieldCount = regularRows.fieldCount(of: row)
                if fieldCount == places.count {
                    record.set(row, of: regularRows, places: places, bytes)
                    add(record, location, bytes)
                } else if !regularRows.isEmptyLine(row, bytes) {
                    rejectShape(location, fieldCount: fieldCount, places)
                }
            }
            start = regularRows.end(of: regularRows.count - 1)
        }
    }

    mutating func readJSON(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = JSONRecordScanner(fieldCount: SDOTField.allCases.count) {
            SDOTField(header: $0)?.rawValue
        }
        let places = Array(SDOTField.allCases.indices).map(Optional.some)
        var record = RawRecord()
        while true {
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.number, unit: .record)
            switch step {
            case .end: return
            case .noObject:
                results.reject(location, .wrongShape, field: "entry", value: "no JSON object")
            case .record:
                record.set(scanner.fields, places: places, window.bytes.span)
                add(record, location, window.bytes.span)
            }
        }
    }

    @inline(__always)
    private mutating func add(
        _ record: borrowing RawRecord, _ location: RecordLocation, _ bytes: Span<UInt8>
    ) {
        do throws(RecordDefect) {
            let (opening, flags) = try parser.parse(record, bytes)
            results.add(ParsedRecord(location, opening, flags))
        } catch {
            results.reject(location, error.rejection, field: error.field, value: error.value)
        }
    }

    private mutating func rejectShape(
        _ location: RecordLocation, fieldCount: Int, _ places: [Int?]
    ) {
        results.reject(
            location, .wrongShape, field: "\(fieldCount) fields",
            value: "expected \(places.count)")
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
