// The stream of a person's alerts: by its token, and from the last event that was seen.
import BridgecastTestSupport
import Foundation
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct AlertStreamEndpointTests {
    private func state() throws -> ServiceState {
        var parts = try ServiceFixture.parts()
        parts.alertStream = { token, lastEventID in
            guard token == "known" else { return nil }
            let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            continuation.yield(Array("after \(lastEventID ?? "nothing")\n\n".utf8))
            continuation.yield(Array("id: 8\n\n".utf8))
            continuation.finish()
            return stream
        }
        return ServiceState(parts, ServiceSettings())
    }

    @Test func thePersonOfATokenIsStreamed() async throws {
        let answer = try await ServiceFixture.answer(
            "/api/v1/alerts/{token}/events", pathValues: ["known"], from: try state())
        guard case .stream(let stream) = answer.content else {
            Issue.record("not a stream")
            return
        }
        var text = ""
        for await chunk in stream.chunks { text += String(buffer: chunk) }
        #expect(text == "after nothing\n\nid: 8\n\n")
    }

    @Test func anUnknownTokenIsNotFoundAndNotRepeated() async throws {
        for state in [try state(), ServiceState(try ServiceFixture.parts(), ServiceSettings())] {
            let problem = await #expect(throws: Problem.self) {
                try await ServiceFixture.answer(
                    "/api/v1/alerts/{token}/events", pathValues: ["secret-token"], from: state)
            }
            #expect(problem?.code == .notFound)
            #expect(problem?.detail.contains("secret-token") == false)
        }
    }
}
