// The scanner of CSV, rows of text in memory, and rows found many at a time: all read the same.
import BridgecastTestSupport
import Glibc
import Testing

@testable import BridgecastSupport

private func text(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> String {
    String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
}

@Suite struct CSVScannerTests {
    private struct Record {
        let line: Int
        let fields: [String]
        let defect: CSVDefect?
    }

    private func records(_ text: String) throws -> [Record] {
        var window = try TextWindow(Array(text.utf8), path: "text")
        var scanner = CSVScanner()
        var records: [Record] = []
        while true {
            let step = try scanner.next(&window)
            let fields = scanner.fields.map { BridgecastSupportTests.text($0, window.bytes.span) }
            switch step {
            case .record:
                records.append(Record(line: scanner.recordLine, fields: fields, defect: nil))
            case .defect(let defect):
                records.append(Record(line: scanner.recordLine, fields: fields, defect: defect))
            case .end: return records
            }
        }
    }

    @Test func quotesCommasLineBreaksAndEmptyFields() throws {
        let found = try records("a,\"b,\"\"c\"\"\",\r\n\n\"two\nlines\",x\nlast,")
        #expect(
            found.map(\.fields) == [["a", "b,\"c\"", ""], ["two\nlines", "x"], ["last", ""]])
        #expect(found.map(\.line) == [1, 3, 5])
        #expect(found.allSatisfy { $0.defect == nil })
    }

    @Test func aStrayQuoteAffectsOnlyItsLine() throws {
        let found = try records("a,b\n\"x\"y,1\nc,d\n\"open,2\n")
        #expect(found.map(\.defect) == [nil, .textAfterQuote, nil, .unterminatedQuote])
        #expect(found[2].fields == ["c", "d"])
    }

    /// A record is the same wherever a block of a long text ends.
    @Test func blocksMayEndAnywhere() throws {
        let record = "\"a \"\"quoted\"\" é\",\"b\nc\",d\r\n"
        for shift in 0..<record.utf8.count {
            let filler = String(repeating: "x", count: TextWindow.blockBytes - shift) + "\n"
            let found = try records(filler + record + "last\n")
            #expect(found.count == 3 && found.allSatisfy { $0.defect == nil })
            #expect(found[1].fields == ["a \"quoted\" é", "b\nc", "d"])
            #expect(found.map(\.line) == [1, 2, 4])
        }
    }

    @Test func aLineThatIsTooLongAffectsOnlyItself() throws {
        let endless = String(repeating: "y", count: 3 << 20)
        let found = try records("a,b\n\(endless)\nc,d\n")
        #expect(found.map(\.defect) == [nil, .lineTooLong, nil])
        #expect(found.map(\.line) == [1, 2, 3])
    }
}

@Suite struct CSVRowsTests {
    /// Lines, fields and defects of a text.
    private func rows(_ text: String, from start: Int = 0) -> [String] {
        var rows = CSVRows(Array(text.utf8), from: start)
        var found: [String] = []
        while true {
            switch rows.next() {
            case .end: return found + ["\(rows.linesRead) lines"]
            case .defect(let message): found.append("\(rows.line): \(message)")
            case .row:
                let fields = rows.fields.map {
                    String(decoding: rows.bytes[$0.range], as: UTF8.self)
                }
                found.append("\(rows.line): \(fields.joined(separator: "|"))")
            }
        }
    }

    /// The same by the scanner alone.
    private func scanned(_ text: String) throws -> [String] {
        var window = TextWindow(
            TextPart(bytes: Array(text.utf8), start: 0, digested: 0), path: "")
        var scanner = CSVScanner()
        var found: [String] = []
        while true {
            switch try scanner.next(&window) {
            case .end: return found + ["\(scanner.line - 1) lines"]
            case .defect(let defect): found.append("\(scanner.recordLine): \(defect.message)")
            case .record:
                let fields = scanner.fields.map {
                    String(decoding: window.bytes[$0.range], as: UTF8.self)
                }
                found.append("\(scanner.recordLine): \(fields.joined(separator: "|"))")
            }
        }
    }

    @Test func rowsAreFoundBetweenEmptyLinesQuotesAndDefects() {
        #expect(
            rows("a,b\n\n\"c,\"\"d\"\"\",e\r\n\"x\"y,1\nlast,") == [
                "1: a|b", "3: c,\"d\"|e", "4: text after a quote", "5: last|", "4 lines",
            ])
        #expect(rows("") == ["0 lines"])
        #expect(rows("xxa,b\n", from: 2) == ["1: a|b", "1 lines"])
    }

    /// Copies of the text for each row with a doubled quote would take quadratic time.
    @Test func doubledQuotesAreReplacedInPlace() {
        let text = String(repeating: "1,2\n\"a \"\"b\"\"\",c\n", count: 50)
        var rows = CSVRows(Array(text.utf8))
        func address() -> UInt {
            unsafe rows.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        let before = address()
        var count = 0
        while rows.next() == .row {
            count += 1
            #expect(address() == before, "row \(count)")
        }
        #expect(count == 100)
    }

    @Test func anyTextIsReadAsTheScannerReadsIt() throws {
        var random = SeededGenerator(seed: 4)
        let pieces = [
            "a", "12", ",", ",", ",", "\n", "\n", "\r\n", "\"", "\"\"", "\"x\"", " ", "é",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            #expect(try rows(text) == scanned(text), "\(text.debugDescription)")
        }
    }
}

@Suite struct RegularRowsTests {
    private struct Found: Equatable {
        /// Without empty lines.
        var rows: [[String]] = []
        /// The start of the first row that was not found.
        var end = 0
    }

    private func found(_ kernel: RowKernel, _ bytes: Span<UInt8>, from start: Int) -> Found {
        var rows = RegularRows(kernel)
        rows.find(bytes, in: start..<bytes.count)
        var found = Found(end: start)
        for row in 0..<rows.count {
            found.end = rows.end(of: row)
            guard !rows.isEmptyLine(row, bytes) else { continue }
            var start = rows.start(of: row)
            found.rows.append(
                (0..<rows.fieldCount(of: row)).map { column in
                    let slice = rows.nextField(column, of: row, bytes, start: &start)
                    return BridgecastSupportTests.text(slice, bytes)
                })
        }
        return found
    }

    /// The first records of the scanner.
    private func scanned(_ bytes: [UInt8], count: Int) throws -> [[String]] {
        guard !bytes.isEmpty else { return [] }
        var window = TextWindow(TextPart(bytes: bytes, start: 0, digested: 0), path: "text")
        var scanner = CSVScanner()
        return try (0..<count).map { _ in
            guard try scanner.next(&window) == .record else { return ["a defect"] }
            return scanner.fields.map { BridgecastSupportTests.text($0, window.bytes.span) }
        }
    }

    /// Text of few letters, so that quotes meet separators in every way; mostly regular, so that rows are found.
    private func text(_ length: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let fields = ["", "a", "bc", "é", "\"d,e\"", "\"\"", "\"f\""]
        let ends = [",", ",", "\n", "\r\n"]
        let odd = ["\"", "\r", "\"\"\"", "\"h\ni\"", "j\"k"]
        let rarity = Int.random(in: 3...300, using: &random)
        var bytes: [UInt8] = []
        while bytes.count < length {
            let isOdd = Int.random(in: 0..<rarity, using: &random) == 0
            bytes += Array(((isOdd ? odd : fields).randomElement(using: &random) ?? "").utf8)
            bytes += Array((ends.randomElement(using: &random) ?? "").utf8)
        }
        return Array(bytes.prefix(length))
    }

    @Test func everyKernelFindsTheScannersRows() throws {
        var random = SeededGenerator(seed: 11)
        var (rows, stops) = (0, 0)
        for length in Array(0...200)
            + (0..<400).map({ _ in Int.random(in: 200...9000, using: &random) })
        {
            let text = text(length, &random)
            let plain = found(RowKernel.available[0], text.span, from: 0)
            #expect(try scanned(text, count: plain.rows.count) == plain.rows)
            for kernel in RowKernel.available.dropFirst() {
                #expect(found(kernel, text.span, from: 0) == plain, "\(kernel), \(length) bytes")
            }
            rows += plain.rows.count
            stops += plain.end < length ? 1 : 0
        }
        #expect(rows > 10_000 && stops > 100)
    }

    /// Every length around the vectors' sizes, in texts that start at any offset.
    @Test func offsetsAndLengthsDoNotMatter() {
        let row = Array("\"x\",yy,\"\"\r\n".utf8)
        for start in 0..<70 {
            for length in 0..<200 {
                let rows = (0..<length).map { row[$0 % row.count] }
                let bytes = [UInt8](repeating: UInt8(ascii: "\""), count: start) + rows
                for kernel in RowKernel.available {
                    let found = found(kernel, bytes.span, from: start)
                    #expect(found.rows.allSatisfy { $0 == ["x", "yy", ""] })
                    #expect(found.end == start + found.rows.count * row.count)
                    #expect(found.rows.count == length / row.count)
                }
            }
        }
    }

    /// The text ends where memory does: a byte read beyond it would end this program.
    @Test func nothingBeyondTheTextIsRead() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mapped = unsafe mmap(
            nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let memory = unsafe try #require(mapped)
        defer { unsafe munmap(memory, 2 * page) }
        #expect(unsafe mprotect(memory + page, page, PROT_NONE) == 0)
        let row = Array("\"x\",yy,z\n".utf8)
        for length in 0...300 {
            let text = unsafe UnsafeMutableBufferPointer(
                start: (memory + page - length).assumingMemoryBound(to: UInt8.self), count: length)
            for index in 0..<length { unsafe text[index] = row[index % row.count] }
            let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(text))
            for kernel in RowKernel.available {
                let found = found(kernel, span, from: 0)
                #expect(found.rows.count == length / row.count)
            }
        }
    }
}
