import BridgecastCore
import BridgecastEngine
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
@testable import BridgecastService

private let bridges = "/api/v1/bridges"

@Suite struct RequestHandlerTests {
    @Test func aSharedDocumentIsRevalidatedByItsTag() async throws {
        try await asking { client in
            let first = try await client.execute(uri: bridges, method: .get)
            #expect(first.status == .ok)
            let tag = try #require(first.headers[.eTag])
            for known in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                let again = try await client.execute(
                    uri: bridges, method: .get, headers: [.ifNoneMatch: known])
                #expect(again.status == .notModified)
                #expect(again.body.readableBytes == 0)
                #expect(again.headers[.eTag] == tag)
            }
            let other = try await client.execute(
                uri: bridges, method: .get, headers: [.ifNoneMatch: "\"other\""])
            #expect(other.status == .ok)
        }
    }

    @Test func answersAreCompressedIfAccepted() async throws {
        try await asking { client in
            let plain = try await client.execute(uri: bridges, method: .get)
            #expect(plain.headers[.contentEncoding] == nil)
            let packed = try await client.execute(
                uri: bridges, method: .get, headers: [.acceptEncoding: "br, gzip;q=0.8"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
            #expect(packed.headers[.eTag] != plain.headers[.eTag])
            let refused = try await client.execute(
                uri: bridges, method: .get, headers: [.acceptEncoding: "*, gzip;q=0"])
            #expect(refused.headers[.contentEncoding] == nil)
        }
    }

    @Test func answersAreCachedUntilTheNextReading() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: bridges, method: .get)
            #expect(answer.headers[.cacheControl] == "public, max-age=20")
            let health = try await client.execute(uri: "/healthz", method: .get)
            #expect(health.headers[.cacheControl] == "no-store")
            let version = BridgecastVersion.current
            #expect(String(buffer: health.body).contains(#""version":"\#(version)""#))
        }
    }

    @Test func everyAnswerHasSecurityHeaders() async throws {
        try await asking { client in
            for path in [bridges, "/nothing", "/healthz"] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.headers[.known("X-Content-Type-Options")] == "nosniff")
                #expect(answer.headers[.accessControlAllowOrigin] == "*")
                #expect(answer.headers[.requestID] != nil)
            }
        }
    }

    @Test(arguments: ["/api/v1/bridges/", "/api/v1//bridges", "/api/v1/bridges/Fremont/"])
    func aPathWithAnExtraSlashIsUnknown(path: String) async throws {
        try await asking { client in
            let answer = try await client.execute(uri: path, method: .get)
            #expect(try ReportedProblem(answer).code == "not_found")
        }
    }

    @Test func unknownMediaTypesAreRefusedEverywhere() async throws {
        try await asking { client in
            // What belongs to a person needs a token first.
            let open = EndpointTable.all.filter { !PrivateResources.contains($0.path) }
            for endpoint in open where endpoint.method == .get {
                let path = endpoint.path.replacing("{id}", with: "2").replacing(
                    "{date}", with: "2026-02-19")
                let answer = try await client.execute(
                    uri: path, method: .get, headers: [.accept: "image/avif"])
                #expect(answer.status == .notAcceptable, "\(path)")
            }
        }
    }

    @Test func headOfTheStreamEndsWithoutAListener() async throws {
        let state = try await ServiceFixture.state()
        let client = ServiceClient(ServiceResponder(state, try ProxyTrust(state.settings)))
        let answer = try await client.execute(uri: "/api/v1/events", method: .head)
        #expect(answer.status == .ok && answer.body.readableBytes == 0)
        #expect(answer.headers[.contentType] == "text/event-stream")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(state.events.listenerCount == 0)
        let refused = try await client.execute(uri: "/api/v1/events", method: .delete)
        #expect(refused.headers[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test func anUnknownPathSuggestsSimilarOnes() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: "/api/v1/bridge", method: .get)
            let problem = try ReportedProblem(answer)
            #expect(problem.status == 404)
            #expect(problem.suggestions?.first == bridges)
        }
    }

    @Test(arguments: ["DELETE", "PUT", "PATCH", "POST"])
    func aWrongMethodListsTheAllowedOnes(method: String) async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: bridges, method: try #require(HTTPRequest.Method(rawValue: method)))
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, HEAD, OPTIONS")
            #expect(try ReportedProblem(answer).code == "method_not_allowed")
        }
    }

    @Test func preflightsAllowEveryOrigin() async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: "/api/v1/routes/rank", method: .options, headers: [.origin: "https://a.b"])
            #expect(answer.status == .noContent)
            #expect(answer.headers[.accessControlAllowMethods]?.contains("POST") == true)
        }
    }

    @Test func headHasTheHeadersOfGet() async throws {
        try await asking { client in
            let whole = try await client.execute(uri: bridges, method: .get)
            let head = try await client.execute(uri: bridges, method: .head)
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.eTag] == whole.headers[.eTag])
        }
    }

    @Test func beforeTheFirstSnapshotTheServiceIsAliveButNotReady() async throws {
        try await asking(hasBoard: false) { client in
            #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
            let ready = try await client.execute(uri: "/readyz", method: .get)
            #expect(ready.status == .serviceUnavailable)
            let answer = try await client.execute(uri: bridges, method: .get)
            #expect(try ReportedProblem(answer).code == "not_ready")
            #expect(answer.headers[.retryAfter] == "1")
        }
        try await asking { client in
            let ready = try await client.execute(uri: "/readyz", method: .get)
            #expect(ready.status == .ok)
        }
    }

    @Test func requestsAreCountedByPathAndStatus() async throws {
        let state = try await ServiceFixture.state()
        let trust = try ProxyTrust(state.settings)
        let client = ServiceClient(ServiceResponder(state, trust))
        _ = try await client.execute(uri: bridges, method: .get)
        _ = try await client.execute(uri: bridges + "?no=1", method: .get)
        let text = String(
            buffer: try await client.execute(uri: "/metrics", method: .get).body)
        for status in [200, 400] {
            let line = "method=\"GET\",path=\"\(bridges)\",status=\"\(status)\"} 1"
            #expect(text.contains(line))
        }
    }
}

@Suite struct RequestRefusalTests {
    @Test func aBodyOfAnotherTypeIsRefused() async throws {
        try await asking { client in
            for type in [nil, "text/plain", "application/x-www-form-urlencoded"] {
                var fields = HTTPFields()
                fields[.contentType] = type
                let answer = try await client.execute(
                    uri: "/api/v1/forecast", method: .post, headers: fields,
                    body: ByteBuffer(string: "{}"))
                #expect(answer.status == .unsupportedMediaType)
                #expect(try ReportedProblem(answer).suggestions == ["application/json"])
            }
        }
    }

    @Test func aCompressedBodyIsRefused() async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: "/api/v1/forecast", method: .post,
                headers: [.contentType: "application/json", .contentEncoding: "gzip"],
                body: ByteBuffer(bytes: [31, 139, 8]))
            #expect(answer.status == .unsupportedMediaType)
            #expect(try ReportedProblem(answer).parameter == "Content-Encoding")
        }
    }

    @Test func aLargeBodyIsRefusedWithTheLimit() async throws {
        var settings = ServiceSettings()
        settings.maxBodyBytes = 1000
        try await asking(settings) { client in
            let answer = try await client.execute(
                uri: "/api/v1/forecast", method: .post,
                headers: [.contentType: "application/json"],
                body: ByteBuffer(repeating: 32, count: 2000))
            let problem = try ReportedProblem(answer)
            #expect(problem.status == 413)
            #expect(problem.detail.contains("1000"))
            // The rest of it is not read.
            #expect(answer.headers[.connection] == "close")
        }
    }

    @Test func aRateLimitedClientGetsRetryAfter() async throws {
        var settings = ServiceSettings()
        // One in an hour: nothing comes back while a busy machine takes its time.
        settings.requestsPerSecond = 1 / 3600
        settings.requestBurst = 3
        try await asking(settings) { client in
            for left in [2, 1, 0] {
                let answer = try await client.execute(uri: "/healthz", method: .get)
                #expect(answer.status == .ok)
                #expect(answer.headers[.known("RateLimit-Remaining")] == String(left))
            }
            let refused = try await client.execute(uri: "/healthz", method: .get)
            let problem = try ReportedProblem(refused)
            #expect(problem.status == 429)
            #expect(refused.headers[.retryAfter] == problem.retryAfterS.map(String.init))
            #expect((3500...3600).contains(problem.retryAfterS ?? 0))
        }
    }
}

@Suite struct ServiceTimeTests {
    @Test func answersAndRefusalsHaveTheServiceTime() async throws {
        try await asking { client in
            for path in [
                "/api/v1/bridges", "/api/v1/bridges?issue_time=2026-02-19T17:50", "/nothing",
            ] {
                let answer = try await client.execute(uri: path, method: .get)
                // The service's own time, also where an answer is of another one.
                #expect(
                    answer.headers[.serviceTime] == TimeText.rfc3339(ServiceFixture.evening),
                    "\(path)")
            }
        }
    }

    @Test func filesOfThePageHaveNoServiceTime() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/main.js"] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.status == .ok && answer.headers[.serviceTime] == nil)
            }
        }
    }

    @Test func theCachedTextIsThatOfTheRequestedTime() {
        let times = TimeTextCache()
        let start = Fixtures.timestamp("2026-11-01T01:59:58-07:00")
        // Over the hour in which clocks go back, and back again, as a clock may be put.
        for seconds in [0, 0, 1, 2, 2, 3, 1, 3600, 0] as [Int64] {
            let time = start.adding(seconds: seconds)
            #expect(times.text(time) == TimeText.rfc3339(time))
        }
    }
}
