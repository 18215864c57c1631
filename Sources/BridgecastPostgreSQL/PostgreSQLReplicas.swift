// The log of a service's replicas in the schema of its store: entries in a table, their readers woken by NOTIFY, the turn to
// poll kept by an advisory lock.
#if PostgreSQL
    private import BridgecastCore
    package import BridgecastLive
    package import BridgecastStore
    private import BridgecastSupport
    private import Dispatch
    private import Foundation
    private import Synchronization

    /// The log of the replicas that share a store.
    ///
    /// Each reader has a connection and a thread of its own, which waits for notifications; so has each term, whose connection
    /// holds the lock. The lock is free as soon as the server notices that the connection is gone: at once if the process
    /// ends, within 14 seconds if its machine does, and after ``leaseSeconds`` without a sign if it hangs.
    package final class PostgreSQLReplicaLog: ReplicaLog {
        private let address: DatabaseAddress
        private let returnSeconds: Int

        /// Of locks (see ``PostgreSQLConnection/tryLock(_:_:)``): the one of the replica that polls.
        private static let pollerLock: Int32 = 0x4243_504c
        /// All readers share it.
        private static let readerLock: Int32 = 0x4243_5244
        /// A term whose process gives no sign for so long is ended by the server, seconds; from version 14 of PostgreSQL.
        private static let leaseSeconds = 15
        private static let oldestServerWithLeases: Int32 = 140_000
        /// Between two signs, seconds; several in a lease.
        private static let signSeconds = 4
        /// Between two attempts to take the lock, seconds.
        private static let campaignSeconds = 1.0
        /// After this long without a notification, the log is read, in case the connection is dead, seconds.
        private static let quietSeconds = 5.0
        /// A reader that is cancelled ends after this, seconds.
        private static let wakeSeconds = 1.0
        /// Entries that are read at once.
        private static let maxEntries = 500

        /// - Parameters:
        ///   - address: Of a store that has been opened for writing, so that the tables are there.
        ///   - returnSeconds: For so long after a start of the server, the other readers may be on their way back.
        package init(_ address: DatabaseAddress, returnSeconds: Int = 60) {
            self.address = address
            self.returnSeconds = returnSeconds
        }

        private static func connect(
            _ address: DatabaseAddress
        ) throws -> PostgreSQLConnection {
            var limits = PostgreSQLConnection.Limits()
            limits.connectSeconds = 5
            limits.replySeconds = 5
            let connection = try PostgreSQLConnection(
                address, password: try address.passwordFile.map(PostgreSQLHistory.password),
                limits: limits)
            try connection.executeAll(
                """
                SET search_path TO \(PostgreSQLConnection.quoted(address.schema));
                SET lock_timeout TO '4s'; SET statement_timeout TO '4s'
                """)
            return connection
        }

        /// The channel of the notifications of a schema.
        ///
        /// A name may have 63 bytes, which the schema's may have already.
        private static func channel(_ address: DatabaseAddress) -> String {
            "bridgecast_" + hexadecimal(SHA256.hash(address.schema.utf8).prefix(16))
        }

        // MARK: Reading

        package func batches(after last: Int64?) -> AsyncThrowingStream<ReplicaBatch, any Error> {
            let (stream, batches) = AsyncThrowingStream.makeStream(of: ReplicaBatch.self)
            let isCancelled = Flag()
            batches.onTermination = { _ in isCancelled.set() }
            Thread.detachNewThread { [self] in
                do {
                    try read(after: last, until: isCancelled) { batches.yield($0) }
                    batches.finish()
                } catch { batches.finish(throwing: error) }
            }
            return stream
        }

        private func read(
            after last: Int64?, until isCancelled: Flag, _ body: (ReplicaBatch) -> Void
        ) throws {
            let connection = try Self.connect(address)
            // Before the first reading: nothing is written between the two.
            try connection.listen(to: Self.channel(address))
            try join(isNew: last == nil, by: connection)
            let first =
                try last.map { try Self.entries(after: $0, by: connection) }
                ?? Self.beginning(by: connection)
            body(first)
            var last = first.entries.last?.sequence ?? last ?? 0
            var isComplete = last >= first.lastSequence
            var readAt = ContinuousClock.now
            while !isCancelled.isSet {
                let news = try connection.notifications(
                    waitingSeconds: isComplete ? Self.wakeSeconds : 0)
                guard
                    !isComplete || !news.isEmpty
                        || readAt.duration(to: .now) > .seconds(Self.quietSeconds)
                else { continue }
                readAt = .now
                let batch = try Self.entries(after: last, by: connection)
                last = batch.entries.last?.sequence ?? last
                isComplete = batch.entries.count < Self.maxEntries
                // An empty one, too, says whether it is still the same log.
                body(batch)
            }
        }

        /// Becomes one of the readers, for as long as the connection lives.
        ///
        /// A log without readers gets another id from a new one: it may have been restored meanwhile, and clients may
        /// have numbers that it does not have.
        private func join(isNew: Bool, by connection: PostgreSQLConnection) throws {
            let isAlone = try isNew && connection.tryLock(Self.readerLock, address.schema)
            if isAlone {
                try connection.execute(
                    """
                    UPDATE replicaHead SET logID = \(PostgreSQLSchema.newLogID) WHERE sequence > 0
                        AND pg_postmaster_start_time() <= now() - interval '\(returnSeconds) seconds'
                    """)
            }
            try connection.lockShared(Self.readerLock, address.schema)
            if isAlone { try connection.unlock(Self.readerLock, address.schema) }
        }

        /// Where a new reader begins.
        private static func beginning(by connection: PostgreSQLConnection) throws -> ReplicaBatch {
            try batch(
                """
                WHERE sequence = (SELECT max(sequence) FROM replicaEntry WHERE isPublication)
                    OR (events > 0 AND firstEvent > head.event - 512)
                """, [], by: connection)
        }

        private static func entries(
            after last: Int64, by connection: PostgreSQLConnection
        ) throws -> ReplicaBatch {
            try batch(
                "WHERE sequence > $1 ORDER BY sequence LIMIT \(maxEntries)", [.integer(last)],
                by: connection)
        }

        private static func batch(
            _ condition: String, _ parameters: [StoreValue], by connection: PostgreSQLConnection
        ) throws -> ReplicaBatch {
            let rows = try connection.execute(
                """
                SELECT head.logID, head.sequence AS lastSequence, entry.* FROM replicaHead AS head LEFT JOIN LATERAL (
                    SELECT sequence, term, firstEvent, record FROM replicaEntry \(condition)
                ) AS entry ON true ORDER BY entry.sequence
                """, parameters)
            guard case .text(let logID)? = rows.first,
                case .integer(let sequence) = rows.values[0][1]
            else { throw StoreProblem.damaged("no log of the replicas") }
            return ReplicaBatch(
                logID: logID, lastSequence: sequence,
                entries: rows.values.compactMap(ReplicaEntry.init))
        }

        package func replaceID(_ id: String) async throws {
            let connection = try await ServedConnection { [address] in try Self.connect(address) }
            try await connection.run { connection in
                try connection.execute(
                    "UPDATE replicaHead SET logID = \(PostgreSQLSchema.newLogID) WHERE logID = $1",
                    [.text(id)])
            }
        }

        package func document(
            _ feed: String, unless number: Int64?
        ) async throws -> ReplicaDocument? {
            let connection = try await ServedConnection { [address] in try Self.connect(address) }
            return try await connection.run { connection in
                let rows = try connection.execute(
                    """
                    SELECT number, requestedAt, problem, CASE
                        WHEN number IS DISTINCT FROM $2::bigint THEN encode(bytes, 'base64')
                    END FROM replicaDocument WHERE feed = $1
                    """, [.text(feed), StoreValue(number)])
                return rows.values.first.flatMap(ReplicaDocument.init)
            }
        }

        // MARK: Polling

        package func campaign() async throws -> any ReplicaTerm {
            let connection = try await ServedConnection { [address] in try Self.connect(address) }
            while try await !connection.run({ [address] in
                try $0.tryLock(Self.pollerLock, address.schema)
            }) {
                try await Task.sleep(for: .seconds(Self.campaignSeconds))
            }
            connection.giveSigns(everySeconds: Self.signSeconds)
            let head = try await connection.run { connection in
                if connection.serverVersion >= Self.oldestServerWithLeases {
                    try connection.execute("SET idle_session_timeout TO '\(Self.leaseSeconds)s'")
                }
                return try connection.execute(
                    "UPDATE replicaHead SET term = term + 1 RETURNING term, sequence")
            }
            guard let row = head.values.first, case .integer(let number) = row[0],
                case .integer(let sequence) = row[1]
            else { throw StoreProblem.damaged("no log of the replicas") }
            return PostgreSQLTerm(
                number: number, lastSequence: sequence, connection: connection,
                channel: Self.channel(address))
        }
    }

    /// A term, for as long as its connection has the lock of the replica that polls.
    private struct PostgreSQLTerm: ReplicaTerm {
        let number: Int64
        let lastSequence: Int64
        let connection: ServedConnection
        let channel: String

        /// Entries and events that are kept for readers that were away.
        private static let kept: Int64 = 4_000
        /// Older ones are deleted after every so many entries.
        private static let pruneEvery: Int64 = 256

        func append(_ record: [UInt8], eventCount: Int, isPublication: Bool) async throws {
            // In one command, so that an entry costs one exchange with the server.
            let sql = """
                WITH head AS (
                    UPDATE replicaHead SET sequence = sequence + 1, event = event + $2::bigint
                    WHERE term = $1::bigint RETURNING sequence, event
                ), entry AS (
                    INSERT INTO replicaEntry
                    SELECT sequence, $1::bigint, event - $2::bigint + 1, $2::bigint, $3::boolean, $4
                    FROM head RETURNING sequence
                )
                SELECT sequence, pg_notify($5, sequence::text) FROM entry
                """
            let arguments: [StoreValue] = [
                .integer(number), .integer(Int64(eventCount)),
                .text(isPublication ? "true" : "false"),
                .text(String(decoding: record, as: UTF8.self)), .text(channel),
            ]
            let rows = try await connection.run { try $0.execute(sql, arguments) }
            guard case .integer(let sequence)? = rows.first else {
                throw ReplicaTermEnded(number: number)
            }
            // What cannot be deleted now is deleted later.
            if sequence % Self.pruneEvery == 0 { try? await prune(before: sequence - Self.kept) }
        }

        private func prune(before sequence: Int64) async throws {
            try await connection.run { connection in
                try connection.execute(
                    """
                    DELETE FROM replicaEntry WHERE sequence < $1::bigint
                        AND firstEvent < (SELECT event FROM replicaHead) - $2::bigint
                    """, [.integer(sequence), .integer(Self.kept)])
            }
        }

        func put(
            _ document: [UInt8]?, problem: String?, of feed: String, at now: Timestamp
        ) async throws {
            let arguments: [StoreValue] = [
                .integer(number), .text(feed),
                StoreValue(document.map { Data($0).base64EncodedString() }),
                .integer(now.secondsSinceEpoch), StoreValue(problem),
            ]
            let rows = try await connection.run { connection in
                try connection.execute(
                    """
                    INSERT INTO replicaDocument
                    SELECT $2, CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END, decode($3, 'base64'),
                        $4::bigint, $5
                    FROM replicaHead WHERE term = $1::bigint
                    ON CONFLICT (feed) DO UPDATE
                    SET number = replicaDocument.number + excluded.number,
                        bytes = coalesce(excluded.bytes, replicaDocument.bytes),
                        requestedAt = excluded.requestedAt, problem = excluded.problem
                    RETURNING number
                    """, arguments)
            }
            if rows.values.isEmpty { throw ReplicaTermEnded(number: number) }
        }

        func end() async { await connection.close() }
    }

    extension ReplicaDocument {
        /// Of a row of `document`.
        fileprivate init?(_ row: [StoreValue]) {
            guard row.count == 4, case .integer(let number) = row[0],
                case .integer(let seconds) = row[1]
            else { return nil }
            var problem: String?
            if case .text(let text) = row[2] { problem = text }
            var bytes: [UInt8]?
            if case .text(let text) = row[3] {
                bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init)
            }
            self.init(
                number: number, bytes: bytes,
                requestedAt: Timestamp(secondsSinceEpoch: seconds), problem: problem)
        }
    }

    extension ReplicaEntry {
        /// Of a row of `batch`; nil for a log without entries.
        fileprivate init?(_ row: [StoreValue]) {
            guard row.count == 6, case .integer(let sequence) = row[2],
                case .integer(let term) = row[3], case .integer(let firstEvent) = row[4],
                case .text(let record) = row[5]
            else { return nil }
            self.init(
                sequence: sequence, term: term, firstEvent: firstEvent, body: Array(record.utf8))
        }
    }

    /// A connection with a thread of its own, for callers that must not be blocked.
    ///
    /// - Important: `@unchecked Sendable`: the connection, which is all that changes, is used only on the queue, which is
    ///   serial.
    private final class ServedConnection: @unchecked Sendable {
        private let queue = DispatchQueue(label: "bridgecast.postgresql")
        private var connection: PostgreSQLConnection?
        private let signs: any DispatchSourceTimer

        init(_ connect: @escaping @Sendable () throws -> PostgreSQLConnection) async throws {
            signs = DispatchSource.makeTimerSource(queue: queue)
            signs.activate()
            try await onQueue { $0.connection = try connect() }
        }

        /// Lets the server see regularly that this process is alive, until the connection is closed or breaks.
        ///
        /// Not by a task: those of a busy service may have to wait.
        func giveSigns(everySeconds seconds: Int) {
            signs.setEventHandler { [weak self] in
                guard let self else { return }
                if (try? connection?.execute("SELECT 1")) == nil { signs.cancel() }
            }
            signs.schedule(
                deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        }

        /// - Throws: The error of the body; ``PostgreSQLError`` if the connection is closed.
        @discardableResult
        func run<Result: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Result
        ) async throws -> Result {
            try await onQueue { served in
                guard let connection = served.connection else {
                    throw PostgreSQLError(.connection, "the connection is closed")
                }
                return try body(connection)
            }
        }

        func close() async {
            signs.cancel()
            try? await onQueue { $0.connection = nil }
        }

        private func onQueue<Result: Sendable>(
            _ body: @escaping @Sendable (ServedConnection) throws -> Result
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try body(self) }) }
            }
        }
    }

    /// A flag that is set once.
    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)

        var isSet: Bool { value.load(ordering: .acquiring) }

        func set() { value.store(true, ordering: .releasing) }
    }
#endif
