// Reads the records of a text: JSON, and CSV in parts on all cores, put together in order.
internal import BridgecastCore
internal import BridgecastSupport
private import Foundation
private import Synchronization

struct RecordReader {
    private(set) var results = RecordResults()

    private var parser: SDOTRecordParser
    private var regularRows = RegularRows()
    private static let partBytes = 1 << 20
    /// Workers wait while more parts than this are not digested.
    private static let maxUndigested = 4
    /// At least two, so that tests of parts mean something on one core.
    private static let workers = min(4, max(2, ProcessInfo.processInfo.activeProcessorCount))

    init(now: Timestamp) { parser = SDOTRecordParser(now: now) }

    // MARK: CSV

    /// Reads all records of a CSV file, on all cores where records end with their lines.
    mutating func readCSV(_ window: inout TextWindow) throws(DocumentError) {
        var scanner = CSVScanner()
        let header = window.bytes[window.start..<window.end].prefix { $0 != 10 && $0 != 13 }
        let separator = Self.otherSeparator(in: header).map { name in
            window.error(
                "fields are separated by \(name), not by ','; save the file with commas",
                at: "line 1")
        }
        guard try scanner.next(&window) == .record else {
            throw separator ?? window.error("line 1 is not a CSV header")
        }
        let names = scanner.fields.map { RawRecord.text($0, window.bytes.span) }
        guard scanner.fieldCount == names.count else {
            throw window.error(
                "line 1 has \(scanner.fieldCount) columns; the maximum is \(names.count)")
        }
        let fields = names.map { SDOTField(header: $0) }
        do throws(DocumentError) {
            try checkColumns(fields, named: names, of: window)
        } catch {
            throw separator ?? error
        }
        let columns = fields.map { $0?.rawValue }
        let line = try readParts(&window, columns, line: scanner.line)
        _ = try readRows(&window, columns, line: line, isPart: false)
    }

    /// What separates the fields of a header if it is no comma, for a message; nil if it seems to be one.
    private static func otherSeparator(in header: ArraySlice<UInt8>) -> String? {
        let commas = header.count { $0 == UInt8(ascii: ",") }
        return [
            (UInt8(ascii: ";"), "';'"), (UInt8(ascii: "\t"), "tabs"), (UInt8(ascii: "|"), "'|'"),
        ]
        .first { other in header.count { $0 == other.0 } > commas }?.1
    }

    private func checkColumns(
        _ columns: [SDOTField?], named names: [String], of window: TextWindow
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
            throw window.error("column \(field.name) appears twice")
        }
    }

    /// Reads the lines of a long text in parts, several at a time.
    ///
    /// A record that extends past the end of its part ends this: the rest is left in the window.
    ///
    /// - Parameter columns: For each column the index of its ``SDOTField``, if it is one.
    /// - Returns: The line at which the window starts.
    private mutating func readParts(
        _ window: inout TextWindow, _ columns: [Int?], line: Int
    ) throws(DocumentError) -> Int {
        let now = parser.now
        let source = Mutex(PartSource(window))
        let merger = Mutex(PartMerger(results, line: line))
        let digest = Mutex(window.digest)
        DispatchQueue.concurrentPerform(iterations: Self.workers) { _ in
            // Workers take turns at reading, digesting and merging; all parse at the same time.
            var reader = RecordReader(now: now)
            while let part = source.withLock({ $0.takePart(bytes: Self.partBytes) }) {
                merger.withLock { $0.keep(part) }
                let result = reader.readPart(part, columns)
                if result == nil { source.withLock { $0.stop() } }
                let undigested = merger.withLock {
                    $0.finish(part.number, result)
                    return $0.undigestedCount
                }
                if undigested > Self.maxUndigested {
                    digest.withLock { Self.digestParts(of: merger, &$0) }
                } else {
                    digest.withLockIfAvailable { Self.digestParts(of: merger, &$0) }
                }
            }
        }
        let text = source.withLock { $0 }
        if let error = text.error { throw error }
        window = text.window
        let done = digest.withLock { digest in
            Self.digestParts(of: merger, &digest)
            return (merger: merger.withLock { $0 }, digest: digest)
        }
        window.resume(done.merger.unfinished, with: done.digest)
        results = done.merger.results
        return done.merger.line
    }

    private static func digestParts(
        of merger: borrowing Mutex<PartMerger>, _ digest: inout SHA256
    ) {
        while let part = merger.withLock({ $0.takeUndigested() }) {
            digest.update(part.bytes.span.extracting(part.digested...))
        }
    }

    /// - Returns: Its records, with lines counted from its first, and its number of lines; nil if a
    ///   quote is open at its end.
    private mutating func readPart(
        _ part: NumberedPart, _ columns: [Int?]
    ) -> (results: RecordResults, lines: Int)? {
        let count = results.records.count
        results = RecordResults()
        results.reserve(count + count / 8)
        var lines = TextWindow(part.text, path: part.path)
        guard let end = try? readRows(&lines, columns, line: 1, isPart: true) else { return nil }
        return (results, end - 1)
    }

    /// - Returns: The line after the window; nil if it is a part and a quote is open at its end.
    private mutating func readRows(
        _ window: inout TextWindow, _ columns: [Int?], line: Int, isPart: Bool
    ) throws(DocumentError) -> Int? {
        var scanner = CSVScanner(line: line)
        var record = RawRecord()
        while true {
            window.consume(
                to: addRegularRows(
                    window.bytes.span, in: window.start..<window.end, &scanner, columns: columns))
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.recordLine, unit: .line)
            switch step {
            case .end: return scanner.line
            case .defect(.unterminatedQuote) where isPart: return nil
            case .defect(let defect):
                let last = scanner.fields.last.map { RawRecord.text($0, window.bytes.span) }
                results.reject(location, .badQuoting, field: defect.message, value: last ?? "")
            case .record where scanner.fieldCount != columns.count:
                rejectShape(location, fieldCount: scanner.fieldCount, expected: columns.count)
            case .record:
                record.set(scanner.fields, columns: columns, window.bytes.span)
                add(record, at: location, window.bytes.span)
            }
        }
    }

    /// - Returns: The index at which the first row starts that is not regular.
    private mutating func addRegularRows(
        _ bytes: Span<UInt8>, in range: Range<Int>, _ scanner: inout CSVScanner, columns: [Int?]
    ) -> Int {
        var start = range.lowerBound
        var record = RawRecord()
        while true {
            regularRows.find(bytes, in: start..<range.upperBound)
            guard regularRows.count > 0 else { return start }
            for row in 0..<regularRows.count {
                let location = RecordLocation(number: scanner.line, unit: .line)
                scanner.skipCountedLine()
                let fieldCount = regularRows.fieldCount(of: row)
                if fieldCount == columns.count {
                    record.set(row, of: regularRows, columns: columns, bytes)
                    add(record, at: location, bytes)
                } else if !regularRows.isEmptyLine(row, bytes) {
                    rejectShape(location, fieldCount: fieldCount, expected: columns.count)
                }
            }
            start = regularRows.end(of: regularRows.count - 1)
        }
    }

    private mutating func rejectShape(_ location: RecordLocation, fieldCount: Int, expected: Int) {
        results.reject(
            location, .wrongShape, field: "\(fieldCount) fields", value: "expected \(expected)")
    }

    // MARK: JSON

    /// - Parameter areLines: Whether it is an object a line, not an array.
    mutating func readJSON(
        _ window: inout TextWindow, areLines: Bool
    ) throws(DocumentError) {
        var scanner = JSONRecordScanner(
            fieldCount: SDOTField.allCases.count, areLines: areLines
        ) { SDOTField(header: $0)?.rawValue }
        let columns = Array(SDOTField.allCases.indices).map(Optional.some)
        var record = RawRecord()
        while true {
            let step = try scanner.next(&window)
            let location = RecordLocation(number: scanner.number, unit: .record)
            switch step {
            case .end: return
            case .noObject:
                results.reject(location, .wrongShape, field: "entry", value: "not a JSON object")
            case .record:
                record.set(scanner.fields, columns: columns, window.bytes.span)
                add(record, at: location, window.bytes.span)
            }
        }
    }

    @inline(__always)
    private mutating func add(
        _ record: borrowing RawRecord, at location: RecordLocation, _ bytes: Span<UInt8>
    ) {
        do throws(RecordDefect) {
            let (opening, flags) = try parser.parse(record, bytes)
            results.add(ParsedRecord(location, opening, flags))
        } catch {
            results.reject(location, error.rejection, field: error.field, value: error.value)
        }
    }
}

// MARK: - Results

/// The records of a text or a part of it, and an account of those that were rejected.
struct RecordResults {
    private(set) var records: [ParsedRecord] = []
    private(set) var rejected: [RejectedRecord] = []
    private(set) var rejections: [RecordRejection: Int] = [:]

    private static let maxValueLength = 60

    mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

    @inline(__always)
    mutating func add(_ record: ParsedRecord) { records.append(record) }

    mutating func reject(
        _ location: RecordLocation, _ rejection: RecordRejection, field: String, value: String
    ) {
        let count = rejections[rejection, default: 0]
        rejections[rejection] = count + 1
        guard count < RecordFile.maxExamples else { return }
        rejected.append(
            RejectedRecord(
                location: location, rejection: rejection, field: field,
                value: String(value.prefix(Self.maxValueLength))))
    }

    /// Appends the results of a later part of the same file.
    mutating func add(_ part: RecordResults, linesBefore: Int) {
        records.append(contentsOf: part.records.lazy.map { $0.moved(lines: linesBefore) })
        for row in part.rejected {
            let count = rejected.count { $0.rejection == row.rejection }
            guard count < RecordFile.maxExamples else { continue }
            rejected.append(row.moved(lines: linesBefore))
        }
        rejections.merge(part.rejections, uniquingKeysWith: +)
    }
}

// MARK: - Parts

struct NumberedPart {
    /// From 0, in the order of the text.
    let number: Int
    let text: TextPart
    /// The text's name in errors.
    let path: String
}

/// Hands out the parts of a long text in order.
struct PartSource {
    private(set) var window: TextWindow
    /// Why there are no more parts, if the text is at fault.
    private(set) var error: DocumentError?

    private var count = 0
    private var isAtEnd = false

    init(_ window: TextWindow) { self.window = window }

    /// The next part of about `bytes` bytes; nil if the rest is shorter, or after ``stop()``.
    mutating func takePart(bytes: Int) -> NumberedPart? {
        guard !isAtEnd else { return nil }
        do throws(DocumentError) {
            if let part = try window.takeLines(bytes: bytes) {
                count += 1
                return NumberedPart(number: count - 1, text: part, path: window.path)
            }
        } catch {
            self.error = error
        }
        isAtEnd = true
        return nil
    }

    mutating func stop() { isAtEnd = true }
}

/// Merges the results of parts in the order of the text, and keeps the parts until they have been digested.
struct PartMerger {
    private(set) var results: RecordResults
    /// The line after the last merged part.
    private(set) var line: Int

    /// Parts that are not both digested and merged.
    private var parts: [Int: TextPart] = [:]
    /// Results that wait for those before them; nil if a part cannot be read separately.
    private var waiting: [Int: (results: RecordResults, lines: Int)?] = [:]
    private var taken = 0
    private var digested = 0
    private var merged = 0

    init(_ results: RecordResults, line: Int) {
        self.results = results
        self.line = line
    }

    /// The text of the parts that are not in `results`.
    var unfinished: [UInt8] {
        (merged..<taken).flatMap { number in parts[number].map { $0.bytes[$0.start...] } ?? [] }
    }

    var undigestedCount: Int { taken - digested }

    /// Keeps a part until it has been digested and merged.
    mutating func keep(_ part: NumberedPart) {
        parts[part.number] = part.text
        taken += 1
    }

    /// The next part to digest, in the order of the text.
    mutating func takeUndigested() -> TextPart? {
        guard let part = parts[digested] else { return nil }
        digested += 1
        forget(digested - 1)
        return part
    }

    /// Merges a part's result when those before it are there; nil if the part cannot be read separately.
    mutating func finish(_ number: Int, _ result: (results: RecordResults, lines: Int)?) {
        waiting[number] = .some(result)
        while case .some(.some(let next)) = waiting[merged] {
            results.add(next.results, linesBefore: line - 1)
            line += next.lines
            waiting[merged] = nil
            merged += 1
            forget(merged - 1)
        }
    }

    private mutating func forget(_ number: Int) {
        if number < min(digested, merged) { parts[number] = nil }
    }
}
