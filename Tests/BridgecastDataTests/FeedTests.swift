// Replies and files of live states and traffic, and the waits between requests.
@testable import BridgecastSupport
@testable import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct BridgeDataReplyTests {
    @Test func aReplyIsReadWrappedOrNot() throws {
        let array =
            #"[{"BridgeID":3,"Status":"Open"},{"BridgeID":2,"Status":"Closed"},{"BridgeID":21,"Status":"Closed"}]"#
        let wrapped = try JSONEncoder().encode(array)
        for bytes in [Array(array.utf8), Array(wrapped)] {
            let reply = try BridgeDataReply(bytes)
            #expect(
                reply.isRaised == [
                    Fixtures.bridge("Fremont"): true, Fixtures.bridge("Ballard"): false,
                ])
            // It has no sensor: its state is not "lowered".
            #expect(reply.withoutSensor == [Fixtures.bridge("University")])
            #expect(reply.states[Fixtures.bridge("University")] == .unknown)
        }
    }

    @Test(arguments: [
        (#"[{"BridgeID":3,"Status":"Open"},{"BridgeID":77,"Status":"Open"}]"#, "unknown bridge 77"),
        (#"[{"BridgeID":3,"Status":"Open"},{"BridgeID":3,"Status":"Open"}]"#, "appears twice"),
        (#"[{"BridgeID":3,"Status":"Fault"}]"#, "[0].Status: 'Fault' is neither Open nor Closed"),
        (#"[{"BridgeID":"3","Status":"Open"}]"#, "[0].BridgeID: should be a number"),
        (#"[{"BridgeID":3}]"#, "[0].Status: is missing"), ("[]", "names no bridge"),
        ("\"\\\"[]\\\"\"", "not GetBridgeData's array"), ("", "not valid JSON"),
        ("{\"error\":1}", "not GetBridgeData's array"), ("[[[[", "not valid JSON"),
    ]) func aWrongReplyIsRefusedWithItsReason(_ example: (String, String)) {
        let error = #expect(throws: DocumentProblem.self) {
            try BridgeDataReply(Array(example.0.utf8))
        }
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
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
        #expect(live.asOf == Fixtures.timestamp("2026-02-20T12:00"))
        #expect(
            live.states[Fixtures.bridge("Fremont")]
                == .raised(since: Fixtures.timestamp("2026-02-20T11:58")))
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
            "bridges[1].bridge: Fremont appears twice"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"bridges\":[{\"bridge\":\"3\",\"state\":\"raised\",\"since\":\"2026-02-20T12:01\"}]}",
            "bridges[0].since: is after asOf"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"observedSince\":\"2026-02-20T12:01\",\"bridges\":[]}",
            "observedSince: is after asOf"
        ),
        (
            "{\"asOf\":\"2026-02-20T12:00\",\"bridges\":[],\"openings\":[{\"bridge\":\"3\",\"raised\":\"2026-02-20T11:00\",\"lowered\":\"2026-02-20T12:30\"}]}",
            "openings[0].lowered: is after asOf"
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

@Suite struct TravelTimesTests {
    private let reply = """
        [{"AverageTime":6,"CurrentTime":12,"Description":"Montlake Bridge to SR 520","Distance":2.0,"Name":"A",
          "TimeUpdated":"/Date(1771617600000-0800)/","TravelTimeID":41},
         {"AverageTime":6,"CurrentTime":0,"Description":"1st Ave South Bridge","Distance":2.0,"Name":"B",
          "TimeUpdated":"/Date(1771617600000-0800)/","TravelTimeID":42},
         {"AverageTime":6,"CurrentTime":9,"Description":"Everett to Seattle","Distance":20.0,"Name":"C",
          "TimeUpdated":"/Date(1771617600000)/","TravelTimeID":43}]
        """

    @Test func stretchesAtABridgeBecomeItsSaturationByTheInverseBPR() throws {
        let parsed = try TravelTimesReply(Array(reply.utf8))
        #expect(parsed.times.map(\.currentMinutes) == [12, nil, 9])
        #expect(parsed.times[0].updatedAt == Fixtures.timestamp("2026-02-20T12:00"))
        let readings = TravelTimeMap(freeFlowMilesPerHour: 40).readings(parsed)
        #expect(readings.map(\.bridge) == [Fixtures.bridge("Montlake")])
        // 12 minutes where 3 are free flow: ((4 - 1) / 0.15)^(1/4) = 2.11, limited to the profile's maximum.
        #expect(
            readings[0].measurement.density(of: readings[0].bridge) == TrafficProfile.maxDensity
        )
        let map = TravelTimeMap(
            bridgeByID: [43: Fixtures.bridge("Ballard")], freeFlowMilesPerHour: 140)
        let ballard = try #require(map.readings(parsed).last)
        // 540 s over 514.3 s: (0.05 / 0.15)^(1/4) = 0.7598.
        #expect(abs((ballard.measurement.density(of: ballard.bridge) ?? 0) - 0.7598) < 0.001)
    }

    @Test(
        arguments: [
            ("/Date(1771617600000-0800)/", 1_771_617_600), ("/Date(1771617600999)/", 1_771_617_600),
            ("/Date(1771617600000+0000)/", 1_771_617_600), ("/Date(-5-0800)/", nil),
            ("/Date(12e3)/", nil),
            ("1771617600000", nil), ("/Date(99999999999999999999)/", nil), ("/Date()/", nil),
            ("/Date(1771617600000-08)/", nil), ("/Date(", nil),
        ] as [(String, Int64?)]) func timeStampsAreReadOrRefused(_ example: (String, Int64?))
    {
        #expect(TravelTimesReply.time(example.0)?.secondsSinceEpoch == example.1)
    }

    @Test func aWrongEntryIsNamed() {
        let broken = reply.replacingOccurrences(of: "/Date(1771617600000)/", with: "noon")
        let error = #expect(throws: DocumentProblem.self) {
            try TravelTimesReply(Array(broken.utf8))
        }
        #expect(error?.description.contains("[2].TimeUpdated: 'noon'") == true)
    }

    @Test func tablesOfEveryMeasurementAreRead() throws {
        let csv = """
            Bridge,Time,Volume VPH,rho,travel_time_s,free_flow_s,speed_mph,free_flow_mph
            Fremont,2026-02-20T12:00:00-08:00,1900,,,,,
            2,2026-02-20T12:00,,0.5,,,,
            Montlake,2026-02-20T12:00,,,95,60,,
            South Park,2026-02-20T12:00,,,,,15,30
            Aurora,2026-02-20T12:00,1,,,,,
            Fremont,noon,1,,,,,
            Fremont,2026-02-20T12:00,,,,,,
            Fremont,2026-02-20T12:00,-5,,,,,
            """
        let file = try TrafficFile(Array(csv.utf8), name: "t.csv")
        let densities = file.readings.map { $0.measurement.density(of: $0.bridge) ?? -1 }
        #expect(densities[0] == 0.5 && densities[1] == 0.5 && densities.count == 4)
        #expect(file.rejected == 4 && file.problems[0].contains("line 6: bridge: unknown 'Aurora'"))
        let json = #"[{"bridge":"Fremont","time":"2026-02-20T12:00:00-08:00","volume_vph":1900}]"#
        #expect(try TrafficFile(Array(json.utf8), name: "t.json").readings == [file.readings[0]])
        #expect(throws: DocumentError.self) {
            try TrafficFile(Array("a,b\n1,2\n".utf8), name: "x")
        }
    }
}

@Suite struct RetryPolicyTests {
    @Test func anErrorsKindDependsOnWhetherItIsTransient() {
        #expect(FeedError.timedOut(url: "u", seconds: 1).kind == .io)
        #expect(FeedError.address(url: "u").kind == .data)
    }

    @Test func backoffGrowsWithFullJitterAndRespectsRetryAfter() {
        let policy = RetryPolicy(
            attempts: 5, firstSeconds: 1, maxSeconds: 4, maxRestSeconds: 60)
        let broken = FeedError.unreachable(url: "u", reason: "r")
        #expect(
            (1...4).map { policy.result(after: broken, attempt: $0, random: 0.5).retrySeconds } == [
                0.5, 1, 2, 2,
            ])
        #expect(
            policy.result(after: broken, attempt: 5, random: 0)
                == .userActionRequired(message: "\(broken)"))
        #expect(policy.result(after: broken, attempt: 3, random: 0) == .retryScheduled(after: 0))
        let busy = FeedError.status(url: "u", code: 429, retryAfterSeconds: 30)
        #expect(policy.result(after: busy, attempt: 1, random: 0.5).retrySeconds == 30.5)
        let rude = FeedError.status(url: "u", code: 503, retryAfterSeconds: 3_600)
        #expect(policy.result(after: rude, attempt: 1, random: 0).retrySeconds == nil)
        for error in [
            FeedError.status(url: "u", code: 404, retryAfterSeconds: nil), .redirects(url: "u"),
            .tooLarge(url: "u", limitBytes: 1), .address(url: "u"),
        ] {
            #expect(
                policy.result(after: error, attempt: 1, random: 0.5)
                    == .userActionRequired(message: "\(error)"))
        }
    }
}
