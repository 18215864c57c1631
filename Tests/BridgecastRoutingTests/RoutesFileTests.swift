// Our own form of routes read from bytes: the same routes as the decoder's, or its errors.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastData
@testable import BridgecastRouting
@testable import BridgecastSupport

@Suite struct RoutesFileTests {
    private func routes(_ steps: String, _ more: String = "") throws -> [Route] {
        let text =
            "{\"routes\":[{\"id\":\"r\",\"name\":\"n\",\"origin\":\"a\",\"destination\":\"b\","
            + "\(more)\"steps\":[\(steps)]}]}"
        return try RoutesFile.routes(Data(text.utf8), path: "routes.json")
    }

    @Test func stepsBecomeTravelAndCrossings() throws {
        let route = try #require(
            try routes("{\"minutes\":4},{\"bridge\":\"fremont\"},{\"minutes\":2.5,\"spread\":0}")
                .first)
        #expect(route.mode == .car)
        #expect(
            route.steps == [
                .travel(Route.Travel(meanMinutes: 4, spreadMinutes: 0.6)),
                .crossing(Fixtures.bridge("Fremont")),
                .travel(Route.Travel(meanMinutes: 2.5, spreadMinutes: 0)),
            ])
    }

    @Test(arguments: [
        ("{\"bridge\":\"Aurora\"}", "routes[0].steps[0].bridge: unknown bridge 'Aurora'"),
        ("{\"minutes\":-3}", "routes[0].steps[0].minutes: -3.0 is not between"),
        ("{\"minutes\":1e9}", "routes[0].steps[0].minutes"),
        ("{\"minutes\":3,\"spread\":4}", "routes[0].steps[0].spread"),
        ("{\"minutes\":300,\"spread\":61}", "routes[0].steps[0].spread: 61.0 is not between"),
        ("{\"minutes\":900},{\"minutes\":900}", "take more than a day"),
        ("{\"minutes\":\"3\"}", "routes[0].steps[0].minutes: should be a number"),
        ("{\"minuts\":3}", "routes[0].steps[0]: unknown field 'minuts'"),
        ("{}", "needs \"minutes\" or \"bridge\""),
        ("{\"minutes\":3,\"bridge\":\"Fremont\"}", "not both"),
        (
            "{\"bridge\":\"Fremont\",\"spread\":0}",
            "routes[0].steps[0].spread: belongs to a stretch with minutes, not to a bridge"
        ),
        ("{\"minutes\":1e400}", "line 1, column 84: the number is too large, or too close to zero"),
        ("", "0 steps"),
        (
            "{\"bridge\":\"Fremont\"},{\"minutes\":1},{\"bridge\":\"3\"}",
            "goes in a circle: Fremont twice"
        ),
        (
            "{\"minutes\":1,\"to\":\"x\"},{\"minutes\":1,\"to\":\"a\"}",
            "goes in a circle: through 'a' twice"
        ),
    ]) func mistakesAreNamedByLocation(_ example: (String, String)) {
        let error = #expect(throws: DocumentError.self) { try routes(example.0) }
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
    }

    @Test func otherErrorsAreNamedToo() {
        func reason(_ text: String) -> String {
            let error = #expect(throws: DocumentError.self) {
                try RoutesFile.routes(Data(text.utf8), path: "routes.json")
            }
            return error?.description ?? ""
        }
        #expect(reason("{\"routes\":[]}").contains("there are none"))
        #expect(reason("{\"routes\":[{").contains("not valid JSON"))
        #expect(reason("{\"routes\":[{\"id\":\"a\"}]}").contains("routes[0].name: is missing"))
        let one =
            "{\"id\":\"a\",\"name\":\"\",\"origin\":\"\",\"destination\":\"\",\"steps\":[{\"minutes\":1}]}"
        #expect(reason("{\"routes\":[\(one),\(one)]}").contains("'a' appears twice"))
        #expect(reason("{\"routes\":[\(one)],\"rooutes\":1}").contains("unknown field 'rooutes'"))
        let odd = one.dropLast() + ",\"colour\":1}"
        #expect(reason("{\"routes\":[\(odd)]}").contains("routes[0]: unknown field 'colour'"))
        #expect(reason("[1]").contains("the file: should be an object"))
        let many = Array(repeating: one, count: 10_001).joined(separator: ",")
        #expect(reason("{\"routes\":[\(many)]}").contains("10001 of them, at most 10000"))
        #expect(
            (#expect(throws: DocumentError.self) {
                try routes("{\"minutes\":1}", "\"mode\":\"boat\",")
            })?.description.contains("routes[0].mode: 'boat'") == true)
    }
}

@Suite struct OwnRoutesReaderTests {
    @Test func goodDocumentsNeedNoDecoder() throws {
        for text in OwnRoutesText.good {
            let bytes = Array(text.utf8)
            let found = OwnRoutesReader.document(bytes.span)
            let document = try #require(found, "\(text)")
            let routes = try document.checkedRoutes()
            #expect(routes == (try RoutesFile.decodedRoutes(Data(text.utf8))))
            #expect(try CandidateFile.candidates(Data(text.utf8), mode: .bike).routes == routes)
            #expect(try CandidateFile.read(Data(text.utf8), mode: .bike).routes == routes)
        }
    }

    @Test func unusualDocumentsAreLeftToTheDecoder() {
        let route =
            #"{"id":"a","name":"A","origin":"x","destination":"y","steps":[{"minutes":1}]}"#
        let odd = [
            "", "[]", "{}", #"{"routes":null}"#, #"{"routes":[\#(route)]} x"#,
            #"{"routes":[\#(route)],"code":"Ok"}"#, #"{"routes":[\#(route)],"routes":[]}"#,
            #"{"routes":[\#(route),]}"#, #"{"rout\u0065s":[\#(route)]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "01"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "1e999"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "\"1\""))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "steps", with: "legs"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "\"A\"", with: "\"\\ud800\""))]}"#,
        ]
        for text in odd {
            let bytes = Array(text.utf8)
            let isRead = OwnRoutesReader.document(bytes.span) != nil
            #expect(!isRead, "\(text)")
        }
    }

    /// Whatever the bytes: what the reader makes of them is what the decoder alone makes of them.
    @Test func anyBytesMeanTheSameToBothReaders() async {
        let fuzz = FuzzRun(usually: 20_000)
        let shares = await fuzz.results(Self.run)
        let direct = shares.reduce(0) { $0 + $1.direct }
        let refused = shares.reduce(0) { $0 + $1.refused }
        #expect(direct > fuzz.cases / 10 && refused > fuzz.cases / 10)
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) from seed \(fuzz.seed): \(direct) without the decoder, \(refused) refused"
            )
        }
    }

    private static func run(
        _ cases: Int, _ seed: UInt64
    ) -> (direct: Int, refused: Int) {
        var random = SeededGenerator(seed: seed)
        var direct = 0
        var refused = 0
        for round in 0..<cases {
            let bytes = OwnRoutesText.mutated(&random)
            let name: Comment =
                "seed \(seed), case \(round): \(String(decoding: bytes, as: UTF8.self))"
            if OwnRoutesReader.document(bytes.span) != nil { direct += 1 }
            let data = Data(bytes)
            let asCandidates = outcome { () throws(DocumentProblem) in
                try CandidateFile.candidates(data, mode: .car).routes
            }
            let decoded = outcome { () throws(DocumentProblem) in
                try CandidateFile.decodedCandidates(data, mode: .car).routes
            }
            #expect(asCandidates == decoded, name)
            let asFile = outcome { () throws(DocumentProblem) in
                do throws(DocumentError) {
                    return try RoutesFile.routes(data, path: "f")
                } catch {
                    throw error.problem
                }
            }
            #expect(
                asFile
                    == outcome { () throws(DocumentProblem) in try RoutesFile.decodedRoutes(data) },
                name)
            if case .failure = asFile { refused += 1 }
        }
        return (direct, refused)
    }

    private static func outcome(
        _ read: () throws(DocumentProblem) -> [Route]
    ) -> Result<[Route], DocumentProblem> {
        Result { () throws(DocumentProblem) in try read() }
    }

    /// To the last bit; what the reader leaves to the decoder is no number, or next to nothing.
    @Test func numbersAreTheDecodersNumbers() throws {
        var random = SeededGenerator(seed: 20_261_123)
        for _ in 0..<20_000 {
            let text = OwnRoutesText.number(&random)
            let bytes = Array(text.utf8)
            var cursor = JSONCursor(of: bytes.span)
            let number = try? cursor.decimal(bytes.span)
            let decoded = try? JSONDecoder().decode([Double].self, from: Data("[\(text)]".utf8))
            guard let number, cursor.position == bytes.count else {
                #expect(decoded?.first?.isNormal != true, "\(text)")
                continue
            }
            #expect(number.bitPattern == decoded?.first?.bitPattern, "\(text)")
        }
    }
}

enum OwnRoutesText {
    /// Documents in which nothing is unusual.
    static let good = [
        """
        {"about": "two ways", "routes": [
          {"id": "a", "name": "By Fremont", "origin": "Ballard", "destination": "Downtown",
           "mode": "car", "steps": [{"minutes": 6.5, "spread": 1.25}, {"bridge": "Fremont"},
           {"minutes": 8, "to": "Westlake"}]},
          {"steps": [{"minutes": 0.30000000000000004}, {"to": "x", "bridge": "2"}],
           "destination": "Downtown", "origin": "Ballard", "name": "Caf\\u00e9 \\ud83d\\ude00 \\"B\\"", "id": "b"}
        ]}
        """,
        """
        {"routes":[{"id":"Straße","name":"","origin":"a corner with a long name","destination":"日本",
        "mode":null,"steps":[{"minutes":4,"spread":null,"to":null,"bridge":null},{"bridge":"1st Ave S"}]},
        {"id":"2","name":"","origin":"a corner with a long name","destination":"日本",
        "mode":"walk","steps":[{"minutes":1e1,"spread":1.5E-1},{"minutes":-0,"spread":0}]}],"about":"\\t"}
        """,
    ]

    /// A document of `count` candidates of three steps.
    static func many(_ count: Int) -> String {
        let bridges = ["Ballard", "Fremont", "University", "Montlake", "1st Ave South"]
        let routes = (0..<count).map { number in
            """
            {"id":"route-\(number)","name":"Candidate \(number) by \(bridges[number % 5])",\
            "origin":"Ballard","destination":"Pike Place Market","mode":"car","steps":[\
            {"minutes":\(4 + Double(number % 97) / 8),"spread":1.2},{"bridge":"\(bridges[number % 5])"},\
            {"minutes":\(7 + Double(number % 89) / 16),"spread":1.75}]}
            """
        }
        return "{\"routes\":[\(routes.joined(separator: ","))]}"
    }

    /// A good document to which a few things were done.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        mutated(Array((good.randomElement(using: &random) ?? "").utf8), &random)
    }

    /// A document to which a few things were done.
    static func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3:
                bytes.insert(
                    contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
            case 4: bytes = Array(bytes.prefix(place))
            case 5, 6: exchangeDigits(&bytes, from: place, &random)
            default: exchangeWord(&bytes, from: place, &random)
            }
        }
        return bytes
    }

    /// The next digits become another number.
    private static func exchangeDigits(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededGenerator
    ) {
        guard let start = bytes[place...].firstIndex(where: { (48...57).contains($0) }) else {
            return
        }
        let end = bytes[start...].firstIndex { !(48...57).contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: Array(number(&random).utf8))
    }

    /// The next text or name becomes another one.
    private static func exchangeWord(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededGenerator
    ) {
        let quote = UInt8(ascii: "\"")
        guard let start = bytes[place...].firstIndex(of: quote),
            let end = bytes[(start + 1)...].firstIndex(of: quote)
        else { return }
        bytes.replaceSubrange(
            start...end, with: Array((texts.randomElement(using: &random) ?? "").utf8))
    }

    /// A number, or nearly one.
    static func number(_ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return numbers.randomElement(using: &random) ?? ""
        }
        func digits(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
        }
        let whole = String(Int.random(in: -20...2_000, using: &random))
        let fraction = Bool.random(using: &random) ? ".\(digits(20))" : ""
        let exponent = Int.random(in: 0..<6, using: &random) == 0 ? "e\(digits(2))" : ""
        return whole + fraction + exponent
    }

    private static let numbers = [
        "0", "-0", "00", "01", "-", "+1", "1.", ".5", "1e5", "1E+2", "1e-2", "1e999", "-1e999",
        "1e-400",
        "0e0", "0e999", "0.0e-5", "5e-324", "4.9e-325", "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740993.0", "123456789012345678901234567890", "1440", "1440.0000000001", "0.1e1",
        "1e",
        "1e+", "NaN", "Infinity", "0x10", "1_000", "999999999999999", "99999999999999.9", "1e22",
        "1e23",
        "8.41e21", "9.5367431640625e-7", "0.000000000000001", "1440.0",
        "100000000000000000000000e-22",
    ]

    private static let words = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "\n", "\t", "\u{0}", "\u{1f}",
        "\u{7f}",
        "\u{FEFF}", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\x", "\\/", "\\u12", "é",
        "e\u{301}",
        ",\"id\":\"a\"", "\"code\":\"Ok\",", "\"trip\":1,", "\"paths\":[],",
        "\"type\":\"Feature\",",
        "\"about\":7,", "\"legs\":[],", "{\"minutes\":1},", "{\"bridge\":\"Fremont\"},", "/**/",
        "NaN", " ",
    ]

    private static let texts = [
        "\"id\"", "\"name\"", "\"origin\"", "\"mode\"", "\"to\"", "\"bridge\"", "\"minutes\"",
        "\"steps\"",
        "\"routes\"", "\"about\"", "\"\"", "\"a\"", "\"b\"", "\"bike\"", "\"boat\"", "\"Ballard\"",
        "\"3\"",
        "\"Aurora\"", "\"\\u0041\"", "\"caf\\u00e9\"", "\"café\"", "\"\\n\"", "null", "1", "true",
        "{}", "[]",
        "\"plan\"", "\"error\"", "\"message\"", "\"status\"", "\"legs\"",
    ]
}
