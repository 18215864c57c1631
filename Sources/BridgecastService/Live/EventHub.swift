// Hands what happens to all who listen, and keeps the latest of it for those who were away; one for a service.
internal import BridgecastCore
internal import NIOCore
private import Synchronization

/// Events of the service by number, and the streams they go to.
///
/// An event is encoded once, whoever listens. A listener that does not take what it is sent is let go: it comes
/// back with the number of the last event that it has seen, and gets the rest.
package final class EventHub: Sendable {
    /// Events kept for those who come back.
    private static let mostKept = 512
    /// Events that may wait for a listener before it is let go.
    private static let mostWaiting = 64

    private typealias Listener = AsyncStream<ByteBuffer>.Continuation

    private struct Kept {
        let number: Int
        let bytes: ByteBuffer
    }

    /// What a client that has seen nothing is shown first.
    private struct Picture {
        let number: Int
        let json: [UInt8]
    }

    private struct State {
        var newest = 0
        var kept: [Kept] = []
        /// The newest forecast of all bridges.
        var picture: Picture?
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isOver = false
    }

    private let state = Mutex(State())
    /// Tells this run of the service from others, in whose numbers nobody can go on.
    private let run: String
    private let retryMilliseconds: Int

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - run: A short name of this run: letters and digits.
    ///   - retryMilliseconds: After which a client that was cut off should come back.
    package init(run: String, retryMilliseconds: Int = 2000) {
        (self.run, self.retryMilliseconds) = (run, retryMilliseconds)
    }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Sends an event to all who listen.
    ///
    /// - Parameter json: Its content, on one line.
    package func send(_ name: EventName, _ json: [UInt8]) {
        let lost = state.withLock { state in
            state.newest += 1
            let bytes = event(name, json, number: state.newest)
            state.kept.append(Kept(number: state.newest, bytes: bytes))
            if state.kept.count > Self.mostKept { state.kept.removeFirst(Self.mostKept / 4) }
            if name == .forecast { state.picture = Picture(number: state.newest, json: json) }
            return deliver(bytes, &state)
        }
        for listener in lost { listener.finish() }
    }

    /// Shows all who listen that the connection lives.
    package func sendHeartbeat() {
        let bytes = ByteBuffer(string: ": still here\n\n")
        let lost = state.withLock { deliver(bytes, &$0) }
        for listener in lost { listener.finish() }
    }

    /// Listens from now on, after what has been missed.
    ///
    /// A new client, or one that missed more than is kept, is first shown the newest forecast, then what came after
    /// it. The stream is forgotten when it ends, or when nobody holds it any more.
    /// - Parameter last: The number of the last event seen, as the client was told it; nil for a new client.
    package func listen(after last: String?) -> EventStream {
        let (stream, listener) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
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
        // Outside of the lock: a stream that has ended already calls at once.
        listener.onTermination = { [weak self] _ in self?.forget(id) }
        return EventStream(chunks: stream)
    }

    private func forget(_ id: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }

    /// Tells all who listen to come back later, and ends their streams.
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

    /// Sends to all; those that are let go are handed back, to be ended outside of the lock.
    private func deliver(_ bytes: ByteBuffer, _ state: inout State) -> [Listener] {
        var lost: [Listener] = []
        for (id, listener) in state.listeners {
            if case .enqueued = listener.yield(bytes) { continue }
            state.listeners[id] = nil
            lost.append(listener)
        }
        return lost
    }

    /// What a listener is sent first: what it missed, or that too much was missed and what is the case now.
    private func beginning(after last: String?, _ state: State) -> ByteBuffer {
        var bytes = ByteBuffer(string: "retry: \(retryMilliseconds)\n\n")
        if let missed = last.flatMap({ missed(after: $0, state) }) {
            for kept in missed { bytes.writeImmutableBuffer(kept.bytes) }
            return bytes
        }
        let picture = state.picture ?? Picture(number: state.newest, json: Array("{}".utf8))
        bytes.writeImmutableBuffer(
            event(last == nil ? .forecast : .reset, picture.json, number: picture.number))
        for kept in state.kept where kept.number > picture.number {
            bytes.writeImmutableBuffer(kept.bytes)
        }
        return bytes
    }

    /// The events after a number; nil if some of them are gone, or the number is another run's.
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
