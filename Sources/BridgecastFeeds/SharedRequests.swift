// Equal requests within half a second are one: they share the request under way, or its reply.
private import BridgecastSupport
private import Synchronization

/// Sends each of several equal requests once.
///
/// Requests are equal if address, fields and limits are. A failure reaches all that wait for it, and is not kept: what is
/// repeated is sent again.
final class SharedRequests: Sendable {
    private struct Key: Hashable {
        let url: String
        let headers: [String: String]
        let etag: String?
        let maxBytes: Int
        let timeoutSeconds: Double

        init(_ request: FeedRequest) {
            url = request.url
            headers = request.headers
            etag = request.etag
            maxBytes = request.maxBytes
            timeoutSeconds = request.timeoutSeconds
        }
    }

    /// A request under way.
    private struct Flight {
        let task: Task<FeedReply, any Error>
        /// Distinguishes it from later ones of its key.
        let number: Int
        var waiting = 1
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let replies: MemoryCache<Key>
    private let monotonicSeconds: @Sendable () -> Double

    /// How long after a request an equal one is given its reply, seconds.
    static let seconds = 0.5
    /// Larger replies are shared only while they are under way.
    private static let budgetBytes = 4 << 20

    /// - Parameter monotonicSeconds: The time by which replies expire.
    init(monotonicSeconds: @escaping @Sendable () -> Double) {
        self.monotonicSeconds = monotonicSeconds
        replies = MemoryCache(budgetBytes: Self.budgetBytes, monotonicSeconds: monotonicSeconds)
    }

    /// The reply to a request, and whether it is that of another, equal one.
    ///
    /// One that is cancelled ends the request if no other waits for it.
    /// - Parameter isRepeated: Whether the last reply was of no use, so that it is not given again.
    /// - Throws: What sending throws; `CancellationError` if the task is cancelled.
    func reply(
        to request: FeedRequest, isRepeated: Bool,
        send: @escaping @Sendable () async throws -> FeedReply
    ) async throws -> (reply: FeedReply, isShared: Bool) {
        let key = Key(request)
        if request.takesRecentReply, !isRepeated, let kept = replies.value(key, as: FeedReply.self)
        {
            return (kept, true)
        }
        let (flight, isShared) = join(key, send)
        let reply = try await withTaskCancellationHandler {
            try await flight.task.value
        } onCancel: {
            leave(key, flight)
        }
        try Task.checkCancellation()
        return (reply, isShared)
    }

    private func join(
        _ key: Key, _ send: @escaping @Sendable () async throws -> FeedReply
    ) -> (flight: Flight, isShared: Bool) {
        state.withLock { state in
            if let flight = state.flights[key] {
                state.flights[key]?.waiting += 1
                return (flight, true)
            }
            state.count += 1
            let number = state.count
            let start = monotonicSeconds()
            let flight = Flight(
                task: Task {
                    defer { self.end(key, number) }
                    let reply = try await send()
                    self.keep(reply, key, sentAt: start)
                    return reply
                }, number: number)
            state.flights[key] = flight
            return (flight, false)
        }
    }

    private func keep(_ reply: FeedReply, _ key: Key, sentAt start: Double) {
        let left = Self.seconds - (monotonicSeconds() - start)
        guard left > 0 else { return }
        // Of low priority: what does not fit is not kept.
        try? replies.keep(
            reply, for: key, bytes: reply.body?.count ?? 0,
            CachePolicy(timeToLiveSeconds: left, priority: .low))
    }

    private func end(_ key: Key, _ number: Int) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }

    /// Ends a request for which no caller waits any more; later ones do not join it.
    private func leave(_ key: Key, _ flight: Flight) {
        state.withLock { state in
            guard state.flights[key]?.number == flight.number else { return }
            state.flights[key]?.waiting -= 1
            guard state.flights[key]?.waiting == 0 else { return }
            state.flights[key] = nil
            flight.task.cancel()
        }
    }
}
