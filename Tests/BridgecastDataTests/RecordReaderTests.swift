// Records read in parts and their numbers read many digits at once: the same results as when read plainly.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastData

@Suite struct RecordReaderTests {
    private let now = Fixtures.timestamp("2026-11-21T12:00")

    /// Rows of several parts' length, some of them bad, on known lines.
    private func table(rows: Int, oddRow: (Int) -> String?) -> [UInt8] {
        var text = "entityid,entityname,opendatetime,closedatetime,minutesopen\n"
        for row in 0..<rows {
            let minute = ClockText.twoDigits(row % 60)
            text +=
                oddRow(row)
                ?? "\"3\",\"Fremont\",\"2026-02-19T13:\(minute):00.000\",\"2026-02-19T14:05:00.000\",\"4\"\n"
        }
        return Array(text.utf8)
    }

    @Test func partsReadConcurrentlyAreInOrder() throws {
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
            // A name with a line end, which is part of the row.
            let hasLineEnd = row % 1_000 == 7
            text += hasLineEnd ? "3,\"Fre" : "3,Fremont"
            if hasLineEnd {
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

    @Test func aLoneCarriageReturnEndsARow() throws {
        let rows = (0..<6).map { "3,2026-02-19T13:0\($0):00,2026-02-19T13:05:00" }
        let text =
            "entityid,opendatetime,closedatetime\n" + rows[0] + "\r"
            + rows[1...].joined(separator: "\n")
        let file = try RecordFile(Array(text.utf8), name: "t", now: now)
        #expect(file.rowsRead == 6 && file.records.count == 6)
    }

    /// Fields with line breaks on every part's boundary, and a quote that never closes.
    @Test func recordsAcrossPartsAreReadInOrder() throws {
        let rows = 50_000
        let tall = "3,\"Fre\nmont\",2026-02-19T13:00:00.000,2026-02-19T13:05:00.000,5\n"
        let file = try RecordFile(
            table(rows: rows) { $0 == 100 ? "3,\"open,2026\n" : $0 % 2 == 1 ? tall : nil },
            name: "t",
            now: now)
        #expect(file.rowsRead == rows)
        #expect(file.rejections[.badQuoting] == 1)
        // The line break is ignored in a name; a row with one takes two lines.
        #expect(file.records.count == rows - 1)
        #expect(file.records.last?.location.number == rows + rows / 2)
    }

    /// The digest is computed during the parsing, in order, also where a part cannot be read separately.
    @Test(arguments: [nil, 100, 30_000, 59_999])
    func theDigestIsThatOfTheWholeText(tallRow: Int?) throws {
        let tall = "3,\"Fre\"\"\nmont\",2026-02-19T13:00:00.000,2026-02-19T13:05:00.000,5\n"
        let text = table(rows: 60_000) { $0 == tallRow ? tall : nil }
        let file = try RecordFile(text, name: "t", now: now)
        #expect(file.input.sha256 == hexadecimal(SHA256.hash(text)))
    }

    /// Bytes that are not text are found in every part and reported with their offset in the file.
    @Test(arguments: [100, 2_000_000, 4_000_000])
    func aZeroByteAnywhereRefusesTheFile(offset: Int) {
        var text = table(rows: 60_000) { _ in nil }
        text[offset] = 0
        let error = #expect(throws: DocumentError.self) {
            try RecordFile(text, name: "t", now: now)
        }
        #expect(error?.problem.problem.hasSuffix("a zero byte at offset \(offset)") == true)
    }
}

@Suite struct DigitTests {
    @Test func clockTimesAreReadLikeThePlainReader() {
        var random = SeededGenerator(seed: 3)
        var read = 0
        for _ in 0..<40_000 {
            var text = Array("T09:35:59.000\"".utf8)
            for index in [1, 2, 4, 5, 7, 8] where Bool.random(using: &random) {
                text[index] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
            }
            if Bool.random(using: &random) {
                text[Int.random(in: 1...12, using: &random)] = .random(in: 0...255, using: &random)
            }
            let second = SeattleClock.secondOfDay(text.span, 1)
            #expect(second == TimeText.secondOfDay(text.span, 1), "\(text)")
            read += second == nil ? 0 : 1
        }
        #expect(read > 2_000)
    }

    @Test(arguments: ["", "x", "12345678", "é,\"123456"])
    func numbersOfUpToSixDigits(before: String) {
        let texts = [
            "0", "7", "12", "007", "999999", "90210", "", "1234567", "1x", "x1", "-1", "1 ", "é",
        ]
        for text in texts {
            let bytes = Array((before + text).utf8)
            let isNumber =
                (1...6).contains(text.count) && text.utf8.allSatisfy { (48...57).contains($0) }
            let number = bytes.span.wholeNumber(before.utf8.count..<bytes.count)
            #expect(number == (isNumber ? Int(text) : nil), "\(before)\(text)")
        }
    }

    @Test func otherBytesAreNotDigits() {
        for byte in UInt8.min...UInt8.max {
            let number = [UInt8](repeating: byte, count: 9).span.wholeNumber(7..<9)
            #expect(number == ((48...57).contains(byte) ? (Int(byte) - 48) * 11 : nil))
        }
    }

    /// Times in bytes are read like times in text, for any bytes.
    @Test func timesInBytesAreReadLikeTimesInText() {
        var random = SeededGenerator(seed: 3)
        let base = Array("2026-02-20T17:50:00.000".utf8)
        for round in 0..<20_000 {
            var bytes = base
            for _ in 0..<(round % 4) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 32...126, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let fast = TimeText.parseFloating(bytes.span, 0..<bytes.count)
            #expect(fast == TimeText.parseFloating(text), "\(text)")
        }
    }
}
