// What this replica writes to the log that it shares with others, as long as it is the one that polls.
internal import BridgecastCore
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
    private let source: any RealtimeSource
    private let outbox: ReplicaOutbox
    /// The number of the document that was read last from the log.
    private let lastNumber = Mutex<Int64?>(nil)

    init(_ source: any RealtimeSource, through outbox: ReplicaOutbox) {
        self.source = source
        self.outbox = outbox
    }

    var id: String { source.id }
    var note: String? { source.note }

    func fetch(at now: Timestamp) async throws -> [UInt8]? {
        if let term = outbox.term {
            guard let bytes = try await source.fetch(at: now) else { return nil }
            // A log that cannot be written ends the term elsewhere; what was fetched is good.
            try? await term.put(bytes, of: id)
            return bytes
        }
        let number = lastNumber.withLock { $0 }
        guard let document = try await outbox.log.document(id, unless: number) else { return nil }
        lastNumber.withLock { $0 = document.number }
        return document.bytes
    }
}

extension TransitParts {
    /// The same feeds, of which only the replica that polls requests any.
    func shared(through outbox: ReplicaOutbox) -> TransitParts {
        var parts = self
        parts.sources = sources.map { SharedRealtimeSource($0, through: outbox) }
        return parts
    }
}
