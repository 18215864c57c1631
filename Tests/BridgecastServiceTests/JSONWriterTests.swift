// JSON as bytes: well-formed, rounded as documented, and read back unchanged; times as TimeText has them.
import BridgecastAnswers
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JSONWriterTests {
    /// A document with a field of each kind.
    private struct Everything: JSONAnswer {
        let text: String

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.field("text", text)
                json.field("nothing", nil as String?)
                json.field("flag", true)
                json.field("number", -12)
                json.field("ratio", 0.123_456_7, decimals: 5)
                json.list("numbers", [1, 2.5, .nan], decimals: 1)
                json.list("empty", [] as [String])
                json.object("inner") { $0.field("inside", 1) }
                json.field("document", Inner())
                json.list("documents", [Inner(), Inner()])
                json.field(named: "named", 2, decimals: 0)
            }
        }
    }

    private struct Inner: JSONAnswer {
        func write(to json: inout JSONWriter) {
            json.object { json in
                json.list("pairs", [[1.0, 2], [3, 4]]) { $0.value($1, decimals: 0) }
                json.object("nothing") { _ in }
            }
        }
    }

    @Test func bothFormsHaveOneValue() throws {
        let document = Everything(text: "plain")
        #expect(
            document.jsonLine()
                == #"{"text":"plain","nothing":null,"flag":true,"number":-12,"ratio":0.12346,"numbers":[1,2.5,null],"#
                + #""empty":[],"inner":{"inside":1},"document":{"pairs":[[1,2],[3,4]],"nothing":{}},"#
                + #""documents":[{"pairs":[[1,2],[3,4]],"nothing":{}},{"pairs":[[1,2],[3,4]],"nothing":{}}],"named":2}"#
        )
        let line = try JSONSerialization.jsonObject(with: Data(document.jsonBytes()))
        let text = try JSONSerialization.jsonObject(with: Data(document.jsonText().utf8))
        #expect(line as? NSDictionary == text as? NSDictionary)
        #expect(document.jsonText().contains("\n  \"text\": \"plain\",\n"))
    }

    @Test func textsSurviveAndHideNothing() throws {
        for text in [
            "", "a \"quoted\" \\ text", "two\nlines\t\r", "Ünïcödé 漢字 🌉", "\u{0}\u{7F}\u{1B}[2J",
            "\u{202E}reversed\u{2066}", "e\u{301}", "</script>", "\u{FEFF}\u{2028}",
        ] {
            let bytes = Everything(text: text).jsonBytes()
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect((object["text"] as? String).map { Array($0.utf8) } == Array(text.utf8))
            let shown = String(decoding: bytes, as: UTF8.self).unicodeScalars
            #expect(shown.allSatisfy { $0.isPrintable })
        }
    }

    @Test func numbersAreRounded() {
        func written(_ number: Double, _ decimals: Int) -> String {
            var json = JSONWriter()
            json.value(number, decimals: decimals)
            return String(decoding: json.bytes, as: UTF8.self)
        }
        for (number, decimals, text) in [
            (0, 5, "0"), (-0.0, 5, "0"), (1, 1, "1"), (10, 0, "10"), (100.5, 1, "100.5"),
            (0.05, 2, "0.05"), (-0.004, 2, "0"), (-1.25, 2, "-1.25"), (0.999_999, 5, "1"),
            (123_456.75, 1, "123456.8"), (8e14, 1, "800000000000000"), (.infinity, 1, "null"),
            (.nan, 1, "null"), (1e300, 3, "1e+300"), (-122.376_2, 6, "-122.3762"),
        ] {
            #expect(written(number, decimals) == text, "\(number)")
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let decimals = Int.random(in: 0...9, using: &generator)
            let number = Double.random(in: -1e4...1e4, using: &generator)
            let back = Double(written(number, decimals)) ?? .nan
            #expect(abs(back - number) <= 0.500_001 * pow(10, -Double(decimals)) + 1e-11)
        }
    }

    @Test func timesAreWrittenAsByTimeText() {
        var generator = SeededGenerator(seed: 7)
        // The clocks of Seattle change in these hours of 2026; others are anywhere.
        let changes: [Int64] = [1_772_964_000, 1_793_523_600]
        let near = changes.flatMap { change in (-3...3).map { change + $0 * 1_799 } }
        let random = (0..<500).map { _ in
            Int64.random(in: -1_000_000_000...4_000_000_000, using: &generator)
        }
        var json = JSONWriter()
        for second in near + random + near {
            let time = Timestamp(secondsSinceEpoch: second)
            json.removeAll()
            json.object { $0.field("t", time) }
            #expect(
                String(decoding: json.bytes, as: UTF8.self)
                    == "{\"t\":\"\(TimeText.rfc3339(time))\"}")
        }
    }
}
