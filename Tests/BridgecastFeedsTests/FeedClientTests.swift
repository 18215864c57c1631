// Feeds over real sockets, and what goes wrong there.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation
import Logging
import Testing

@testable import BridgecastFeeds
@testable import BridgecastSupport

/// The clock of the clients of these tests.
let jumpingClock = JumpingClock(Fixtures.timestamp("2026-11-21T12:00"))

let quietLog = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite struct FeedClientTests {
    private func withFeed<Result>(
        _ scenario: String, retrying: RetryPolicy = .once,
        _ body: (FeedClient, FeedRequest, StandIn) async throws -> Result
    ) async throws -> Result {
        let server = try StandIn.shared.get()
        let client = FeedClient(clock: jumpingClock, log: quietLog)
        var request = FeedRequest(
            feed: "bridges", url: "\(server.address)/\(scenario)/bridges?key=secret")
        request.headers = ["X-Replay-Time": "2026-02-20T18:02:00-08:00"]
        request.timeoutSeconds = 300
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(client, request, server))
        } catch {
            result = .failure(error)
        }
        client.close()
        return try result.get()
    }

    @Test func theReplyOfATimeIsRead() async throws {
        try await withFeed("ok") { client, request, _ in
            let (reply, raw) = try await client.get(request, retrying: .once) {
                body throws(DocumentProblem) in try BridgeDataReply(body ?? [])
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
    ]) func everyFailureHasItsLabel(_ example: (String, String)) async throws {
        try await withFeed(example.0) { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) {
                    body throws(DocumentProblem) in try BridgeDataReply(body ?? [])
                }
            }
            #expect(error?.label == example.1)
            // Keys in queries must not be in messages.
            #expect(error?.description.contains("secret") == false)
            #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 32 } == true)
        }
    }

    @Test func aSlowFeedTimesOut() async throws {
        try await withFeed("drip") { client, request, _ in
            var limited = request
            limited.timeoutSeconds = 0.4
            let error = await #expect(throws: FeedError.self) {
                try await client.get(limited, retrying: .once) { $0 }
            }
            #expect(error?.label == "timed_out")
        }
    }

    /// The wait that a feed asks for is limited to an hour, and no number crashes the process.
    @Test(arguments: ["9223372036854775807", "1e300", "99999999999", "inf", "7200"])
    func waitsAreLimitedToAnHour(_ wait: String) async throws {
        try await withFeed("rest-\(wait)") { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) { $0 }
            }
            #expect(error?.retryAfterSeconds == 3_600)
            #expect(error?.description.isEmpty == false)
        }
    }

    @Test(arguments: ["65536", "99999", "9223372036854775807", "-1", "0"])
    func aRedirectToAnInvalidAddressIsNotFollowed(_ port: String) async throws {
        try await withFeed("port-\(port)") { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) { $0 }
            }
            #expect(error?.label == "redirects")
        }
    }

    @Test func aRedirectToAnotherHostIsFollowedWithoutKeys() async throws {
        try await withFeed("away") { client, request, server in
            var secret = request
            secret.headers["X-App-Token"] = "for one host only"
            // The name has to be looked up, on a machine that is busy with other tests.
            secret.timeoutSeconds = 900
            let raised = try await client.get(secret, retrying: .once) {
                body throws(DocumentProblem) in try BridgeDataReply(body ?? []).isRaised.count
            }.content
            #expect(raised == 5)
            let log = FeedRequest(feed: "log", url: server.address + "/log")
            let body = try await client.get(log, retrying: .once) { $0 ?? [] }.content
            let tokens = String(decoding: body, as: UTF8.self).components(
                separatedBy: "for one host only")
            #expect(tokens.count == 2, "the token was sent \(tokens.count - 1) times")
        }
    }

    @Test(arguments: [
        "", " ", "nonsense", "ftp://x/y", "http://", "https:///path", "http://x:0/",
        "http://x:99999/",
        "/etc/passwd", "http//x",
    ]) func invalidAddressesAreRefused(_ address: String) {
        #expect(throws: FeedError.address(url: address)) { try FeedRequest.check(address) }
    }

    @Test func keysAndPasswordsAreInNoMessage() throws {
        for address in [
            "http://user:pass@host:8/path?AccessCode=key", "http://a@b:c@host:8/path",
            "http://host:8/path",
        ] {
            try FeedRequest.check(address)
            #expect(FeedRequest(feed: "x", url: address).publicURL == "http://host:8/path")
        }
    }

    /// The requests of a path at the server.
    private func count(_ path: String, _ client: FeedClient, _ server: StandIn) async throws -> Int
    {
        var log = FeedRequest(feed: "log", url: server.address + "/log?\(UUID())")
        log.maxBytes = 64 << 20
        let body = try await client.get(log, retrying: .once) { $0 ?? [] }.content
        let entries = try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]
        return (entries ?? []).count { $0["path"] as? String == path }
    }

    @Test func equalRequestsWithinHalfASecondAreOne() async throws {
        let path = "/slow/\(UUID())/bridges"
        let server = try StandIn.shared.get()
        let clock = JumpingClock(Fixtures.timestamp("2026-11-21T12:00"))
        try await FeedClient.with(clock: clock, log: quietLog) { client in
            var request = FeedRequest(feed: "bridges", url: server.address + path)
            request.timeoutSeconds = 300
            request.headers = ["X-Replay-Time": "2026-02-20T18:02:00-08:00"]
            @Sendable func ask(_ request: FeedRequest) async throws -> Int {
                try await client.get(request, retrying: .once) { ($0 ?? []).count }.content
            }
            let asked = request
            let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await ask(asked) } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(sizes.count == 1)
            try await clock.sleep(seconds: 0.49)
            #expect(try await ask(request) == sizes.first)
            #expect(try await count(path, client, server) == 1)
            try await clock.sleep(seconds: 0.01)
            _ = try await ask(request)
            #expect(try await count(path, client, server) == 2, "half a second later")
            request.headers["X-Replay-Time"] = "2026-02-20T18:03:00-08:00"
            _ = try await ask(request)
            #expect(try await count(path, client, server) == 3, "another question")
            request.timeoutSeconds = 299
            _ = try await ask(request)
            #expect(try await count(path, client, server) == 4, "another limit")
        }
    }

    @Test func aFailureIsNotKeptAndOneWhoLeavesEndsNoOther() async throws {
        let server = try StandIn.shared.get()
        let clock = JumpingClock(Fixtures.timestamp("2026-11-21T12:00"))
        try await FeedClient.with(clock: clock, log: quietLog) { client in
            let broken = "/500/\(UUID())/bridges"
            let request = FeedRequest(feed: "bridges", url: server.address + broken)
            for _ in 0..<2 {
                await #expect(throws: FeedError.self) {
                    try await client.get(request, retrying: .once) { $0 }
                }
            }
            #expect(try await count(broken, client, server) == 2)
            let slow = "/slow/\(UUID())/bridges"
            var shared = FeedRequest(feed: "bridges", url: server.address + slow)
            shared.timeoutSeconds = 300
            let asked = shared
            let leaving = Task { try await client.get(asked, retrying: .once) { $0 }.reply }
            let staying = Task { try await client.get(asked, retrying: .once) { $0 }.content }
            try await Task.sleep(for: .milliseconds(50))
            leaving.cancel()
            #expect(try await staying.value?.isEmpty == false)
            #expect(try await count(slow, client, server) == 1)
        }
    }

    @Test func aTransientFailureIsRetriedAfterItsRetryAfter() async throws {
        try await withFeed("429+once") { client, request, _ in
            let waits = jumpingClock.waits.count
            let raised = try await client.get(request, retrying: RetryPolicy(attempts: 2)) {
                body throws(DocumentProblem) in try BridgeDataReply(body ?? []).isRaised.count
            }.content
            #expect(raised == 5)
            #expect(jumpingClock.waits.dropFirst(waits).contains { $0 >= 1 && $0 < 1.6 })
        }
    }
}

@Suite struct RealtimeHTTPSourceTests {
    private func fetching(
        _ scenario: String, _ body: (RealtimeHTTPSource) async throws -> Void
    ) async throws {
        let address = try StandIn.shared.get().address
        try await FeedClient.with(clock: jumpingClock, log: quietLog) { client in
            try await body(
                try RealtimeHTTPSource(
                    id: "trip_updates", url: "\(address)/\(scenario)/bridges?key=secret",
                    client: client))
        }
    }

    @Test func unchangedContentIsNotFetchedAgain() async throws {
        try await fetching("ok") { source in
            let first = try await source.fetch(at: jumpingClock.now)
            #expect(first?.isEmpty == false)
            #expect(try await source.fetch(at: jumpingClock.now) == nil)
        }
    }

    @Test(arguments: ["500", "429", "reset", "loop"])
    func aFailureIsReportedWithoutTheKey(scenario: String) async throws {
        try await fetching(scenario) { source in
            let error = await #expect(throws: FeedError.self) {
                try await source.fetch(at: jumpingClock.now)
            }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test(arguments: ["", "feed.pb", "ftp://example.org/feed.pb", "http://"])
    func textsThatAreNoAddressAreRefusedAtOnce(address: String) async throws {
        try await FeedClient.with(clock: jumpingClock, log: quietLog) { client in
            _ = #expect(throws: FeedError.self) {
                try RealtimeHTTPSource(id: "alerts", url: address, client: client)
            }
        }
    }
}
