// What replies of feeds may and may not say, and when a feed is asked again.
@testable import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct BridgeDataReplyTests {
    @Test func wrappedOrNotItSaysWhatIsRaised() throws {
        let array =
            #"[{"BridgeID":3,"Status":"Open"},{"BridgeID":2,"Status":"Closed"},{"BridgeID":21,"Status":"Closed"}]"#
        let wrapped = try JSONEncoder().encode(array)
        for bytes in [Array(array.utf8), Array(wrapped)] {
            let reply = try BridgeDataReply(bytes)
            #expect(
                reply.isRaised == [
                    Fixtures.bridge("Fremont"): true, Fixtures.bridge("Ballard"): false,
                ])
            // It has no sensor: whatever the feed says of it, it is not "lowered".
            #expect(reply.withoutSensor == [Fixtures.bridge("University")])
            #expect(reply.states[Fixtures.bridge("University")] == .unknown)
        }
    }

    @Test(arguments: [
        (#"[{"BridgeID":3,"Status":"Open"},{"BridgeID":77,"Status":"Open"}]"#, "unknown bridge 77"),
        (#"[{"BridgeID":3,"Status":"Open"},{"BridgeID":3,"Status":"Open"}]"#, "stands twice"),
        (#"[{"BridgeID":3,"Status":"Fault"}]"#, "[0].Status: 'Fault' is neither Open nor Closed"),
        (#"[{"BridgeID":"3","Status":"Open"}]"#, "[0].BridgeID: should be a number"),
        (#"[{"BridgeID":3}]"#, "[0].Status: is missing"), ("[]", "no bridge at all"),
        ("\"\\\"[]\\\"\"", "not GetBridgeData's array"), ("", "not valid JSON"),
        ("{\"error\":1}", "not GetBridgeData's array"), ("[[[[", "not valid JSON"),
    ]) func aReplyThatLiesIsRefusedWithItsReason(_ example: (String, String)) {
        let error = #expect(throws: DocumentProblem.self) {
            try BridgeDataReply(Array(example.0.utf8))
        }
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
        #expect(parsed.times[0].updatedAt == Fixtures.moment("2026-02-20T12:00"))
        let readings = TravelTimeMap(freeFlowMilesPerHour: 40).readings(parsed)
        #expect(readings.map(\.bridge) == [Fixtures.bridge("Montlake")])
        // 12 minutes where 3 are free flow: ((4 - 1) / 0.15)^(1/4) = 2.11, cut at the profile's most.
        #expect(
            readings[0].measurement.density(of: readings[0].bridge) == TrafficProfile.maximumDensity
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
        ] as [(String, Int64?)]) func theStampIsReadOrRefused(_ example: (String, Int64?))
    {
        #expect(TravelTimesReply.moment(example.0)?.secondsSinceEpoch == example.1)
    }

    @Test func anEntryThatCannotBeIsNamed() {
        let broken = reply.replacingOccurrences(of: "/Date(1771617600000)/", with: "noon")
        let error = #expect(throws: DocumentProblem.self) {
            try TravelTimesReply(Array(broken.utf8))
        }
        #expect(error?.description.contains("[2].TimeUpdated: 'noon'") == true)
    }

    @Test func aPlainTableOfAnyMeasureIsRead() throws {
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
    @Test func backoffGrowsWithFullJitterAndBowsToRetryAfter() {
        let policy = RetryPolicy(
            attempts: 5, firstSeconds: 1, longestSeconds: 4, mostRestSeconds: 60)
        let broken = FeedError.unreachable(url: "u", reason: "r")
        #expect(
            (1...4).map { policy.wait(after: broken, attempt: $0, random: 0.5) } == [0.5, 1, 2, 2])
        #expect(policy.wait(after: broken, attempt: 5, random: 0) == nil)
        #expect(policy.wait(after: broken, attempt: 3, random: 0) == 0)
        let busy = FeedError.status(url: "u", code: 429, retryAfterSeconds: 30)
        #expect(policy.wait(after: busy, attempt: 1, random: 0.5) == 30.5)
        let rude = FeedError.status(url: "u", code: 503, retryAfterSeconds: 3_600)
        #expect(policy.wait(after: rude, attempt: 1, random: 0) == nil)
        for error in [
            FeedError.status(url: "u", code: 404, retryAfterSeconds: nil), .redirects(url: "u"),
            .tooLarge(url: "u", limitBytes: 1), .address(url: "u"),
        ] { #expect(policy.wait(after: error, attempt: 1, random: 0.5) == nil) }
    }
}
