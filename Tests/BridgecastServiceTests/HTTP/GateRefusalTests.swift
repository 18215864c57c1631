// What the gate refuses before a handler sees it: bodies and clients that ask too often.
import BridgecastEngine
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

private let bridges = "/api/v1/bridges"

@Suite struct GateRefusalTests {
    @Test func aBodyOfAnotherFormIsRefusedWithThoseThatAreRead() async throws {
        try await asking { client in
            for type in [nil, "text/plain", "application/x-www-form-urlencoded"] {
                var fields = HTTPFields()
                fields[.contentType] = type
                let answer = try await client.execute(
                    uri: "/api/v1/forecast", method: .post, headers: fields,
                    body: ByteBuffer(string: "{}"))
                #expect(answer.status == .unsupportedMediaType)
                #expect(try ToldProblem(answer).near == ["application/json"])
            }
        }
    }

    @Test func aPackedBodyIsNotUnpacked() async throws {
        try await asking { client in
            let answer = try await client.execute(
                uri: "/api/v1/forecast", method: .post,
                headers: [.contentType: "application/json", .contentEncoding: "gzip"],
                body: ByteBuffer(bytes: [31, 139, 8]))
            #expect(answer.status == .unsupportedMediaType)
            #expect(try ToldProblem(answer).parameter == "Content-Encoding")
        }
    }

    @Test func aLargeBodyIsRefusedWithTheLimit() async throws {
        var settings = ServiceSettings()
        settings.mostBodyBytes = 1000
        try await asking(settings) { client in
            let answer = try await client.execute(
                uri: "/api/v1/forecast", method: .post,
                headers: [.contentType: "application/json"],
                body: ByteBuffer(repeating: 32, count: 2000))
            let problem = try ToldProblem(answer)
            #expect(problem.status == 413)
            #expect(problem.detail.contains("1000"))
            // Nobody reads what is left of it.
            #expect(answer.headers[.connection] == "close")
        }
    }

    @Test func aClientThatAsksTooOftenIsToldWhenToComeBack() async throws {
        var settings = ServiceSettings()
        // One in an hour: nothing comes back while a busy machine takes its time.
        (settings.requestsPerSecond, settings.requestBurst) = (1 / 3600, 3)
        try await asking(settings) { client in
            for left in [2, 1, 0] {
                let answer = try await client.execute(uri: "/healthz", method: .get)
                #expect(answer.status == .ok)
                #expect(answer.headers[.known("RateLimit-Remaining")] == String(left))
            }
            let refused = try await client.execute(uri: "/healthz", method: .get)
            let problem = try ToldProblem(refused)
            #expect(problem.status == 429)
            #expect(refused.headers[.retryAfter] == problem.retryAfterS.map(String.init))
            #expect((3500...3600).contains(problem.retryAfterS ?? 0))
        }
    }
}
