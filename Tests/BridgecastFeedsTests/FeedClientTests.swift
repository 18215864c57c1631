// Feeds over real sockets, and what goes wrong there.
import BridgecastCore
import BridgecastData
@testable import BridgecastFeeds
import BridgecastTestSupport
import Foundation
import Testing

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
    ]) func everyFaultHasItsName(_ example: (String, String)) async throws {
        try await withFeed(example.0) { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) {
                    body throws(DocumentProblem) in try BridgeDataReply(body ?? [])
                }
            }
            #expect(error?.label == example.1)
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
            #expect(error?.label == "timed_out")
        }
    }

    /// Whatever a feed asks for, it is at most an hour, and no number ends the process.
    @Test(arguments: ["9223372036854775807", "1e300", "99999999999", "inf", "7200"])
    func noFeedIsLeftAloneForYears(_ rest: String) async throws {
        try await withFeed("rest-\(rest)") { client, request, _ in
            let error = await #expect(throws: FeedError.self) {
                try await client.get(request, retrying: .once) { $0 }
            }
            #expect(error?.retryAfterSeconds == 3_600)
            #expect(error?.description.isEmpty == false)
        }
    }

    @Test(arguments: ["65536", "99999", "9223372036854775807", "-1", "0"])
    func aRedirectToNoAddressIsNotFollowed(_ port: String) async throws {
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
            secret.timeoutSeconds = 60
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
    ]) func whatIsNoAddressIsToldAtOnce(_ address: String) {
        #expect(throws: FeedError.address(url: address)) { try FeedRequest.check(address) }
    }

    @Test func keysAndPasswordsStandInNoMessage() throws {
        for address in [
            "http://user:pass@host:8/path?AccessCode=key", "http://a@b:c@host:8/path",
            "http://host:8/path",
        ] {
            try FeedRequest.check(address)
            #expect(FeedRequest(feed: "x", url: address).publicURL == "http://host:8/path")
        }
    }

    @Test func aTransientFaultIsRetriedAfterTheRestItAsksFor() async throws {
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
