// What programs that share a database tell each other: locks, and notifications.
#if PostgreSQL
    private import BridgecastStore
    private import Foundation

    extension PostgreSQLConnection {
        /// Takes a lock of the database for as long as the connection lives, unless another connection has it.
        ///
        /// - Parameters:
        ///   - kind: What it is for; all programs that use the database share these numbers.
        ///   - name: Of the locks of that kind; different names may share a lock.
        /// - Returns: Whether the connection has it now.
        /// - Throws: ``PostgreSQLError``.
        package func tryLock(_ kind: Int32, _ name: String) throws(PostgreSQLError) -> Bool {
            try execute(
                "SELECT pg_try_advisory_lock($1::int, hashtext($2))::int",
                [.integer(Int64(kind)), .text(name)]
            ).first == 1
        }

        /// Waits for a lock of the database that any number of connections share, for as long as the connection lives.
        ///
        /// The connection may have the lock of ``tryLock(_:_:)`` itself.
        /// - Throws: ``PostgreSQLError``.
        package func lockShared(_ kind: Int32, _ name: String) throws(PostgreSQLError) {
            try execute(
                "SELECT pg_advisory_lock_shared($1::int, hashtext($2))",
                [.integer(Int64(kind)), .text(name)])
        }

        /// Gives back a lock of ``tryLock(_:_:)``.
        ///
        /// - Throws: ``PostgreSQLError``.
        package func unlock(_ kind: Int32, _ name: String) throws(PostgreSQLError) {
            try execute(
                "SELECT pg_advisory_unlock($1::int, hashtext($2))",
                [.integer(Int64(kind)), .text(name)])
        }

        /// Waits for a lock that the transaction has until its end.
        ///
        /// - Parameter maxSeconds: Then the error is ``PostgreSQLError/isBusy``.
        /// - Throws: ``PostgreSQLError``.
        package func lockTransaction(
            _ kind: Int32, _ name: String, maxSeconds: Double
        ) throws(PostgreSQLError) {
            try execute("SET LOCAL lock_timeout TO \(Int(maxSeconds * 1000))")
            try execute(
                "SELECT pg_advisory_xact_lock($1::int, hashtext($2))",
                [.integer(Int64(kind)), .text(name)])
        }

        /// A name in quotation marks, as SQL has it.
        package static func quoted(_ name: String) -> String {
            "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
        }

        /// Receives the notifications of a channel from now on.
        ///
        /// - Throws: ``PostgreSQLError``.
        package func listen(to channel: String) throws(PostgreSQLError) {
            try execute("LISTEN \(Self.quoted(channel))")
        }
    }
#endif
