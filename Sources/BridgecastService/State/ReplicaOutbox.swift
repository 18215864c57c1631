// What this replica writes to the log that it shares with others, as long as it is the one that polls.
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastLive
internal import BridgecastTransit
private import Synchronization

/// The way to the log: what is offered while this replica polls is written in order; otherwise it is dropped, since the
/// replica that polls writes the same.
final class ReplicaOutbox: Sendable {
    let log: any ReplicaLog
    private let current = Mutex<Current?>(nil)

    private struct Current {
        let term: any ReplicaTerm
        let records: AsyncStream<ReplicaRecord>.Continuation
    }

    init(_ log: any ReplicaLog) { self.log = log }

    /// The term in which this replica polls; nil if another does.
    var term: (any ReplicaTerm)? { current.withLock { $0?.term } }

    /// Takes records from now on.
    ///
    /// - Returns: The records, in order; the stream ends with ``end()``.
    func begin(_ term: any ReplicaTerm) -> AsyncStream<ReplicaRecord> {
        let (stream, records) = AsyncStream.makeStream(of: ReplicaRecord.self)
        current.withLock { $0 = Current(term: term, records: records) }
        return stream
    }

    func end() {
        let ended = current.withLock { current in
            defer { current = nil }
            return current
        }
        ended?.records.finish()
    }

    /// Writes news, events, or both.
    func offer(_ news: LiveNews?, _ events: [ServiceEvent]) {
        let publication = news.flatMap(ReplicaPublication.init)
        guard publication != nil || !events.isEmpty else { return }
        let sent = events.map { event in
            ReplicaRecord.SentEvent(
                name: event.name.rawValue, json: String(decoding: event.json, as: UTF8.self))
        }
        let record = ReplicaRecord(publication, sent: sent)
        current.withLock { _ = $0?.records.yield(record) }
    }
}

/// A realtime feed that the replica that polls requests, and the others read from the log.
final class SharedRealtimeSource: RealtimeSource {
    /// What the feed's last request had in place of an answer.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let source: any RealtimeSource
    private let outbox: ReplicaOutbox
    /// A request that is older means that no replica polls, seconds.
    private let maxAgeSeconds: Double
    /// The number of the document that was read last from the log.
    private let lastNumber = Mutex<Int64?>(nil)

    init(_ source: any RealtimeSource, every intervalSeconds: Double, through outbox: ReplicaOutbox)
    {
        self.source = source
        self.outbox = outbox
        // The replica that polls may be a minute in taking over.
        maxAgeSeconds = 2 * intervalSeconds + 60
    }

    var id: String { source.id }
    var note: String? { source.note }

    func fetch(at now: Timestamp) async throws -> [UInt8]? {
        guard let term = outbox.term else { return try await document(at: now) }
        let bytes: [UInt8]?
        do {
            bytes = try await source.fetch(at: now)
        } catch {
            let problem = FeedError.publicDescription(of: error)
            try? await term.put(nil, problem: problem, of: id, at: now)
            throw error
        }
        // A log that cannot be written ends the term elsewhere; what was fetched is good.
        try? await term.put(bytes, problem: nil, of: id, at: now)
        return bytes
    }

    private func document(at now: Timestamp) async throws -> [UInt8]? {
        let number = lastNumber.withLock { $0 }
        guard let document = try await outbox.log.document(id, unless: number),
            now.minutes(since: document.requestedAt) * 60 <= maxAgeSeconds
        else { throw Problem(description: "no replica requests it") }
        if let problem = document.problem { throw Problem(description: problem) }
        guard let bytes = document.bytes else { return nil }
        lastNumber.withLock { $0 = document.number }
        return bytes
    }
}

extension TransitParts {
    /// The same feeds, of which only the replica that polls requests any.
    func shared(through outbox: ReplicaOutbox) -> TransitParts {
        var parts = self
        parts.sources = sources.map {
            SharedRealtimeSource($0, every: intervalSeconds, through: outbox)
        }
        return parts
    }
}
