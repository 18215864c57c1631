// A history store in a schema of a PostgreSQL database.
#if PostgreSQL
    package import BridgecastStore
    private import BridgecastSupport
    internal import Foundation

    /// The tables of a history store in a database; it connects again where a connection is lost.
    ///
    /// What is written is one transaction that has the lock of its schema, so that one program writes at a time; others wait up
    /// to ten seconds, as for a file. Readers see one state of the database and wait for nothing.
    ///
    /// - Important: `@unchecked Sendable`: the connection, and all that changes, is used only with the lock.
    package final class PostgreSQLHistory: HistoryBackend, @unchecked Sendable {
        package let name: String
        private let address: DatabaseAddress
        private let access: HistoryStore.Access
        private let lock = NSLock()
        private var connection: PostgreSQLConnection?
        /// The last attempt to connect, if it took long and failed.
        private var failure: (at: ContinuousClock.Instant, error: PostgreSQLError)?

        /// How long to wait for another writer; as for SQLite.
        private static let busyTimeoutSeconds = 10.0
        private static let maxPasswordBytes = 4096
        /// A service must not wait for a server that does not answer at each reading: after an attempt that was slow to fail,
        /// the next ones fail at once for a while.
        private static let slowSeconds = 1.0
        private static let pauseSeconds = 60.0

        /// Connects; a store of an older version is migrated when opened for writing, and one that is not there created.
        ///
        /// - Throws: ``StoreProblem``.
        package init(_ address: DatabaseAddress, _ access: HistoryStore.Access) throws {
            name = address.text
            self.address = address
            self.access = access
            try locked { _ in }
        }

        /// The first line of a file.
        static func password(in url: URL) throws -> String {
            let bytes: [UInt8]
            do {
                bytes = try LocalFile.read(url, maxBytes: maxPasswordBytes)
            } catch {
                throw StoreProblem.refused("the password's file, \(url.path): \(error.message)")
            }
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            guard let first = lines.first else {
                throw StoreProblem.refused("the password's file, \(url.path), is empty")
            }
            return String(first)
        }

        package func close() { lock.withLock { connection = nil } }

        package func read<Result>(
            _ body: (any HistoryDatabase) throws -> Result
        ) throws -> Result {
            try locked { connection in
                try connection.transaction(.snapshot) {
                    try body(PostgreSQLTables(connection))
                }
            }
        }

        package func write<Result>(
            commits: Bool, _ body: (any HistoryDatabase) throws -> Result
        ) throws -> Result {
            try locked { connection in
                try connection.transaction(.readCommitted, commits: commits) {
                    try takeWriterLock(of: connection)
                    return try body(PostgreSQLTables(connection))
                }
            }
        }

        private func takeWriterLock(of connection: PostgreSQLConnection) throws {
            try connection.lockTransaction(
                PostgreSQLSchema.writerLock, address.schema, maxSeconds: Self.busyTimeoutSeconds)
        }

        // MARK: Connection

        /// Runs a body with the connection, which is made first if there is none; errors of the server become problems.
        private func locked<Result>(
            _ body: (PostgreSQLConnection) throws -> Result
        ) throws -> Result {
            try lock.withLock {
                do {
                    let connection = try current()
                    defer { if connection.isBroken { self.connection = nil } }
                    return try body(connection)
                } catch let error as PostgreSQLError {
                    throw StoreProblem(error, access)
                }
            }
        }

        private func current() throws -> PostgreSQLConnection {
            if let connection {
                // A server that was started again has ended it meanwhile, which shows only now.
                if connection.isAnswering(maxSeconds: Self.busyTimeoutSeconds) { return connection }
                self.connection = nil
            }
            if let failure, .now - failure.at < .seconds(Self.pauseSeconds) { throw failure.error }
            let began = ContinuousClock.now
            do {
                return try connected()
            } catch let error as PostgreSQLError where error.source == .connecting {
                let isSlow = .now - began > .seconds(Self.slowSeconds)
                failure = isSlow ? (.now, error) : nil
                throw error
            }
        }

        private func connected() throws -> PostgreSQLConnection {
            // Read again for each connection: it may have been changed.
            let password = try address.passwordFile.map(Self.password)
            let new = try PostgreSQLConnection(address, password: password)
            // A migration may take longer.
            try prepare(new)
            new.limits.replySeconds = address.maxReplySeconds
            connection = new
            return new
        }

        private func prepare(_ connection: PostgreSQLConnection) throws {
            let schema = PostgreSQLConnection.quoted(address.schema)
            // All rows of a query are read.
            try connection.executeAll(
                "SET search_path TO \(schema); SET cursor_tuple_fraction TO 1")
            let version = try PostgreSQLSchema.version(of: address, by: connection)
            guard access == .writing else {
                switch version {
                case PostgreSQLSchema.currentVersion: return
                case 0: throw StoreProblem.empty
                default: throw StoreProblem.outdated
                }
            }
            if version < PostgreSQLSchema.currentVersion {
                try connection.transaction(.readCommitted) {
                    try takeWriterLock(of: connection)
                    try PostgreSQLSchema.migrate(address, by: connection)
                }
            }
            try checkRights(connection)
        }

        /// Finds out at once that nothing can be written, not with the first record.
        private func checkRights(_ connection: PostgreSQLConnection) throws {
            if let obstacle = try obstacle(connection) { throw obstacle }
        }

        /// Why a connection cannot write; nil if it can.
        private func obstacle(_ connection: PostgreSQLConnection) throws -> PostgreSQLError? {
            let tables = PostgreSQLSchema.tables.map { $0.lowercased() }
            let rights =
                try connection.execute(
                    """
                    SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery(),
                        has_database_privilege(current_database(), 'TEMPORARY'),
                        (SELECT string_agg(privilege || ' on ' || name, ', ') FROM unnest($1::text[]) AS name,
                            unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
                        WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(name, privilege))
                    """, [.list(of: tables)]
                ).values.first ?? []
            guard rights.first == "f" else {
                return PostgreSQLError(
                    .command, state: "25006", "the server or the user is read-only")
            }
            guard rights[1] == "t" else {
                return PostgreSQLError(
                    .command, state: "42501", "the user may not make temporary tables")
            }
            guard case .text(let missing) = rights[2] else { return nil }
            return PostgreSQLError(
                .command, state: "42501",
                "the user may not write to the schema \(address.schema): no \(missing)")
        }

        // MARK: Checks

        package func integrityProblems() throws -> [String] {
            try locked { connection in
                let tables = try connection.execute(
                    """
                    SELECT relname::text, indisvalid IS FALSE FROM pg_class
                    JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    LEFT JOIN pg_index ON indexrelid = pg_class.oid WHERE nspname = $1
                    """, [.text(address.schema)])
                let names = Set(tables.values.map { $0[0] })
                let missing = PostgreSQLSchema.tables.filter {
                    !names.contains(.text($0.lowercased()))
                }
                let invalid = tables.values.filter { $0[1] == "t" }
                guard missing.isEmpty else { return missing.map { "no table \($0)" } }
                let heads = try connection.execute("SELECT count(*) FROM replicaHead").first
                return invalid.map { "an index is invalid: \($0[0])" }
                    + (heads == 1 ? [] : ["the log of the replicas has lost its head"])
            }
        }

        package let soundness =
            "every table is there, no index is invalid; pages are not read (amcheck does that)"

        package func findings() throws -> [StoreFinding] {
            try locked { connection in
                let version = connection.serverVersion
                let values =
                    try connection.execute(
                        """
                        SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
                            pg_database_size(current_database()) / 1048576
                        """
                    ).values.first ?? []
                guard values.count == 2, case .integer(let megabytes) = values[1] else { return [] }
                let obstacle = try obstacle(connection)
                return [
                    .ok(
                        "server",
                        "PostgreSQL \(version / 10_000).\(version % 10_000), "
                            + (connection.isEncrypted ? "by TLS" : "without TLS")
                            + ", the database has \(megabytes) MB"),
                    obstacle.map {
                        .warning(
                            "rights", "sync and watch cannot store: \($0.message)", $0.recovery)
                    }
                        ?? .ok("rights", "the schema \(address.schema) can be written"),
                    values[0] == "t"
                        ? .ok("disk", "the server writes what is committed to its disk")
                        : .warning(
                            "disk",
                            "fsync or full_page_writes is off: a loss of power may damage everything",
                            "switch them on in postgresql.conf"),
                ]
            }
        }
    }

    extension StoreProblem {
        fileprivate init(_ error: PostgreSQLError, _ access: HistoryStore.Access) {
            let reason = "\(error)"
            self =
                switch (error.source, error.state) {
                case _ where error.isBusy: .busy
                case (.command, "53100"): .full
                case (.command, "42501"), (.command, "25006"):
                    access == .reading ? .unreadable(reason) : .unwritable(reason)
                case (.command, "42P01"), (.command, "42703"), (.command, "XX001"),
                    (.command, "XX002"):
                    .damaged(reason)
                case (.login, _) where !error.isTemporary:
                    .refused("\(reason). \(error.recovery)")
                case (.command, _): .failing(reason)
                default: .unreachable(reason)
                }
        }
    }
#endif
