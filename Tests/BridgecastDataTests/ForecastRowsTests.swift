// Rows of forecasts that clients ask for: what is read, how mistakes are named, and that no bytes do harm.
@testable import BridgecastSupport
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ForecastRowsTests {
    private static func rows(_ text: String) throws(DocumentProblem) -> ForecastRows {
        try ForecastRows(Array(text.utf8), maxRows: 3, maxDepth: 4)
    }

    @Test func rowsSayWhereAndWhen() throws {
        let asked = try Self.rows(
            """
            {"mode": "bike", "rows": [{"bridge": "fremont bridge", "lead_min": 10.5},
             {"at": "2026-02-20T18:10", "bridge": 3}, {"bridge": "\\u0032\\u0039"}], "detail": "full"}
            """)
        let fremont = Fixtures.bridge("Fremont")
        #expect(
            asked.rows == [
                ForecastRows.Row(bridge: fremont, leadMinutes: 10.5, at: nil),
                ForecastRows.Row(
                    bridge: fremont, leadMinutes: nil, at: Fixtures.timestamp("2026-02-20T18:10")),
                ForecastRows.Row(bridge: Fixtures.bridge("South Park"), leadMinutes: nil, at: nil),
            ])
        #expect(asked.mode == .bike && asked.isFull)
        let usual = try Self.rows(#"{"rows":[{"bridge":2,"lead_min":null}],"mode":null}"#)
        #expect(usual.mode == .car && !usual.isFull && usual.rows[0].leadMinutes == nil)
    }

    @Test(arguments: [
        ("", "byte 0: is not valid JSON"), ("{", "byte 1: is not valid JSON"),
        ("[]", "the body: should be an object with rows"), ("{}", "rows: is missing"),
        (#"{"rows":null}"#, "rows: is missing"), (#"{"rows":[]}"#, "rows: the list is empty"),
        (#"{"rows":{}}"#, "rows: should be a list"),
        (#"{"rows":[5]}"#, "rows[0]: should be an object"),
        (#"{"rows":[{}]}"#, "rows[0].bridge: is missing"),
        (
            #"{"rows":[{"bridge":2},{"bridge":"Fremon"}]}"#,
            "rows[1].bridge: there is no bridge 'Fremon'"
        ),
        (#"{"rows":[{"bridge":3.5}]}"#, "rows[0].bridge: there is no bridge 3.5"),
        (#"{"rows":[{"bridge":1e300}]}"#, "rows[0].bridge: there is no bridge"),
        (#"{"rows":[{"bridge":0}]}"#, "rows[0].bridge: there is no bridge 0; known: 2 Ballard"),
        (#"{"rows":[{"bridge":1e400}]}"#, "rows[0].bridge: the number is too large"),
        (#"{"rows":[{"bridge":3,"lead_min":1e400}]}"#, "rows[0].lead_min: the number is too large"),
        (#"{"rows":[{"bridge":true}]}"#, "rows[0].bridge: should be a bridge's name"),
        (#"{"rows":[{"bridge":3,"lead_min":-1}]}"#, "rows[0].lead_min: -1 is not between"),
        (#"{"rows":[{"bridge":3,"lead_min":527041}]}"#, "rows[0].lead_min: 527041 is not"),
        (#"{"rows":[{"bridge":3,"lead_min":"1"}]}"#, "rows[0].lead_min: should be a number"),
        (#"{"rows":[{"bridge":3,"at":"soon"}]}"#, "rows[0].at: 'soon' is not a time"),
        (#"{"rows":[{"bridge":3,"at":5}]}"#, "rows[0].at: should be a time as text"),
        (
            #"{"rows":[{"bridge":3,"at":"2026-02-20T18:10","lead_min":1}]}"#,
            "rows[0]: has both lead_min and at"
        ),
        (
            #"{"rows":[{"bridge":3,"lead":1}]}"#,
            "rows[0]: unknown field 'lead' (known: bridge, lead_min, at)"
        ),
        (#"{"rows":[{"bridge":3,"bridge":3}]}"#, "rows[0]: 'bridge' appears twice"),
        (#"{"rows":[{"bridge":3}],"colour":1}"#, "the body: unknown field 'colour'"),
        (#"{"rows":[{"bridge":3}],"mode":"boat"}"#, "mode: 'boat' is not one of car, bike, walk"),
        (#"{"rows":[{"bridge":3}],"detail":7}"#, "detail: should be text"),
        (#"{"rows":[{"bridge":3}]} x"#, "byte 23: unexpected text after the end"),
        (
            #"{"rows":[{"bridge":3},{"bridge":3},{"bridge":3},{"bridge":3}]}"#,
            "rows: more than 3 at once"
        ),
        (#"{"rows":[[[[["#, "byte 11: objects and lists nest more than 4 deep"),
    ]) func mistakesAreNamedByLocation(_ example: (String, String)) {
        let problem = #expect(throws: DocumentProblem.self) { _ = try Self.rows(example.0) }
        #expect(problem?.description.contains(example.1) == true, "\(problem?.description ?? "")")
    }

    @Test func depthIsCountedOutsideTexts() throws {
        func check(_ text: String, maxDepth: Int) throws {
            let bytes = Array(text.utf8)
            try JSONDepth.check(bytes.span, maxDepth: maxDepth)
        }
        let flat = #"{"a":"[[[[[\"[[[[[","b":[1,2],"c":[]}"#
        try check(flat, maxDepth: 2)
        let problem = #expect(throws: DocumentProblem.self) { try check(flat, maxDepth: 1) }
        #expect(problem?.location == "byte 24")
        try check(String(repeating: "[", count: 512), maxDepth: 512)
        for text in ["\"", "\"\\", "]]]][", "{\"a\\"] { try check(text, maxDepth: 1) }
    }

    private static let words = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "\u{0}", "\\u0000", "\\ud800", "é", "NaN",
        " ",
        "{\"bridge\":3},", "\"mode\":\"car\",", "\"lead_min\":1e400,", "\"rows\":[],", "\"at\":7,",
    ].map { Array($0.utf8) }

    private static let seeds = [
        #"{"rows":[{"bridge":"Fremont","lead_min":10},{"bridge":3,"at":"2026-02-20T18:10"}],"mode":"car"}"#,
        #" {"detail":"full","rows":[{"at":"2026-02-20T18:10:00-08:00","bridge":"1st Ave South"},{"bridge":21}]} "#,
    ]

    /// Rows that are read are in their ranges, and Foundation finds as many in the text.
    @Test func anyBytesAreReadOrRefused() async {
        let fuzz = FuzzRun(usually: 20_000)
        let shares = await fuzz.results(Self.run)
        let read = shares.reduce(0, +)
        #expect(read > fuzz.cases / 20 && read < fuzz.cases)
    }

    private static func run(_ cases: Int, _ seed: UInt64) -> Int {
        var random = SeededGenerator(seed: seed)
        var read = 0
        for round in 0..<cases {
            let text = seeds.randomElement(using: &random) ?? ""
            let bytes = mutated(Array(text.utf8), words: words, &random)
            guard let asked = try? ForecastRows(bytes, maxRows: 10, maxDepth: 8) else { continue }
            read += 1
            let name: Comment =
                "seed \(seed), case \(round): \(String(decoding: bytes, as: UTF8.self))"
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            #expect((object?["rows"] as? [Any])?.count == asked.rows.count, name)
            #expect((1...10).contains(asked.rows.count), name)
            for row in asked.rows {
                #expect(row.leadMinutes == nil || row.at == nil, name)
                #expect((0...ForecastRows.maxLeadMinutes).contains(row.leadMinutes ?? 0), name)
            }
        }
        return read
    }
}
