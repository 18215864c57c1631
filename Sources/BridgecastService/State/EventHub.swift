// Server-sent events: the streams they go to, those kept for clients that reconnect, and their documents.
internal import Bridgecast
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastLive
internal import BridgecastObservation
internal import BridgecastSupport
package import NIOCore
private import Synchronization

/// Events of the service by number, and the streams they go to.
///
/// An event is encoded once for all listeners. A listener that stops reading is disconnected: it reconnects with the
/// number of the last event that it has seen, and gets the rest.
package final class EventHub: Sendable {
    /// Events kept for clients that reconnect.
    private static let maxKept = 512
    /// Events that may wait for a listener before it is disconnected.
    private static let maxWaiting = 64

    private typealias Continuation = AsyncStream<ByteBuffer>.Continuation

    private struct Listener {
        let continuation: Continuation
        /// The number of the last event that it has seen; another replica may be ahead of this one.
        let lastNumber: Int
    }

    private struct Kept {
        let number: Int
        let bytes: ByteBuffer
    }

    /// The first event of a client that has seen none.
    private struct Beginning {
        let number: Int
        let json: [UInt8]
    }

    private struct State {
        /// Identifies the numbers; event ids of others cannot be resumed.
        var run: String
        var newest = 0
        var kept: [Kept] = []
        var forecast: Beginning?
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isOver = false
        /// Whether the numbers are of a log that other replicas read too.
        var isShared = false

        /// Begins with the numbers of a log.
        ///
        /// - Returns: The listeners, to be ended outside of the lock.
        mutating func begin(_ run: String) -> [Continuation] {
            self.run = run
            isShared = true
            newest = 0
            forecast = nil
            return forgetMissed()
        }

        /// Forgets what was kept, for numbers that do not continue it.
        ///
        /// - Returns: The listeners, to be ended outside of the lock.
        mutating func forgetMissed() -> [Continuation] {
            kept = []
            defer { listeners = [:] }
            return listeners.values.map(\.continuation)
        }
    }

    private let state: Mutex<State>
    private let retryMilliseconds: Int

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - run: A short name of this run, or of the log whose numbers the events have: letters and digits.
    ///   - retryMilliseconds: After which a disconnected client should reconnect.
    package init(run: String, retryMilliseconds: Int = 2000) {
        state = Mutex(State(run: run))
        self.retryMilliseconds = retryMilliseconds
    }

    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Sends an event to all listeners.
    package func send(_ event: ServiceEvent) {
        let lost = state.withLock { sent(event, number: $0.newest + 1, &$0) }
        for listener in lost { listener.finish() }
    }

    /// Sends an event that has its number from the log of the replicas; nothing if it has been sent.
    ///
    /// - Parameter run: The log. With another than before, clients of the old numbers begin again.
    package func send(_ event: ServiceEvent, number: Int, of run: String) {
        let lost = state.withLock { state in
            // Clients that have got other numbers, or miss some in between, begin again.
            var ended: [Continuation] = []
            if state.run != run { ended = state.begin(run) }
            guard number > state.newest else { return ended }
            if number > state.newest + 1 { ended += state.forgetMissed() }
            return ended + sent(event, number: number, &state)
        }
        for listener in lost { listener.finish() }
    }

    private func sent(
        _ event: ServiceEvent, number: Int, _ state: inout State
    ) -> [Continuation] {
        state.newest = number
        let bytes = self.bytes(event.name, event.json, number: number, of: state.run)
        state.kept.append(Kept(number: number, bytes: bytes))
        if state.kept.count > Self.maxKept { state.kept.removeFirst(Self.maxKept / 4) }
        if event.name == .forecast {
            state.forecast = Beginning(number: number, json: event.json)
        }
        return deliver(bytes, number: number, &state)
    }

    /// Sends a comment to all listeners, to keep the connections alive.
    package func sendHeartbeat() {
        let bytes = ByteBuffer(string: ": still here\n\n")
        let lost = state.withLock { deliver(bytes, number: nil, &$0) }
        for listener in lost { listener.finish() }
    }

    /// A stream of what has been missed and of all later events.
    ///
    /// A new client, or one that missed more than is kept, first gets the newest forecast, then what came after it. The
    /// stream is removed when it ends or is released.
    /// - Parameter last: The id of the last event that the client has seen; nil for a new client.
    package func listen(after last: String?) -> EventStream {
        let (stream, listener) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        let id: Int? = state.withLock { state in
            listener.yield(beginning(after: last, state))
            guard !state.isOver else { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(
                continuation: listener,
                lastNumber: last.flatMap { number(of: $0, state) } ?? state.newest)
            return state.nextListener
        }
        guard let id else {
            listener.finish()
            return EventStream(chunks: stream)
        }
        // Outside of the lock: a stream that has already ended calls this immediately.
        listener.onTermination = { [weak self] _ in self?.forget(id) }
        return EventStream(chunks: stream)
    }

    private func forget(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }

    /// Asks all listeners to reconnect later, and ends their streams.
    package func finish() {
        let listeners = state.withLock { state in
            state.isOver = true
            let bytes = bytes(.bye, Array("{}".utf8), number: state.newest, of: state.run)
            let listeners = state.listeners.values.map(\.continuation)
            for listener in listeners { listener.yield(bytes) }
            state.listeners = [:]
            return listeners
        }
        for listener in listeners { listener.finish() }
    }

    /// Sends to all listeners.
    ///
    /// - Parameter number: Of the event; those who have seen it elsewhere do not get it. Nil for a comment.
    /// - Returns: Those that stopped reading, to be ended outside of the lock.
    private func deliver(
        _ bytes: ByteBuffer, number: Int?, _ state: inout State
    ) -> [Continuation] {
        var lost: [Continuation] = []
        for (id, listener) in state.listeners {
            if let number, number <= listener.lastNumber { continue }
            if case .enqueued = listener.continuation.yield(bytes) { continue }
            state.listeners[id] = nil
            lost.append(listener.continuation)
        }
        return lost
    }

    /// The first bytes of a stream: the missed events, or the newest forecast if too many were missed.
    private func beginning(after last: String?, _ state: State) -> ByteBuffer {
        var bytes = ByteBuffer(string: "retry: \(retryMilliseconds)\n\n")
        if let missed = last.flatMap({ missed(after: $0, state) }) {
            for kept in missed { bytes.writeImmutableBuffer(kept.bytes) }
            return bytes
        }
        let beginning = state.forecast ?? Beginning(number: state.newest, json: Array("{}".utf8))
        bytes.writeImmutableBuffer(
            self.bytes(
                last == nil ? .forecast : .reset, beginning.json, number: beginning.number,
                of: state.run))
        for kept in state.kept where kept.number > beginning.number {
            bytes.writeImmutableBuffer(kept.bytes)
        }
        return bytes
    }

    /// The events after an id; nil if some of them are gone, or the id is of another run.
    private func missed(after last: String, _ state: State) -> ArraySlice<Kept>? {
        guard let number = number(of: last, state) else { return nil }
        let oldest = state.kept.first?.number ?? state.newest + 1
        guard number + 1 >= oldest else { return nil }
        return state.kept.dropFirst(number + 1 - oldest)
    }

    /// The number in an id; nil if it is of another run, or too far ahead of this one to come from another replica.
    private func number(of id: String, _ state: State) -> Int? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        let newest = state.newest + (state.isShared ? Self.maxKept : 0)
        guard parts.count == 2, parts[0] == state.run, let number = Int(parts[1]),
            (0...newest).contains(number)
        else { return nil }
        return number
    }

    private func bytes(
        _ name: EventName, _ json: [UInt8], number: Int, of run: String
    ) -> ByteBuffer {
        var bytes = ByteBuffer(string: "id: \(run)-\(number)\nevent: \(name.rawValue)\ndata: ")
        bytes.writeBytes(json)
        bytes.writeStaticString("\n\n")
        return bytes
    }
}

/// An event before it has a number.
package struct ServiceEvent: Sendable, Equatable {
    package let name: EventName
    /// Its document, on one line.
    package let json: [UInt8]

    package init(_ name: EventName, _ json: [UInt8]) {
        self.name = name
        self.json = json
    }
}

package struct EventStream: Sendable {
    /// The bytes to send; it ends when the service stops, or when too many events wait.
    package let chunks: AsyncStream<ByteBuffer>
}

package enum EventName: String, Sendable, CaseIterable {
    /// A summary of all bridges: sent with every new forecast, and first to a new client.
    case forecast
    /// A bridge went up, down or out of sight.
    case state
    /// A realtime feed of buses and trains has something new, fails, or has recovered.
    case transit
    /// The status of the feeds or of the service has changed.
    case feed
    /// The client missed more than is kept, or comes from another run: the newest forecast.
    case reset
    /// The service stops; reconnect later.
    case bye
}

// MARK: - Documents

/// A bridge that went up, down or out of sight.
struct StateEvent: JSONObjectAnswer {
    let change: BridgeChange
    let texts: [String]
    let issueTime: Timestamp
    let pace: ClockPace

    init(_ change: BridgeChange, events: [BridgeEvent], in snapshot: BridgesSnapshot) {
        self.change = change
        let own = events.filter { $0.bridge == change.bridge }
        texts = (own.isEmpty ? events : own).map(\.text)
        issueTime = snapshot.issueTime
        pace = snapshot.pace
    }

    func writeFields(into json: inout JSONWriter) {
        let facts = BridgeCatalogue[change.bridge]
        json.field("at", TimeText.rfc3339(change.at))
        json.field("bridge", facts.name)
        json.field("bridge_id", facts.id.rawValue)
        json.field("state", change.after.name)
        json.field("before", change.before.name)
        json.field("since", change.after.since.map(TimeText.rfc3339))
        json.field("text", texts.joined(separator: "; "))
        json.field("issue_time", TimeText.rfc3339(issueTime))
        pace.write(into: &json)
    }
}

struct ForecastEvent: JSONObjectAnswer {
    let snapshot: BridgesSnapshot

    func writeFields(into json: inout JSONWriter) {
        json.field("generated_at", TimeText.rfc3339(snapshot.madeAt))
        json.field("issue_time", TimeText.rfc3339(snapshot.issueTime))
        json.field("model", snapshot.model.header.name)
        json.field("phase", snapshot.phase.name)
        snapshot.pace.write(into: &json)
        json.list("bridges", objects: snapshot.update.bridges) { json, bridge in
            let facts = BridgeCatalogue[bridge.bridge]
            json.field("bridge", facts.name)
            json.field("bridge_id", facts.id.rawValue)
            json.field("state", bridge.state.name)
            json.field("since", bridge.state.since.map(TimeText.rfc3339))
            json.field("probability_stopped", bridge.delay.probabilityDelayed, decimals: 5)
            json.field("expected_delay_s", bridge.delay.expectedSeconds, decimals: 1)
            json.field("confidence", bridge.confidence.rawValue)
        }
    }
}

struct FeedEvent: JSONObjectAnswer {
    let snapshot: BridgesSnapshot

    func writeFields(into json: inout JSONWriter) {
        json.field("generated_at", TimeText.rfc3339(snapshot.madeAt))
        json.field("phase", snapshot.phase.name)
        snapshot.pace.write(into: &json)
        json.list("sources", snapshot.sources(at: snapshot.madeAt))
    }
}
