// Event streams of people: a message is sent to those who read, and to those who reconnect what they have missed.
public import BridgecastAlerts
public import BridgecastCore
private import Synchronization

/// Server-sent events (WHATWG HTML, 9.2) for people whose address is a stream of the service.
///
/// A message is delivered when it is handed to a reader; without a reader it is tried again. A reader that reconnects with
/// the id of the last event that it has seen gets from the ledger what was sent after it.
public final class AlertStreams: AlertCarrier {
    /// Where readers and what they have missed are looked up while a ledger is open; both read a file.
    struct Ledger: Sendable {
        let subscriber: @Sendable (_ token: String) -> Subscriber?
        let missed: @Sendable (_ subscriber: String, _ number: Int64) -> [AlertMessage]
    }

    private struct Reader {
        let subscriber: String
        let stream: AsyncStream<[UInt8]>.Continuation
        /// When the token by which a person listens was made; nil for an address that is a token.
        let tokenMadeAt: Timestamp?
        /// The newest numbers that it got from the ledger; nil while that is read.
        var replayed: Set<Int64>? = nil
        /// What was sent while the ledger was read, with the numbers of the events.
        var held: [(message: AlertMessage, number: Int64)] = []
    }

    private struct State {
        var ledger: Ledger?
        var readers: [Int: Reader] = [:]
        var count = 0
        /// The newest number that was sent to each person: ids never go back.
        var newest: [String: Int64] = [:]

        /// Adds a reader, which gets nothing before what it has missed; returns its number.
        mutating func add(_ reader: Reader) -> Int {
            count += 1
            readers[count] = reader
            return count
        }
    }

    private let state = Mutex(State())

    /// Events that may wait for a reader before it is disconnected.
    private static let maxWaiting = 64
    /// After which a reader should reconnect, milliseconds.
    private static let retryMilliseconds = 2000
    /// Missed messages that a reader gets at most, the newest.
    private static let maxMissed = 100
    /// Streams of one person at most.
    static let maxPerPerson = 5

    /// Creates streams without readers.
    public init() {}

    /// Looks people up in a file of alerts from now on.
    public func use(_ store: AlertStore) {
        use(
            Ledger(
                subscriber: { token in
                    (try? store.subscribers())?.first { $0.address == .stream(token: token) }
                },
                missed: { subscriber, number in
                    (try? store.sentMessages(to: subscriber, after: number, max: Self.maxMissed))
                        ?? []
                }))
    }

    func use(_ ledger: Ledger) { state.withLock { $0.ledger = ledger } }

    /// Ends all streams; people are not known any more.
    public func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            state.ledger = nil
            return Array(state.readers.values)
        }
        for reader in readers { reader.stream.finish() }
    }

    /// The stream of an address that is a token; nil if that is unknown.
    ///
    /// - Parameter lastEventID: The id of the last event that the reader has seen; nil for a new reader, which gets what is
    ///   sent from now on.
    public func listen(token: String, lastEventID: String?) -> AsyncStream<[UInt8]>? {
        let ledger = state.withLock { $0.ledger }
        guard let ledger, let subscriber = ledger.subscriber(token) else { return nil }
        let (stream, continuation) = Self.makeStream()
        let reader = Reader(subscriber: subscriber.id, stream: continuation, tokenMadeAt: nil)
        let id = state.withLock { $0.ledger == nil ? nil : $0.add(reader) }
        guard let id else { return nil }
        begin(reader, id, after: lastEventID, from: ledger)
        return stream
    }

    /// The stream of a person whose token was checked.
    ///
    /// - Parameter tokenMadeAt: When that token was made: ``endStreams(except:)`` ends streams by older ones.
    /// - Throws: ``AlertStreamRefusal``.
    public func listen(
        _ owner: AlertOwner, tokenMadeAt: Timestamp, lastEventID: String?
    ) throws(AlertStreamRefusal) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = Self.makeStream()
        let reader = Reader(
            subscriber: owner.subscriber, stream: continuation, tokenMadeAt: tokenMadeAt)
        let (id, ledger) = try state.withLock { (state) throws(AlertStreamRefusal) in
            guard let ledger = state.ledger else { throw .notOpen }
            let own = state.readers.values.count { $0.subscriber == owner.subscriber }
            guard own < Self.maxPerPerson else { throw .tooMany(max: Self.maxPerPerson) }
            return (state.add(reader), ledger)
        }
        begin(reader, id, after: lastEventID, from: ledger)
        return stream
    }

    /// Sends a reader what it has missed, and then what was sent meanwhile.
    ///
    /// The ledger is read without the lock: messages to others do not wait for a disk.
    private func begin(
        _ reader: Reader, _ id: Int, after lastEventID: String?, from ledger: Ledger
    ) {
        let missed =
            lastEventID.flatMap { Int64($0) }.map { ledger.missed(reader.subscriber, $0) } ?? []
        let replayed = Set(missed.map(\.lastNumber))
        var bytes = Array("retry: \(Self.retryMilliseconds)\n\n".utf8)
        for message in missed { bytes += Self.event(message, number: message.lastNumber) }
        state.withLock { state in
            guard let held = state.readers[id]?.held else { return }
            for (message, number) in held where !replayed.contains(message.lastNumber) {
                bytes += Self.event(message, number: number)
            }
            state.readers[id]?.replayed = replayed
            state.readers[id]?.held = []
            reader.stream.yield(bytes)
        }
        forget(id, with: reader.stream)
    }

    /// Ends the streams of people whose token is not valid any more.
    ///
    /// - Parameter tokens: By the person's id, when the valid token was made.
    public func endStreams(except tokens: [String: Timestamp]) {
        let valid = Dictionary(
            uniqueKeysWithValues: tokens.map { (AlertOwner(id: $0, name: "").subscriber, $1) })
        let ended = state.withLock { state in
            let ended = state.readers.filter { _, reader in
                reader.tokenMadeAt.map { $0 != valid[reader.subscriber] } ?? false
            }
            for id in ended.keys { state.readers[id] = nil }
            return Array(ended.values)
        }
        for reader in ended { reader.stream.finish() }
    }

    private static func makeStream() -> (
        AsyncStream<[UInt8]>, AsyncStream<[UInt8]>.Continuation
    ) {
        AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingOldest(maxWaiting))
    }

    /// Forgets a reader when its stream ends.
    private func forget(_ id: Int, with continuation: AsyncStream<[UInt8]>.Continuation) {
        // Outside of the lock: a stream that has already ended calls this immediately.
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
    }

    /// Sends a comment to all readers, so that those that are gone are noticed.
    public func sendHeartbeat() {
        let readers = state.withLock { Array($0.readers) }
        for (id, reader) in readers where reader.replayed != nil {
            yield(Array(": still here\n\n".utf8), to: reader, id)
        }
    }

    /// Sends a message to all who read a person's stream.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        let (readers, number) = state.withLock { state in
            let number = max(message.lastNumber, state.newest[subscriber.id] ?? 0)
            let own = state.readers.filter { $0.value.subscriber == subscriber.id }
            if !own.isEmpty { state.newest[subscriber.id] = number }
            for (id, reader) in own where reader.replayed == nil {
                state.readers[id]?.held.append((message, number))
            }
            return (own, number)
        }
        guard !readers.isEmpty else { return .failed(reason: "no reader") }
        let bytes = Self.event(message, number: number)
        var isDelivered = false
        for (id, reader) in readers {
            // It gets this one after what it has missed, or has it from the ledger.
            let isKnown = reader.replayed?.contains(message.lastNumber) ?? true
            if isKnown || yield(bytes, to: reader, id) { isDelivered = true }
        }
        return isDelivered ? .delivered : .failed(reason: "no reader is left")
    }

    /// Whether a reader took some bytes; one that has stopped reading is disconnected.
    @discardableResult
    private func yield(_ bytes: [UInt8], to reader: Reader, _ id: Int) -> Bool {
        if case .enqueued = reader.stream.yield(bytes) { return true }
        state.withLock { _ = $0.readers.removeValue(forKey: id) }
        reader.stream.finish()
        return false
    }

    private static func event(_ message: AlertMessage, number: Int64) -> [UInt8] {
        Array("id: \(number)\nevent: alert\ndata: ".utf8) + message.json + Array("\n\n".utf8)
    }
}
