import BridgecastCore
import BridgecastTestSupport
import HTTPTypes
import Testing
@testable import BridgecastService

@Suite struct QueryTests {
    private func query(_ text: String) throws(Problem) -> Query {
        try Query(text[...], known: ["from", "to", "limit", "at", "mode", "bridge"])
    }

    private func problem(_ body: () throws -> Void) -> Problem? {
        do {
            try body()
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test func valuesAreDecoded() throws {
        let query = try query("from=15th+Ave+W+%26+W%20Dravus+St&to=%C3%9C")
        #expect(query.text("from") == "15th Ave W & W Dravus St")
        #expect(query.text("to") == "\u{DC}")
    }

    @Test(arguments: ["from=%", "from=%2", "from=%zz", "from=%ff", "from=%C3"])
    func malformedPercentEncodingIsRefused(text: String) {
        #expect(problem { _ = try query(text) }?.code == .badRequest)
    }

    @Test func anUnknownParameterIsRefusedWithTheKnownOnes() {
        let problem = problem { _ = try query("form=Ballard") }
        #expect(problem?.code == .unknownParameter)
        #expect(problem?.parameter == "form")
        #expect(problem?.near.contains("from") == true)
    }

    /// Clients share an answer by it.
    @Test func queriesThatMeanTheSameHaveOneKey() throws {
        func key(_ text: String) throws -> String {
            try Query(text[...], known: ["a", "b", "c", Query.cacheBuster]).key()
        }
        #expect(try key("a=1&b=%C3%9C") == key("b=\u{DC}&t=5&a=1&t="))
        #expect(try key("a=1&b=2") != key("a=1%26b=2"))
        #expect(try key("a=1&b=2") != key("a=2&b=1"))
        #expect(try Set(["a=1%261:b%3D1", "a=1&b=1", "a=1", "b=1", ""].map(key)).count == 5)
    }

    @Test func aWrongQueryHasItsOtherValues() {
        let (query, problem) = Query.reading("x=1&a=2&b=&b=3", known: ["a", "b"])
        #expect(problem?.parameter == "x" && query.text("a") == "2" && query.text("b") == "3")
    }

    @Test func aRepeatedParameterIsRefused() {
        #expect(problem { _ = try query("from=a&from=b") }?.parameter == "from")
    }

    @Test(arguments: ["from=", "from", "from&to=a", "to=a&from="])
    func anEmptyValueIsRefused(text: String) {
        #expect(problem { _ = try query(text) }?.parameter == "from")
    }

    @Test(arguments: ["-1", "Bal%00lard", "%E2%80%AEFremont"])
    func aBridgesNameAmongOtherCharactersIsRefused(text: String) {
        #expect(problem { _ = try query("bridge=\(text)").bridge() }?.parameter == "bridge")
    }

    @Test func numbersAreCheckedAgainstTheirRange() throws {
        let good = try query("limit=7")
        #expect(try good.integer("limit", in: 1...1000, default: 100) == 7)
        #expect(try query("").integer("limit", in: 1...1000, default: 100) == 100)
        for text in ["0", "1001", "seven", "1e2", "99999999999999999999", " 7"] {
            let problem = problem {
                _ = try query("limit=\(text)").integer("limit", in: 1...1000, default: 100)
            }
            #expect(problem?.status == .badRequest)
            #expect(problem?.recovery == "limit takes a whole number from 1 to 1000")
        }
    }

    @Test func timesAreRFC3339OrSeattleTime() throws {
        let zulu = try query("at=2026-02-21T02:02:00Z").time("at")
        #expect(zulu == Fixtures.timestamp("2026-02-20T18:02"))
        #expect(try query("at=2026-02-20T18:02").time("at") == zulu)
        #expect(problem { _ = try query("at=yesterday").time("at") }?.parameter == "at")
        // An hour that the clocks leave out.
        #expect(problem { _ = try query("at=2026-03-08T02:30").time("at") }?.parameter == "at")
    }

    @Test func bridgesAreFoundByNameOrNumber() throws {
        #expect(try query("bridge=fremont").bridge() == Fixtures.bridge("Fremont"))
        #expect(try query("bridge=3").bridge() == Fixtures.bridge("Fremont"))
        #expect(try query("").bridge() == nil)
        let problem = problem { _ = try query("bridge=Freemont").bridge() }
        #expect(problem?.near.first == "Fremont")
    }

    @Test func controlCharactersAreNotEchoed() {
        let problem = problem { _ = try query("mode=%1b%5b31mred").mode() }
        #expect(problem?.detail.contains("\u{1B}") == false)
    }
}

@Suite struct MediaTypeTests {
    private let forms: [MediaType] = [.json, .csv, .ndjson]

    @Test(
        arguments: [
            (nil, MediaType.json), ("", .json), ("*/*", .json), ("text/csv", .csv),
            ("text/*", .csv), ("application/json;q=0.5, text/csv", .csv),
            ("text/csv;q=0.1, application/*;q=0.9", .json),
            ("application/json;q=0, */*", .csv), ("TEXT/CSV", .csv),
            ("text/html, application/xhtml+xml, */*;q=0.8", .json),
            ("application/x-ndjson ; q=1.0 , text/csv;q=0.9", .ndjson),
        ] as [(String?, MediaType)])
    func thePreferredMediaTypeIsChosen(accept: String?, form: MediaType) throws {
        #expect(try MediaType.chosen(of: forms, accept: accept) == form)
    }

    @Test(arguments: ["text/html", "application/json;q=0", "image/*", "nonsense", ";;;", "*/*;q=0"])
    func anUnacceptableRequestListsTheMediaTypes(accept: String) {
        do {
            let form = try MediaType.chosen(of: forms, accept: accept)
            Issue.record("\(form) was chosen")
        } catch {
            #expect(error.status == .notAcceptable)
            #expect(error.near == forms.map(\.rawValue))
        }
    }
}
