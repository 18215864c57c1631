// Documents whatever they hold: what is tolerated in those of others, refused in our own, and how it is told.
import BridgecastCore
@testable import BridgecastData
import Foundation
import Testing

@Suite struct DocumentTests {
    private struct Theirs: Decodable {
        @Lenient var count: Int?
        let seconds: Lenient<Double>?
        @Lenient var list: [Lenient<Int>]?
    }

    private struct Ours: OwnObject {
        let name: String
        let parts: [Strict<Part>]?

        enum CodingKeys: CodingKey, CaseIterable { case name, parts }

        struct Part: OwnObject {
            let id: Int

            enum CodingKeys: CodingKey, CaseIterable { case id }
        }
    }

    private func problem(_ text: String, whole: DocumentProblem? = nil) -> DocumentProblem? {
        #expect(throws: DocumentProblem.self) {
            try JSONDocument.decoded(Strict<Ours>.self, from: Data(text.utf8), whole: whole)
        }
    }

    @Test func valuesOfOthersAreReadOrLeftOutEachOnItsOwn() throws {
        func read(_ text: String) throws -> Theirs {
            try JSONDocument.decoded(Theirs.self, from: Data(text.utf8))
        }
        let good = try read(#"{"count": 3, "seconds": 2.5, "list": [1, "two", null, 4]}"#)
        #expect(good.count == 3 && good.seconds?.wrappedValue == 2.5)
        #expect(good.list?.map(\.wrappedValue) == [1, nil, nil, 4])
        // What is there and is no number is not what is missing.
        let odd = try read(#"{"count": "3", "seconds": null, "list": {}, "more": 1}"#)
        #expect(odd.count == nil && odd.seconds != nil && odd.seconds?.wrappedValue == nil)
        #expect(odd.list == nil)
        #expect(try read("{}").seconds == nil)
    }

    @Test func whatIsWrongWithOurOwnIsToldByItsPlace() {
        #expect(problem(#"{"name": 1}"#) == DocumentProblem("name", "should be text"))
        #expect(
            problem(#"{"name": "a", "parts": [{"id": 1}, {"id": 2, "idd": 3}]}"#)
                == DocumentProblem("parts[1]", "unknown field 'idd' (known: id)"))
        #expect(
            problem(#"{"name": "a", "zz": 1, "aa": 2}"#)
                == DocumentProblem("the file", "unknown field 'aa' (known: name, parts)"))
        #expect(problem(#"{"parts": [7]}"#) == DocumentProblem("name", "is missing"))
        let whole = DocumentProblem("", "expected a name")
        #expect(problem("[]", whole: whole) == whole && problem("{", whole: whole) == whole)
        #expect(problem("[]") == DocumentProblem("the file", "should be an object"))
    }

    @Test func anErrorNamesTheDocumentThePlaceAndTheProblem() {
        let problem = DocumentProblem("line 7", "is no time")
        let error = DocumentError(problem, in: "a.csv")
        #expect(error.description == "a.csv: line 7: is no time" && error.kind == .data)
        let missing = DocumentError(
            DocumentProblem("", "there is no such file"), in: "b.csv", kind: .missing)
        #expect(missing.description == "b.csv: there is no such file" && missing.kind == .missing)
        #expect(FeedError.timedOut(url: "u", seconds: 1).kind == .io)
        #expect(FeedError.address(url: "u").kind == .data)
    }
}
