// A long file read in parts at once: every row in order and on its own line, wherever a part ends.
import BridgecastCore
@testable import BridgecastData
import BridgecastDigest
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PartwiseReadingTests {
    private let now = Fixtures.moment("2026-11-21T12:00")

    /// Rows of several parts' length, some of them bad, at known lines.
    private func table(rows: Int, oddRow: (Int) -> String?) -> [UInt8] {
        var text = "entityid,entityname,opendatetime,closedatetime,minutesopen\n"
        for row in 0..<rows {
            let minute = row % 60 < 10 ? "0\(row % 60)" : "\(row % 60)"
            text +=
                oddRow(row)
                ?? "\"3\",\"Fremont\",\"2026-02-19T13:\(minute):00.000\",\"2026-02-19T14:05:00.000\",\"4\"\n"
        }
        return Array(text.utf8)
    }

    @Test func partsReadAtOnceAreTheWholeReadInOrder() throws {
        let rows = 60_000  // about 4 MB: several parts
        let file = try RecordFile(
            table(rows: rows) { $0 % 9_973 == 17 ? "99,Nowhere,2026-02-19T13:00:00,,\n" : nil },
            name: "t", now: now)
        let bad = (0..<rows).filter { $0 % 9_973 == 17 }
        #expect(file.rejections == [.unknownBridge: bad.count] && file.rowsRead == rows)
        #expect(file.rejected.map(\.location.number) == bad.prefix(3).map { $0 + 2 })
        #expect(
            file.records.map(\.location.number).elementsEqual(
                (0..<rows).filter { !bad.contains($0) }.map { $0 + 2 }))
        #expect(file.records[40_000].opening.minutes ?? 0 > 4)
    }

    /// Every row counts, on its own line, whatever ends it, and wherever a block of the text ends.
    @Test(arguments: [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r", "\r\r", "\n\n", "\r\n\r\n"]])
    func everyLineEndEndsARow(_ ends: [String]) throws {
        var random = SeededGenerator(seed: 4)
        let rows = 30_000  // several blocks and parts
        var text = "entityid,entityname,opendatetime,closedatetime"
        var lines: [Int] = []
        var line = 1
        func endLine() {
            let end = ends.randomElement(using: &random) ?? "\n"
            line += end.replacingOccurrences(of: "\r\n", with: "\n").unicodeScalars.count
            text += end
        }
        endLine()
        for row in 0..<rows {
            lines.append(line)
            // A name with a line end in it, which is part of the row.
            let isTall = row % 1_000 == 7
            text += isTall ? "3,\"Fre" : "3,Fremont"
            if isTall {
                endLine()
                text += "mont\""
            }
            text += ",2026-02-19T13:0\(row % 10):00.000,\"2026-02-19T14:05:00.000\""
            if row < rows - 1 { endLine() }
        }
        let file = try RecordFile(Array(text.utf8), name: "t", now: now)
        #expect(file.rejections.isEmpty)
        #expect(file.records.map(\.location.number).elementsEqual(lines))
    }

    @Test func aLoneCarriageReturnCostsNoRow() throws {
        let rows = (0..<6).map { "3,2026-02-19T13:0\($0):00,2026-02-19T13:05:00" }
        let text =
            "entityid,opendatetime,closedatetime\n" + rows[0] + "\r"
            + rows[1...].joined(separator: "\n")
        let file = try RecordFile(Array(text.utf8), name: "t", now: now)
        #expect(file.rowsRead == 6 && file.records.count == 6)
    }

    /// A field with line breaks inside, on every part's boundary at once, and a quote that never closes.
    @Test func recordsThatRunOverPartsAreReadInOrder() throws {
        let rows = 50_000
        let tall = "3,\"Fre\nmont\",2026-02-19T13:00:00.000,2026-02-19T13:05:00.000,5\n"
        let file = try RecordFile(
            table(rows: rows) { $0 == 100 ? "3,\"open,2026\n" : $0 % 2 == 1 ? tall : nil },
            name: "t",
            now: now)
        #expect(file.rowsRead == rows)
        #expect(file.rejections[.badQuoting] == 1)
        // The line break counts for nothing in a name; a row with one takes two lines.
        #expect(file.records.count == rows - 1)
        #expect(file.records.last?.location.number == rows + rows / 2)
    }

    /// The digest is made beside the parsing, in order, also where a part cannot be read alone.
    @Test(arguments: [nil, 100, 30_000, 59_999])
    func theDigestIsThatOfTheWholeText(tallRow: Int?) throws {
        let tall = "3,\"Fre\"\"\nmont\",2026-02-19T13:00:00.000,2026-02-19T13:05:00.000,5\n"
        let text = table(rows: 60_000) { $0 == tallRow ? tall : nil }
        let file = try RecordFile(text, name: "t", now: now)
        #expect(file.input.sha256 == hexadecimal(SHA256.hash(text)))
    }

    /// Bytes that are no text are found in every part and told by their place in the file.
    @Test(arguments: [100, 2_000_000, 4_000_000])
    func aZeroByteAnywhereRefusesTheFile(place: Int) {
        var text = table(rows: 60_000) { _ in nil }
        text[place] = 0
        let error = #expect(throws: DocumentError.self) {
            try RecordFile(text, name: "t", now: now)
        }
        #expect(error?.problem.problem.hasSuffix("a zero byte at offset \(place)") == true)
    }
}
