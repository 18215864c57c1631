// `GET /api/v1/alerts/{token}/events`: the alerts of one person as server-sent events; and the answer that any person's stream is.
internal import HTTPTypes
private import NIOCore

enum AlertStreamEndpoint {
    static let all = [
        Endpoint.getStream(EndpointTable.base + "/alerts/{token}/events") { try await stream($0) }
    ]

    @concurrent private static func stream(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let token = String(request.path.first ?? "")
        guard
            let events = request.state.parts.alertStream?(token, request.lastEventID)
        else {
            // The token is a secret, so it is not repeated.
            throw Problem(
                .notFound, "there is no such stream",
                recovery: "`bridgecast alert add --stream` shows a new one")
        }
        return .events(events)
    }
}

extension ServiceAnswer {
    /// Events that may wait for a client before it is disconnected.
    private static let maxWaitingEvents = 64

    /// A stream of one person, which no cache keeps.
    static func events(_ events: AsyncStream<[UInt8]>) -> ServiceAnswer {
        let (chunks, continuation) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(maxWaitingEvents))
        let forwarding = Task {
            for await bytes in events {
                guard case .enqueued = continuation.yield(ByteBuffer(bytes: bytes)) else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        var answer = ServiceAnswer(.events, .stream(EventStream(chunks: chunks)), keeping: .never)
        // Proxies that buffer answers would delay events.
        answer.fields[.known("X-Accel-Buffering")] = "no"
        return answer
    }
}
