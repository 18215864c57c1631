// The log that the replicas of a service share, apart from where it is kept.

/// A log of publications that any number of replicas read and one at a time writes.
///
/// Entries are numbered without gaps in the order in which they were written, and so are the events in them.
package protocol ReplicaLog: Sendable {
    /// What has been written, then what is written from now on, until the task is cancelled.
    ///
    /// - Parameter last: The sequence number of the last entry that was read. With nil, the first batch is where a new
    ///   reader begins: the newest publication, and the newest events for clients that reconnect.
    /// - Returns: Batches in order. The first comes as soon as the log is reached, even if it is empty; the stream throws
    ///   when the connection is lost.
    func batches(after last: Int64?) -> AsyncThrowingStream<ReplicaBatch, any Error>

    /// Waits until this replica may poll.
    ///
    /// - Throws: An error of the connection; `CancellationError`.
    func campaign() async throws -> any ReplicaTerm

    /// The newest document that the replica that polls has fetched from a feed, unless its number is the one given.
    ///
    /// - Throws: An error of the connection.
    func document(_ feed: String, unless number: Int64?) async throws -> ReplicaDocument?
}

/// The time in which a replica polls. It ends by ``end()``, when its connection is lost, or when another's begins.
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
    /// - Throws: ``ReplicaTermEnded`` if another polls now; an error of the connection. Nothing was appended then.
    func append(_ record: [UInt8], eventCount: Int, isPublication: Bool) async throws

    /// Keeps a document of a feed for the other replicas.
    ///
    /// - Throws: As ``append(_:eventCount:isPublication:)``.
    func put(_ document: [UInt8], of feed: String) async throws

    /// Lets another replica poll.
    func end() async
}

/// Entries of the log that were read together.
package struct ReplicaBatch: Sendable {
    /// Identifies the log; constant as long as its numbers continue.
    package let logID: String
    package let entries: [ReplicaEntry]

    package init(logID: String, entries: [ReplicaEntry]) {
        self.logID = logID
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

/// A document of a feed, and its number, which grows with each newer one.
package struct ReplicaDocument: Sendable, Equatable {
    package let number: Int64
    package let bytes: [UInt8]

    package init(number: Int64, bytes: [UInt8]) {
        self.number = number
        self.bytes = bytes
    }
}

/// Another replica polls now.
package struct ReplicaTermEnded: Error, Equatable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package var description: String { "term \(number) has ended: another replica polls now" }
}
