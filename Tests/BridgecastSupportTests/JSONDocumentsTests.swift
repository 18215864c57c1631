// JSON documents: what is tolerated in lenient values, refused in strict objects, and how it is reported.
import BridgecastSupport
import Foundation
import Testing

@Suite struct JSONDocumentsTests {
    private struct Theirs: Decodable {
        @LenientValue var count: Int?
        let seconds: LenientValue<Double>?
        @LenientValue var list: [LenientValue<Int>]?
    }

    private struct Ours: StrictDecodable {
        let name: String
        let parts: [StrictObject<Part>]?

        enum CodingKeys: CodingKey, CaseIterable { case name, parts }

        struct Part: StrictDecodable {
            let id: Int

            enum CodingKeys: CodingKey, CaseIterable { case id }
        }
    }

    private func problem(_ text: String, whole: DocumentProblem? = nil) -> DocumentProblem? {
        #expect(throws: DocumentProblem.self) {
            try JSONDocument.decoded(StrictObject<Ours>.self, from: Data(text.utf8), whole: whole)
        }
    }

    @Test func lenientValuesAreReadOneByOne() throws {
        func read(_ text: String) throws -> Theirs {
            try JSONDocument.decoded(Theirs.self, from: Data(text.utf8))
        }
        let good = try read(#"{"count": 3, "seconds": 2.5, "list": [1, "two", null, 4]}"#)
        #expect(good.count == 3 && good.seconds?.wrappedValue == 2.5)
        #expect(good.list?.map(\.wrappedValue) == [1, nil, nil, 4])
        // A value of another type differs from a missing one.
        let odd = try read(#"{"count": "3", "seconds": null, "list": {}, "more": 1}"#)
        #expect(odd.count == nil && odd.seconds != nil && odd.seconds?.wrappedValue == nil)
        #expect(odd.list == nil)
        #expect(try read("{}").seconds == nil)
    }

    @Test func problemsOfStrictObjectsHaveLocations() {
        #expect(problem(#"{"name": 1}"#) == DocumentProblem("name", "should be text"))
        #expect(
            problem(#"{"name": "a", "parts": [{"id": 1}, {"id": 2, "idd": 3}]}"#)
                == DocumentProblem("parts[1]", "unknown field 'idd' (known: id)"))
        #expect(
            problem(#"{"name": "a", "zz": 1, "aa": 2}"#)
                == DocumentProblem("the file", "unknown field 'aa' (known: name, parts)"))
        #expect(problem(#"{"parts": [7]}"#) == DocumentProblem("name", "is missing"))
        let whole = DocumentProblem("", "expected a name")
        #expect(problem("[]", whole: whole) == whole)
        // Where it is no JSON at all, the place where it breaks is named.
        #expect(problem("{", whole: whole)?.location == "line 1, column 2")
        #expect(problem("{\n\"a\\", whole: whole)?.location == "line 2, column 4")
        #expect(problem("[]") == DocumentProblem("the file", "should be an object"))
    }

    @Test func anErrorNamesDocumentLocationAndProblem() {
        let problem = DocumentProblem("line 7", "is not a time")
        let error = DocumentError(problem, in: "a.csv")
        #expect(error.description == "a.csv: line 7: is not a time" && error.kind == .data)
        let missing = DocumentError(
            DocumentProblem("", "there is no such file"), in: "b.csv", kind: .missing)
        #expect(missing.description == "b.csv: there is no such file" && missing.kind == .missing)
    }

    @Test func decodingErrorsBecomeProblems() {
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

    @Test(arguments: [
        ("[{", "line 1, column 3: not valid JSON, or cut short"),
        ("", "line 1, column 1: not valid JSON, or cut short"),
        ("<html>", "line 1, column 1: not valid JSON, or cut short"),
        ("[\n  1,\n  é]", "line 3, column 3: not valid JSON, or cut short"),
        ("[\"é\", x]", "line 1, column 7: not valid JSON, or cut short"),
        ("[1]\n  2", "line 2, column 3: not valid JSON, or cut short"),
        ("[1, \"x\"]", "[1]: should be a number"), ("{}", "the file: should be a list"),
    ])
    func whatIsNoJSONIsLocated(_ example: (String, String)) {
        let problem = #expect(throws: DocumentProblem.self) {
            try JSONDocument.decoded([Int].self, from: Data(example.0.utf8))
        }
        #expect(problem?.description == example.1)
        let named = #expect(throws: DocumentProblem.self) {
            try JSONDocument.decoded(
                [Int].self, from: Data(example.0.utf8), whole: DocumentProblem("", "no numbers"))
        }
        let isInvalid = example.1.hasSuffix("cut short")
        #expect(named?.description.hasPrefix("line") == isInvalid)
        #expect(named?.problem.contains("no numbers") == (isInvalid || example.0 == "{}"))
    }

    @Test(arguments: [
        ("[1,\n -1e400]", "line 2, column 2"), (#"["1e400\"", 1e999]"#, "line 1, column 13"),
    ])
    func numbersThatNoDoubleHoldsAreLocated(_ example: (String, String)) {
        struct Anything: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(String.self)) == nil {
                    _ = try container.decode(Double.self)
                }
            }
        }
        let problem = #expect(throws: DocumentProblem.self) {
            try JSONDocument.decoded([Anything].self, from: Data(example.0.utf8))
        }
        #expect(
            problem?.description == "\(example.1): the number is too large, or too close to zero")
    }
}
