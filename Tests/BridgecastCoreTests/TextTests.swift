// Text from outside: what is shown of it, how its times are read, and what is said of JSON that was not decoded.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TextTests {
    @Test func linesAreShownAsTheyAreButForWhatIsInvisible() {
        #expect(printableLines("a\tb\nc") == "a\tb\nc")
        #expect(printableLines("é█ →\n") == "é█ →\n")
        #expect(
            printableLines("\u{1B}[2J\r\u{7F}\u{200B}x") == "\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}x")
    }

    @Test func lettersOfEastAsiaAndPicturesTakeTwoColumns() {
        for (text, columns) in [
            ("Ballard", 7), ("süd", 3), ("东京駅", 6), ("서울역", 6), ("ﾄｳｷｮｳ", 5), ("🚌 542", 6),
            ("u\u{308}", 1), ("✈\u{FE0F}", 2), ("✈", 1), ("שלום", 4), ("", 0),
        ] {
            #expect(text.terminalColumns == columns, "\(text)")
        }
        #expect("东京駅".prefix(terminalColumns: 5) == "东京")
        #expect("Ballard".prefix(terminalColumns: 3) == "Bal")
        #expect("駅".prefix(terminalColumns: 1).isEmpty)
    }

    @Test func whatIsWrongWithADocumentIsToldByItsPlace() {
        struct Item: Decodable {
            let id: String
            let count: Int
        }
        func problem(_ text: String) -> String {
            do {
                _ = try JSONDecoder().decode([Item].self, from: Data(text.utf8))
                return ""
            } catch {
                return DocumentProblem(decoding: error).description
            }
        }
        #expect(problem(#"[{"id": "a", "count": 1}]"#) == "")
        #expect(problem(#"[{"count": 1}]"#) == "[0].id: is missing")
        #expect(problem(#"[{"id": 3, "count": 1}]"#) == "[0].id: should be text")
        #expect(problem(#"[{"id": "a", "count": "x"}]"#) == "[0].count: should be a number")
        #expect(problem(#"[{"id": null, "count": 1}]"#) == "[0].id: must not be null")
        #expect(problem("[7]") == "[0]: should be an object")
        #expect(problem("{}") == "the file: should be a list")
        #expect(problem("[{") == "not valid JSON, or cut short")
    }
}

@Suite struct TextFromOutsideTests {
    @Test func escapeSequencesLoseTheirPower() {
        let text = printable("\u{1B}[2J\u{1B}]0;evil\u{07}Robert'); DROP\u{202E}\u{0}\n\r\u{9B}31m")
        #expect(
            !text.unicodeScalars.contains { $0.value < 32 || $0 == "\u{9B}" || $0 == "\u{202E}" })
        #expect(text.contains("Robert'); DROP"))
        #expect(printable("Brücke, 1st Ave é 橋") == "Brücke, 1st Ave é 橋")
        #expect(printable(String(repeating: "x", count: 500), most: 20).count == 20)
    }

    /// The fast reading of times in bytes is that of times in text, on any bytes.
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
