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

    private struct Kept {
        let number: Int
        let bytes: ByteBuffer
    }

    private struct State {
        var newest = 0
        var kept: [Kept] = []
        var listeners: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
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
        state.withLock { state in
            state.newest += 1
            let bytes = event(name, json, number: state.newest)
            state.kept.append(Kept(number: state.newest, bytes: bytes))
            if state.kept.count > Self.mostKept { state.kept.removeFirst(Self.mostKept / 4) }
            deliver(bytes, &state)
        }
    }

    /// Shows all who listen that the connection lives.
    package func sendHeartbeat() {
        let bytes = ByteBuffer(string: ": still here\n\n")
        state.withLock { deliver(bytes, &$0) }
    }

    /// Listens from now on, after what has been missed.
    ///
    /// - Parameters:
    ///   - last: The number of the last event seen, as the client was told it; nil for a new client.
    ///   - current: What a client that has seen nothing, or missed too much, is shown first.
    package func listen(
        after last: String?, current: (EventName, [UInt8])
    ) -> EventStream {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        return state.withLock { state in
            continuation.yield(beginning(after: last, current, state))
            guard !state.isOver else {
                continuation.finish()
                return EventStream(id: -1, chunks: stream)
            }
            let id = state.nextListener
            state.nextListener += 1
            state.listeners[id] = continuation
            return EventStream(id: id, chunks: stream)
        }
    }

    /// Forgets a listener.
    package func forget(_ stream: EventStream) {
        state.withLock { _ = $0.listeners.removeValue(forKey: stream.id) }
    }

    /// Tells all who listen to come back later, and ends their streams.
    package func finish() {
        state.withLock { state in
            state.isOver = true
            let bytes = event(.bye, Array("{}".utf8), number: state.newest)
            for continuation in state.listeners.values {
                continuation.yield(bytes)
                continuation.finish()
            }
            state.listeners = [:]
        }
    }

    private func deliver(_ bytes: ByteBuffer, _ state: inout State) {
        for (id, continuation) in state.listeners {
            if case .dropped = continuation.yield(bytes) {
                continuation.finish()
                state.listeners[id] = nil
            }
        }
    }

    /// What a listener is sent first: what it missed, or that too much was missed and what is the case now.
    private func beginning(
        after last: String?, _ current: (name: EventName, json: [UInt8]), _ state: State
    ) -> ByteBuffer {
        var bytes = ByteBuffer(string: "retry: \(retryMilliseconds)\n\n")
        if let missed = last.flatMap({ missed(after: $0, state) }) {
            for kept in missed { bytes.writeImmutableBuffer(kept.bytes) }
        } else {
            let name = last == nil ? current.name : .reset
            bytes.writeImmutableBuffer(event(name, current.json, number: state.newest))
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
