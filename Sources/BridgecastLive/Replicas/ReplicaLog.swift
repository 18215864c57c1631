// The log that the replicas of a service share, wherever it is kept.
package import Bridgecast

/// A log of publications that any number of replicas read and one at a time writes.
///
/// Entries are numbered without gaps in the order in which they were written, and so are the events in them.
package protocol ReplicaLog: Sendable {
    /// What has been written, then what is written from now on, until the task is cancelled.
    ///
    /// - Parameter last: A sequence number: entries after it are read. With nil, the first batch is where a new
    ///   reader begins: the newest publication, and the newest events for clients that reconnect. A log without other readers may get another id from a new reader.
    /// - Returns: Batches in order. The first comes as soon as the log is reached, even if it is empty; the stream throws
    ///   when the connection is lost.
    func batches(after last: Int64?) -> AsyncThrowingStream<ReplicaBatch, any Error>

    /// Waits until this replica may poll.
    ///
    /// - Throws: An error of the connection; `CancellationError`.
    func campaign() async throws -> any ReplicaTerm

    /// Gives a log that has lost its end another id; nothing if its id is another one by now.
    ///
    /// - Parameter id: Its id when that was noticed.
    /// - Throws: An error of the connection.
    func replaceID(_ id: String) async throws

    /// What the replica that polls has of a feed; nil if it has never requested that.
    ///
    /// - Parameter number: The number of a document that is there already: its bytes are not read again.
    /// - Throws: An error of the connection.
    func document(_ feed: String, unless number: Int64?) async throws -> ReplicaDocument?
}

/// The time in which a replica polls.
///
/// It ends by ``end()``, when its connection is lost, or when another's begins.
package protocol ReplicaTerm: Sendable {
    /// Its number, higher than that of any term before.
    var number: Int64 { get }
    /// The sequence number of the last entry before it.
    var lastSequence: Int64 { get }

    /// Appends an entry and wakes the readers.
    ///
    /// - Parameters:
    ///   - record: A ``ReplicaRecord``'s bytes.
    ///   - eventCount: How many event numbers the entry takes.
    ///   - isPublication: Whether a new reader can begin with it.
    /// - Throws: ``ReplicaTermEnded`` if another polls now: nothing was appended. After an error of the connection, whether
    ///   it was is not known; readers see it if it was.
    func append(_ record: [UInt8], eventCount: Int, isPublication: Bool) async throws

    /// Keeps what a request to a feed has brought for the other replicas.
    ///
    /// - Parameters:
    ///   - document: The newest one; nil if it is as before.
    ///   - problem: Why there was no answer, for people; nil if there was one.
    /// - Throws: As ``append(_:eventCount:isPublication:)``.
    func put(
        _ document: [UInt8]?, problem: String?, of feed: String, at now: Timestamp
    ) async throws

    /// Lets another replica poll.
    func end() async
}

/// Entries of the log that were read together.
package struct ReplicaBatch: Sendable {
    /// Identifies the log; constant as long as its numbers continue.
    package let logID: String
    /// The sequence number of the last entry of the log.
    package let lastSequence: Int64
    package let entries: [ReplicaEntry]

    package init(logID: String, lastSequence: Int64, entries: [ReplicaEntry]) {
        self.logID = logID
        self.lastSequence = lastSequence
        self.entries = entries
    }
}

/// An entry of the log.
package struct ReplicaEntry: Sendable, Equatable {
    package let sequence: Int64
    /// The number of the term in which it was written.
    package let term: Int64
    /// The number of its first event; of the next one if it has none.
    package let firstEvent: Int64
    /// A ``ReplicaRecord``.
    package let body: [UInt8]

    package init(sequence: Int64, term: Int64, firstEvent: Int64, body: [UInt8]) {
        self.sequence = sequence
        self.term = term
        self.firstEvent = firstEvent
        self.body = body
    }
}

/// What the last requests to a feed have brought.
package struct ReplicaDocument: Sendable, Equatable {
    /// Grows with each newer document; 0 before the first.
    package let number: Int64
    /// Nil where the number is the one that was asked for.
    package let bytes: [UInt8]?
    /// When the feed was requested last.
    package let requestedAt: Timestamp
    /// Why the last request had no answer; nil if it had one.
    package let problem: String?

    package init(number: Int64, bytes: [UInt8]?, requestedAt: Timestamp, problem: String?) {
        self.number = number
        self.bytes = bytes
        self.requestedAt = requestedAt
        self.problem = problem
    }
}

/// Another replica polls now.
package struct ReplicaTermEnded: Error, Equatable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package var description: String { "term \(number) has ended: another replica polls now" }
}
