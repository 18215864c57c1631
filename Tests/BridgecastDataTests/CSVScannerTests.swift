// The scanner of CSV: quotes and line breaks, and what a defect costs.
@testable import BridgecastData
import Testing

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
            let fields = scanner.fields.map { RawRecord.text($0, window.bytes.span) }
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

    @Test func aStrayQuoteCostsOnlyItsOwnLine() throws {
        let found = try records("a,b\n\"x\"y,1\nc,d\n\"open,2\n")
        #expect(found.map(\.defect) == [nil, .textAfterQuote, nil, .unterminatedQuote])
        #expect(found[2].fields == ["c", "d"])
    }

    /// A record is the same wherever the blocks of a long text divide it.
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

    @Test func aLineWithoutEndCostsItselfOnly() throws {
        let endless = String(repeating: "y", count: 3 << 20)
        let found = try records("a,b\n\(endless)\nc,d\n")
        #expect(found.map(\.defect) == [nil, .lineTooLong, nil])
        #expect(found.map(\.line) == [1, 2, 3])
    }
}
