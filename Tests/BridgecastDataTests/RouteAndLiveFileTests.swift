// Route files and live states: what is read, and how mistakes are named.
@testable import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

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
        ("{\"minutes\":-3}", "routes[0].steps[0].minutes: -3.0 does not lie"),
        ("{\"minutes\":1e9}", "routes[0].steps[0].minutes"),
        ("{\"minutes\":3,\"spread\":4}", "routes[0].steps[0].spread"),
        ("{\"minutes\":300,\"spread\":61}", "routes[0].steps[0].spread: 61.0 does not lie"),
        ("{\"minutes\":900},{\"minutes\":900}", "take more than a day"),
        ("{\"minutes\":\"3\"}", "routes[0].steps[0].minutes: should be a number"),
        ("{\"minuts\":3}", "routes[0].steps[0]: unknown field 'minuts'"),
        ("{}", "needs \"minutes\" or \"bridge\""),
        ("{\"minutes\":3,\"bridge\":\"Fremont\"}", "not both"),
        ("", "0 steps"),
        (
            "{\"bridge\":\"Fremont\"},{\"minutes\":1},{\"bridge\":\"3\"}",
            "goes in a circle: Fremont twice"
        ),
        (
            "{\"minutes\":1,\"to\":\"x\"},{\"minutes\":1,\"to\":\"a\"}",
            "goes in a circle: through 'a' twice"
        ),
    ]) func mistakesAreNamedByPlace(_ example: (String, String)) {
        let error = #expect(throws: DocumentError.self) { try routes(example.0) }
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
    }

    @Test func otherMistakesAreNamedToo() {
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
        #expect(reason("{\"routes\":[\(one),\(one)]}").contains("'a' stands twice"))
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

@Suite struct LiveFileTests {
    private func read(_ text: String) throws -> LiveSnapshot {
        try withFile(text.utf8, "live.json") { try LiveFile.read($0) }
    }

    /// The shape of GetBridgeData: a JSON string that contains a JSON array.
    private let city =
        "[{\"BridgeID\":3,\"DisplayName\":\"Fremont\",\"Latitude\":47.6,\"Longitude\":-122.3,"
        + "\"Name\":\"Bridge_Fremont.Input01\",\"Status\":\"Open\"},"
        + "{\"BridgeID\":2,\"Status\":\"Closed\"},{\"BridgeID\":21,\"Status\":\"Closed\"}]"

    @Test func theCitysReplyIsReadWrappedOrNot() throws {
        let wrapped = String(decoding: try JSONEncoder().encode(city), as: UTF8.self)
        for text in [city, wrapped] {
            let live = try read(text)
            #expect(live.asOf == nil)
            // "Open" is open to boats: raised. What it does not name is not "lowered".
            #expect(
                live.states == [
                    Fixtures.bridge("Fremont"): .raised(since: nil),
                    Fixtures.bridge("Ballard"): .lowered,
                    // It has no sensor.
                    Fixtures.bridge("University"): .unknown,
                ])
        }
    }

    @Test func ourFormHasTimesAndOpenings() throws {
        let live = try read(
            """
            {"asOf": "2026-02-20T12:00:00-08:00", "observedSince": "2026-02-20T08:00",
             "bridges": [{"bridge": "Fremont", "state": "raised", "since": "2026-02-20T11:58"}],
             "openings": [{"bridge": "Ballard", "raised": "2026-02-20T11:40", "lowered": "2026-02-20T11:45"}]}
            """)
        #expect(live.asOf == Fixtures.moment("2026-02-20T12:00"))
        #expect(
            live.states[Fixtures.bridge("Fremont")]
                == .raised(since: Fixtures.moment("2026-02-20T11:58")))
        #expect(
            live.openings == [Fixtures.opening("Ballard", "2026-02-20T11:40", "2026-02-20T11:45")])
    }

    @Test(arguments: [
        ("{\"bridges\":[{\"bridge\":\"Aurora\",\"state\":\"raised\"}]}", "bridges[0].bridge"),
        ("{\"bridges\":[{\"bridge\":\"3\",\"state\":\"open\"}]}", "not raised, lowered or unknown"),
        ("{\"asOf\":\"now\",\"bridges\":[]}", "asOf"),
        ("[{\"BridgeID\":77,\"Status\":\"Open\"}]", "77"),
        (
            "{\"bridges\":[],\"openings\":[{\"bridge\":\"3\",\"raised\":\"2026-02-20T12:00\",\"lowered\":\"2026-02-20T11:00\"}]}",
            "before raised"
        ),
        ("{\"bridge\":1}", "expected GetBridgeData"), ("[", "not valid JSON"),
        (
            "{\"bridges\":[{\"bridge\":\"3\",\"state\":\"raised\"},{\"bridge\":\"Fremont\",\"state\":\"lowered\"}]}",
            "bridges[1].bridge: Fremont stands twice"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"bridges\":[{\"bridge\":\"3\",\"state\":\"raised\",\"since\":\"2026-02-20T12:01\"}]}",
            "bridges[0].since: lies after asOf"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"observedSince\":\"2026-02-20T12:01\",\"bridges\":[]}",
            "observedSince: lies after asOf"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"bridges\":[],\"openings\":[{\"bridge\":\"3\",\"raised\":\"2026-02-20T11:00\",\"lowered\":\"2026-02-20T12:30\"}]}",
            "openings[0].lowered: lies after asOf"
        ),
        (
            "{\"bridges\":[{\"bridge\":\"3\",\"state\":\"lowered\"}],\"openings\":[{\"bridge\":\"3\",\"raised\":\"2026-02-20T11:00\"}]}",
            "but Fremont is lowered"
        ),
        ("{\"bridges\":[],\"obervedSince\":\"2026-02-20T11:00\"}", "unknown field 'obervedSince'"),
        (
            "{\"bridges\":[{\"bridge\":\"3\",\"state\":\"raised\",\"sence\":\"\"}]}",
            "bridges[0]: unknown field 'sence'"
        ),
        ("[{\"BridgeID\":4,\"Status\":\"Fault\"}]", "neither Open nor Closed"),
        ("<html>", "not valid JSON"),
    ]) func mistakesAreNamed(_ example: (String, String)) {
        let error = #expect(throws: DocumentError.self) { try read(example.0) }
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
    }
}
