// Feeds over real sockets, and what their replies may and may not say.
@testable import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Logging
import Synchronization
import Testing

private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A clock on which nobody waits in vain: sleeping moves it.
final class JumpingClock: WallClock {
    private let state: Mutex<(moment: Timestamp, slept: [Double])>

    init(_ moment: Timestamp) { state = Mutex((moment, [])) }

    var now: Timestamp { state.withLock { $0.moment } }
    var waits: [Double] { state.withLock { $0.slept } }

    func sleep(until other: Timestamp) async throws {
        state.withLock { $0.moment = max($0.moment, other) }
    }

    func sleep(seconds: Double) async throws {
        state.withLock {
            $0.slept.append(seconds)
            $0.moment = $0.moment.adding(seconds: Int64(seconds.rounded(.up)))
        }
    }
}

private let clock = JumpingClock(Fixtures.moment("2026-11-21T12:00"))

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
        (#"[{"BridgeID":"3","Status":"Open"}]"#, "[0].BridgeID: has the wrong type"),
        (#"[{"BridgeID":3}]"#, "[0].Status: is missing"), ("[]", "no bridge at all"),
        ("\"\\\"[]\\\"\"", "not GetBridgeData's array"), ("", "not valid JSON"),
        ("{\"error\":1}", "not GetBridgeData's array"), ("[[[[", "not valid JSON"),
    ]) func aReplyThatLiesIsRefusedWithItsReason(_ example: (String, String)) {
        let error = #expect(throws: FeedRefusal.self) { try BridgeDataReply(Array(example.0.utf8)) }
        #expect(error?.reason.contains(example.1) == true, "\(error?.reason ?? "")")
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
        let error = #expect(throws: FeedRefusal.self) { try TravelTimesReply(Array(broken.utf8)) }
        #expect(error?.reason.contains("[2].TimeUpdated: 'noon'") == true)
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
        #expect(throws: RecordFileError.self) {
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

@Suite struct FeedClientTests {
    private func withFeed<Result>(
        _ scenario: String, retrying: RetryPolicy = .once,
        _ body: (FeedClient, FeedRequest, StandIn) async throws -> Result
    ) async throws -> Result {
        let server = try StandIn.shared.get()
        let client = FeedClient(clock: clock, log: log)
        var request = FeedRequest(
            feed: "bridges", url: "\(server.address)/\(scenario)/bridges?key=secret")
        request.headers = ["X-Replay-Time": "2026-02-20T18:02:00-08:00"]
        request.timeoutSeconds = 4
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(client, request, server))
        } catch {
            result = .failure(error)
        }
        await client.close()
        return try result.get()
    }

    @Test func theReplyOfAMomentIsRead() async throws {
        try await withFeed("ok") { client, request, _ in
            let (reply, raw) = try await client.get(request, retrying: .once) {
                body throws(FeedRefusal) in try BridgeDataReply(body ?? [])
            }
            #expect(reply.isRaised[Fixtures.bridge("Ballard")] == true)
            #expect(reply.isRaised.count == 5 && raw.etag != nil)
            var again = request
            again.etag = raw.etag
            #expect(try await client.get(again, retrying: .once) { $0 == nil }.content)
        }
    }

    @Test(arguments: [
        ("429", "status_429"), ("500", "status_500"), ("cut", "unreachable"),
        ("reset", "unreachable"),
        ("wrongjson", "refused"), ("html", "refused"), ("unknown-id", "refused"),
        ("status-word", "refused"), ("twice", "refused"), ("empty", "refused"),
        ("huge", "too_large"),
        ("gzip-bomb", "too_large"), ("loop", "redirects"),
    ]) func everyFaultHasItsName(_ example: (String, String)) async throws {
        try await withFeed(example.0) { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) {
                    body throws(FeedRefusal) in try BridgeDataReply(body ?? [])
                }
            }
            #expect(error?.kind == example.1)
            // Keys stand in queries; they are in no message.
            #expect(error?.description.contains("secret") == false)
            #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 32 } == true)
        }
    }

    @Test func aFeedThatDawdlesIsGivenUpInTime() async throws {
        try await withFeed("drip") { client, request, _ in
            var impatient = request
            impatient.timeoutSeconds = 0.4
            let error = await #expect(throws: FeedError.self) {
                try await client.get(impatient, retrying: .once) { $0 }
            }
            #expect(error?.kind == "timed_out")
        }
    }

    @Test func aTransientFaultIsRetriedAfterTheRestItAsksFor() async throws {
        try await withFeed("429+once") { client, request, _ in
            let waits = clock.waits.count
            let raised = try await client.get(request, retrying: RetryPolicy(attempts: 2)) {
                body throws(FeedRefusal) in try BridgeDataReply(body ?? []).isRaised.count
            }.content
            #expect(raised == 5)
            #expect(clock.waits.dropFirst(waits).contains { $0 >= 1 && $0 < 1.6 })
        }
    }
}

@Suite(.serialized) struct HistorySyncTests {
    /// A store in a folder of its own, a client, and a server of records.
    private func withSync(
        _ records: URL, _ body: (HistoryStore, FeedClient, StandIn) async throws -> Void
    ) async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try HistoryStore(folder.appendingPathComponent("h.sqlite"), .writing)
        let server = try StandIn(records: records)
        let client = FeedClient(clock: clock, log: log)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(store, client, server))
        } catch {
            result = .failure(error)
        }
        await client.close()
        server.stop()
        store.close()
        try result.get()
    }

    private func sync(
        _ store: HistoryStore, _ client: FeedClient, _ host: String, page: Int,
        token: String? = nil, attempts: Int = 20
    ) async throws -> SyncReport {
        var sync = HistorySync(
            try SODASource(host: host, appToken: token, pageRows: page), into: store,
            client: client,
            clock: clock, log: log)
        sync.retries = RetryPolicy(attempts: attempts)
        return try await sync.run()
    }

    private let shipped = Fixtures.trainingData("openings-2025-2026.csv")

    @Test func theWholeDataSetArrivesOnceWhateverThePages() async throws {
        let reference = try RecordFile(shipped, now: clock.now).openings
        try await withSync(shipped) { store, client, server in
            let first = try await sync(
                store, client, "\(server.address)/ok", page: 701, token: "secret")
            #expect(first.rows == 3_245 && first.added == 3_245 && first.pages == 5)
            let history = try store.history()
            let expected = OpeningHistory(records: reference, coverage: .none)
            #expect(history.openings == expected.openings)
            #expect(history.coverage == Coverage.inferred(from: reference))
            let second = try await sync(store, client, "\(server.address)/ok", page: 701)
            #expect(second.rows == 0 && second.added == 0)
            let third = try await sync(store, client, "\(server.address)/ok", page: 701)
            #expect(third.isNotModified, "the ETag is asked with")
            let log = FeedRequest(feed: "log", url: server.address + "/log")
            let body = try await client.get(log, retrying: .once) { $0 ?? [] }.content
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.contains("\"token\": \"secret\""))
        }
    }

    /// Every third request fails in some way; many runs give up; nothing is lost or doubled.
    @Test func whateverFailsTheNextRunGoesOn() async throws {
        try await withSync(shipped) { store, client, server in
            var (runs, failures) = (0, 0)
            while runs < 100 {
                runs += 1
                do {
                    _ = try await sync(
                        store, client, "\(server.address)/flaky", page: 150, attempts: 1)
                    break
                } catch is FeedError {
                    failures += 1
                }
            }
            #expect(failures > 2 && runs < 100)
            let reference = try RecordFile(shipped, now: clock.now).openings
            #expect(
                try store.history().openings
                    == OpeningHistory(records: reference, coverage: .none).openings)
        }
    }

    /// Rows that change while they are read move to the end; those that took their places are not skipped.
    @Test func rowsThatMoveMeanwhileAreStillAllRead() async throws {
        try await withSync(shipped) { store, client, server in
            let report = try await sync(store, client, "\(server.address)/moving", page: 300)
            #expect(report.rereads > 0)
            let reference = try RecordFile(shipped, now: clock.now).openings
            #expect(
                try store.history().openings
                    == OpeningHistory(records: reference, coverage: .none).openings)
        }
    }

    /// A host that does not know offsets is found out, and a page of one row still moves on.
    @Test func aHostThatGivesTheSamePageForEverIsGivenUp() async throws {
        try await withSync(shipped) { store, client, server in
            let error = await #expect(throws: FeedError.self) {
                try await sync(store, client, "\(server.address)/stuck", page: 100, attempts: 1)
            }
            #expect(error?.description.contains("move faster") == true)
        }
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let few = folder.appendingPathComponent("few.csv")
        let text = try String(contentsOf: shipped, encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).prefix(8)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: few)
        try await withSync(few) { store, client, server in
            let report = try await sync(store, client, "\(server.address)/ok", page: 1)
            #expect(report.added == 7 && report.rows == 7)
        }
    }

    @Test func aRowTheCityCorrectsReplacesTheOldOne() async throws {
        func table(_ close: String, _ updated: String) -> String {
            ":id,:updated_at,entityid,entityname,opendatetime,closedatetime\n"
                + "row-a,2026-02-20T11:00:00.000Z,3,Fremont,2026-02-19T10:00:00.000,2026-02-19T10:05:00.000\n"
                + "row-b,\(updated),3,Fremont,2026-02-19T13:00:00.000,\(close)\n"
        }
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = folder.appendingPathComponent("r.csv")
        try Data(table("2026-02-19T13:50:00.000", "2026-02-20T11:00:00.000Z").utf8).write(to: csv)
        try await withSync(csv) { store, client, server in
            let host = "\(server.address)/ok"
            #expect(try await sync(store, client, host, page: 10).added == 2)
            server.stop()
            try Data(table("2026-02-19T13:05:00.000", "2026-02-21T11:00:00.000Z").utf8).write(
                to: csv)
            let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
            let next = try StandIn(records: csv, port: port)
            defer { next.stop() }
            let report = try await sync(store, client, host, page: 10)
            #expect(report.changed == 1 && report.added == 0)
            let fremont = try store.history().openings[Fixtures.bridge("Fremont").rawValue]
            #expect(fremont.map(\.minutes) == [5, 5])
        }
    }

    @Test func anAddressThatCannotBeOneIsRefusedBeforeItIsAsked() {
        for host in ["", "ftp://data.seattle.gov", "https://", "https://a/?x=1"] {
            #expect(throws: FeedError.self) { try SODASource(host: host) }
        }
        for dataset in ["gm8h", "gm8h-9449/../x", "gm8h-94 9", "", "gm8h-9449-1"] {
            #expect(throws: FeedError.self) { try SODASource(dataset: dataset) }
        }
        #expect(
            (try? SODASource(host: "data.seattle.gov"))?.name
                == "https://data.seattle.gov/resource/gm8h-9449")
    }
}
