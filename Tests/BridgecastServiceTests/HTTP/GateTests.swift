import BridgecastEngine
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

private let bridges = "/api/v1/bridges"

@Suite struct GateTests {
    @Test func aSharedDocumentIsNamedAndNotSentTwice() async throws {
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

    @Test func answersArePackedForThoseWhoTakeIt() async throws {
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

    @Test func whatIsKeptIsKeptUntilTheNextReading() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: bridges, method: .get)
            #expect(answer.headers[.cacheControl] == "public, max-age=20")
            let health = try await client.execute(uri: "/healthz", method: .get)
            #expect(health.headers[.cacheControl] == "no-store")
        }
    }

    @Test func everyAnswerHasTheFieldsOfSafety() async throws {
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
    func aPathWithAnotherSlashIsUnknown(path: String) async throws {
        try await asking { client in
            let answer = try await client.execute(uri: path, method: .get)
            #expect(try ToldProblem(answer).code == "not_found")
        }
    }

    @Test func aFormThatIsNotThereIsRefusedEverywhere() async throws {
        try await asking { client in
            for endpoint in EndpointTable.all where endpoint.method == .get {
                let path = endpoint.path.replacing("{id}", with: "2").replacing(
                    "{date}", with: "2026-02-19")
                let answer = try await client.execute(
                    uri: path, method: .get, headers: [.accept: "image/png"])
                #expect(answer.status == .notAcceptable, "\(path)")
            }
        }
    }

    @Test func theHeadOfTheStreamIsNotAskedFor() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: "/api/v1/events", method: .head)
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, OPTIONS")
        }
    }

    @Test func anUnknownPathNamesTheNearest() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: "/api/v1/bridge", method: .get)
            let problem = try ToldProblem(answer)
            #expect(problem.status == 404)
            #expect(problem.near?.first == bridges)
        }
    }

    @Test(arguments: ["DELETE", "PUT", "PATCH", "POST"])
    func aMethodThatIsNotTakenNamesThoseThatAre(method: String) async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: bridges, method: try #require(HTTPRequest.Method(rawValue: method)))
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "GET, HEAD, OPTIONS")
            #expect(try ToldProblem(answer).code == "method_not_allowed")
        }
    }

    @Test func browsersMayAskFromAnywhere() async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: "/api/v1/routes/rank", method: .options, headers: [.origin: "https://a.b"])
            #expect(answer.status == .noContent)
            #expect(answer.headers[.accessControlAllowMethods]?.contains("POST") == true)
        }
    }

    @Test func theHeadAloneIsThatOfTheWhole() async throws {
        try await asking { client in
            let whole = try await client.execute(uri: bridges, method: .get)
            let head = try await client.execute(uri: bridges, method: .head)
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.eTag] == whole.headers[.eTag])
        }
    }

    @Test func beforeAnythingIsLoadedTheServiceIsAliveAndNotReady() async throws {
        try await asking(hasBoard: false) { client in
            #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
            let ready = try await client.execute(uri: "/readyz", method: .get)
            #expect(ready.status == .serviceUnavailable)
            let answer = try await client.execute(uri: bridges, method: .get)
            #expect(try ToldProblem(answer).code == "not_ready")
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
        let application = Application(responder: ServiceResponder(state, trust))
        try await application.test(.router) { client in
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
}
