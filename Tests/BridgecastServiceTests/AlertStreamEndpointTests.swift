// The stream of a person's alerts: by its token, and from the last event that was seen.
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
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

    /// It reads a file, for which no other request on the thread of its connection may wait.
    @Test func aStreamIsOpenedAsWorkAndCountedUntilItEnds() async throws {
        var settings = ServiceSettings()
        settings.maxStreamsPerClient = 1
        var parts = try ServiceFixture.parts()
        let shared = Mutex<ServiceState?>(nil)
        let running = Mutex<[Int]>([])
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        parts.alertStream = { token, _ in
            running.withLock { $0.append(shared.withLock { $0?.work.runningCount ?? 0 }) }
            return token == "known" ? stream : nil
        }
        let state = ServiceState(parts, settings)
        shared.withLock { $0 = state }
        let client = ServiceClient(ServiceResponder(state, try ProxyTrust(settings)))
        @Sendable func open(_ token: String) async throws -> ServiceReply {
            try await client.execute(uri: "/api/v1/alerts/\(token)/events", method: .get)
        }
        // What is refused leaves no stream open.
        for _ in 0..<2 { #expect(try await open("unknown").status == .notFound) }
        async let reading = open("known")
        while running.withLock(\.count) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await open("known").status == .tooManyRequests)
        continuation.finish()
        #expect(try await reading.status == .ok)
        #expect(running.withLock(\.self) == [1, 1, 1])
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
