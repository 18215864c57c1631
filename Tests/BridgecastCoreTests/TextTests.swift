// Text from outside: what is shown of it, and what is said of a JSON document that was not decoded.
@testable import BridgecastCore
import Foundation
import Testing

@Suite struct TextTests {
    @Test func linesAreShownAsTheyAreButForWhatIsInvisible() {
        #expect(printableLines("a\tb\nc") == "a\tb\nc")
        #expect(printableLines("é█ →\n") == "é█ →\n")
        #expect(
            printableLines("\u{1B}[2J\r\u{7F}\u{200B}x") == "\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}x")
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
