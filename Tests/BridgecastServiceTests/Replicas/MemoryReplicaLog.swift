// A log of replicas in memory, whose connections a test may cut.
import BridgecastCore
import BridgecastLive
import Foundation
import Synchronization

/// The log itself, which outlives the connections to it.
final class MemoryReplicaLog: Sendable {
    struct Lost: Error {}

    private typealias Reader = AsyncThrowingStream<ReplicaBatch, any Error>.Continuation

    private struct State {
        var entries: [ReplicaEntry] = []
        var nextEvent: Int64 = 1
        var term: Int64 = 0
        var isTaken = false
        var isReachable = true
        var readers: [Int: Reader] = [:]
        var readerCount = 0
        var documents: [String: ReplicaDocument] = [:]
        var id = "memory"

        @discardableResult
        mutating func append(_ body: [UInt8], eventCount: Int, term: Int64) -> ReplicaEntry {
            let entry = ReplicaEntry(
                sequence: (entries.last?.sequence ?? 0) + 1, term: term, firstEvent: nextEvent,
                body: body)
            nextEvent += Int64(eventCount)
            entries.append(entry)
            return entry
        }

        func batch(_ entries: [ReplicaEntry]) -> ReplicaBatch {
            ReplicaBatch(
                logID: id, lastSequence: self.entries.last?.sequence ?? 0, entries: entries)
        }
    }

    private let state = Mutex(State())

    var entries: [ReplicaEntry] { state.withLock { $0.entries } }
    var term: Int64 { state.withLock { $0.term } }

    /// Ends all connections and terms; there are no new ones until ``restore()``.
    func cut() {
        let readers = state.withLock { state in
            state.isReachable = false
            state.isTaken = false
            defer { state.readers = [:] }
            return state.readers.values.map { $0 }
        }
        for reader in readers { reader.finish(throwing: Lost()) }
    }

    func restore() { state.withLock { $0.isReachable = true } }

    /// Replaces the log by an empty one, as where a database was made anew.
    func replace() {
        cut()
        state.withLock { state in
            state.entries = []
            state.nextEvent = 1
            state.term = 0
            state.id = "other"
        }
        restore()
    }

    /// Forgets the newest entries, as where an older copy of the database was restored, and writes others in their place.
    func loseEnd(of count: Int, writing others: [[UInt8]] = []) {
        cut()
        state.withLock { state in
            let lost = state.entries.suffix(count)
            state.nextEvent = lost.first?.firstEvent ?? state.nextEvent
            state.entries.removeLast(lost.count)
            state.term = state.entries.last?.term ?? 0
            for body in others { state.append(body, eventCount: 1, term: state.term) }
        }
        restore()
    }

    /// Lets another replica begin a term without asking the one that polls, as if that had been cut off.
    func depose() { state.withLock { $0.isTaken = false } }
}

extension MemoryReplicaLog: ReplicaLog {
    func batches(after last: Int64?) -> AsyncThrowingStream<ReplicaBatch, any Error> {
        let (stream, reader) = AsyncThrowingStream.makeStream(of: ReplicaBatch.self)
        let id: Int? = state.withLock { state in
            guard state.isReachable else { return nil }
            let entries = state.entries.filter { $0.sequence > last ?? 0 }
            reader.yield(state.batch(entries))
            state.readerCount += 1
            state.readers[state.readerCount] = reader
            return state.readerCount
        }
        guard let id else {
            reader.finish(throwing: Lost())
            return stream
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    func campaign() async throws -> any ReplicaTerm {
        while true {
            let term: Term? = try state.withLock { state in
                guard state.isReachable else { throw Lost() }
                guard !state.isTaken else { return nil }
                state.isTaken = true
                state.term += 1
                return Term(
                    log: self, number: state.term, lastSequence: state.entries.last?.sequence ?? 0)
            }
            if let term { return term }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func replaceID(_ id: String) async throws {
        try state.withLock { state in
            guard state.isReachable else { throw Lost() }
            if state.id == id { state.id += "b" }
        }
    }

    func document(_ feed: String, unless number: Int64?) async throws -> ReplicaDocument? {
        try state.withLock { state in
            guard state.isReachable else { throw Lost() }
            guard let document = state.documents[feed] else { return nil }
            return ReplicaDocument(
                number: document.number, bytes: document.number == number ? nil : document.bytes,
                requestedAt: document.requestedAt, problem: document.problem)
        }
    }

    private struct Term: ReplicaTerm {
        let log: MemoryReplicaLog
        let number: Int64
        let lastSequence: Int64

        func append(_ record: [UInt8], eventCount: Int, isPublication: Bool) async throws {
            try log.write(in: number) { state in
                let entry = state.append(record, eventCount: eventCount, term: number)
                for reader in state.readers.values {
                    reader.yield(state.batch([entry]))
                }
            }
        }

        func put(
            _ document: [UInt8]?, problem: String?, of feed: String, at now: Timestamp
        ) async throws {
            try log.write(in: number) { state in
                let last = state.documents[feed]
                state.documents[feed] = ReplicaDocument(
                    number: (last?.number ?? 0) + (document == nil ? 0 : 1),
                    bytes: document ?? last?.bytes, requestedAt: now, problem: problem)
            }
        }

        func end() async {
            log.state.withLock { if $0.term == number { $0.isTaken = false } }
        }
    }

    private func write(in term: Int64, _ body: (inout State) -> Void) throws {
        try state.withLock { state in
            guard state.isReachable else { throw Lost() }
            guard state.term == term, state.isTaken else { throw ReplicaTermEnded(number: term) }
            body(&state)
        }
    }
}
