// Rows of text in memory: what the fast way and the careful way find together is what the careful way finds alone.
@testable import BridgecastData
import BridgecastTestSupport
import Testing

@Suite struct CSVRowsTests {
    /// Lines, fields and defects of a text.
    private func rows(_ text: String, from start: Int = 0) -> [String] {
        var (rows, found) = (CSVRows(Array(text.utf8), from: start), [String]())
        while true {
            switch rows.next() {
            case .end: return found + ["\(rows.linesRead) lines"]
            case .defect(let words): found.append("\(rows.line): \(words)")
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
        var (scanner, found) = (CSVScanner(), [String]())
        while true {
            switch try scanner.next(&window) {
            case .end: return found + ["\(scanner.line - 1) lines"]
            case .defect(let defect): found.append("\(scanner.recordLine): \(defect.words)")
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

    /// A copy for each row with a doubled quote would make a file of them take the square of its length.
    @Test func doubledQuotesAreWrittenAnewWhereTheyStand() {
        let text = String(repeating: "1,2\n\"a \"\"b\"\"\",c\n", count: 50)
        var rows = CSVRows(Array(text.utf8))
        func place() -> UInt {
            unsafe rows.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        let before = place()
        var count = 0
        while rows.next() == .row {
            count += 1
            #expect(place() == before, "row \(count)")
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
