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

    private typealias Listener = AsyncStream<ByteBuffer>.Continuation

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
        var newest = 0
        var kept: [Kept] = []
        var forecast: Beginning?
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isOver = false
    }

    private let state = Mutex(State())
    /// Identifies this run; event ids of another run cannot be resumed.
    private let run: String
    private let retryMilliseconds: Int

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - run: A short name of this run: letters and digits.
    ///   - retryMilliseconds: After which a disconnected client should reconnect.
    package init(run: String, retryMilliseconds: Int = 2000) {
        self.run = run
        self.retryMilliseconds = retryMilliseconds
    }

    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Sends an event to all listeners.
    ///
    /// - Parameter json: Its content, on one line.
    package func send(_ name: EventName, _ json: [UInt8]) {
        let lost = state.withLock { state in
            state.newest += 1
            let bytes = event(name, json, number: state.newest)
            state.kept.append(Kept(number: state.newest, bytes: bytes))
            if state.kept.count > Self.maxKept { state.kept.removeFirst(Self.maxKept / 4) }
            if name == .forecast { state.forecast = Beginning(number: state.newest, json: json) }
            return deliver(bytes, &state)
        }
        for listener in lost { listener.finish() }
    }

    /// Sends a comment to all listeners, to keep the connections alive.
    package func sendHeartbeat() {
        let bytes = ByteBuffer(string: ": still here\n\n")
        let lost = state.withLock { deliver(bytes, &$0) }
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
            state.listeners[state.nextListener] = listener
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
            let bytes = event(.bye, Array("{}".utf8), number: state.newest)
            let listeners = Array(state.listeners.values)
            for listener in listeners { listener.yield(bytes) }
            state.listeners = [:]
            return listeners
        }
        for listener in listeners { listener.finish() }
    }

    /// Sends to all listeners.
    ///
    /// - Returns: Those that stopped reading, to be ended outside of the lock.
    private func deliver(_ bytes: ByteBuffer, _ state: inout State) -> [Listener] {
        var lost: [Listener] = []
        for (id, listener) in state.listeners {
            if case .enqueued = listener.yield(bytes) { continue }
            state.listeners[id] = nil
            lost.append(listener)
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
            event(last == nil ? .forecast : .reset, beginning.json, number: beginning.number))
        for kept in state.kept where kept.number > beginning.number {
            bytes.writeImmutableBuffer(kept.bytes)
        }
        return bytes
    }

    /// The events after an id; nil if some of them are gone, or the id is of another run.
    private func missed(after last: String, _ state: State) -> ArraySlice<Kept>? {
        let parts = last.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run, let number = Int(parts[1]),
            (0...state.newest).contains(number)
        else { return nil }
        let oldest = state.kept.first?.number ?? state.newest + 1
        guard number + 1 >= oldest else { return nil }
        return state.kept[(number + 1 - oldest)...]
    }

    private func event(_ name: EventName, _ json: [UInt8], number: Int) -> ByteBuffer {
        var bytes = ByteBuffer(string: "id: \(run)-\(number)\nevent: \(name.rawValue)\ndata: ")
        bytes.writeBytes(json)
        bytes.writeStaticString("\n\n")
        return bytes
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
