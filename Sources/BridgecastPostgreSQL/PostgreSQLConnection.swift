// A connection to a PostgreSQL server: its commands and their results. All calls of libpq and all unsafe memory are in this
// file and in PostgreSQLMemory.swift.
#if PostgreSQL
    package import BridgecastStore
    private import BridgecastSupport
    private import CPostgreSQL
    private import Foundation
    private import Glibc

    /// One connection to a server, used by one thread at a time.
    ///
    /// Every wait has a limit, so that a server that hangs does not stop its client. Nothing is done twice: a connection that
    /// breaks stays broken (``isBroken``), and its user makes another one. The class is not `Sendable`; give each thread its
    /// own, or guard it with a lock.
    @safe package final class PostgreSQLConnection {
        /// The limits of waits, seconds.
        package struct Limits: Sendable {
            /// For a connection to each address of each host; at least 2.
            package var connectSeconds = 10
            /// For the next sign of the server while it carries out a command.
            package var replySeconds = 300.0

            package init() {}
        }

        /// The rows that a command returned.
        package struct Rows: Sendable {
            /// The names of the columns.
            package let columns: [String]
            /// The values of the rows, one for each column.
            package let values: [[StoreValue]]
            /// The number of rows that the command returned or changed.
            package let count: Int

            /// The value of the first column of the first row; nil without a row.
            package var first: StoreValue? { values.first?.first }
        }

        /// How a transaction sees what others write.
        package enum Isolation: String, Sendable {
            /// One state of the database, and nothing is written.
            case snapshot = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
            /// Each command sees what was committed before it.
            case readCommitted = "ISOLATION LEVEL READ COMMITTED READ WRITE"
        }

        /// A message of another connection to the same database.
        package struct Notification: Sendable, Equatable {
            package let channel: String
            package let payload: String
        }

        private let handle: OpaquePointer
        package var limits: Limits
        /// Set where the state of the connection is not known any more.
        private var isUnusable = false

        /// The oldest version of the server that has all that is used, as libpq counts versions.
        private static let oldestServer: Int32 = 120_000

        /// Connects.
        ///
        /// - Parameter password: Nil for that of PGPASSWORD or of PGPASSFILE, or for none.
        /// - Throws: ``PostgreSQLError``.
        package init(
            _ address: DatabaseAddress, password: String? = nil, limits: Limits = Limits()
        ) throws(PostgreSQLError) {
            self.limits = limits
            var values = [
                "client_encoding": "UTF8", "application_name": "bridgecast",
                "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
                "tcp_user_timeout": "30000", "connect_timeout": "\(limits.connectSeconds)",
            ]
            for parameter in address.parameters { values[parameter.name] = parameter.value }
            values["password"] = password
            unsafe handle = try Self.connect(values)
            // If this fails, deinit closes it: everything is set.
            try prepare()
        }

        deinit { unsafe PQfinish(handle) }

        /// Whether the connection cannot be used any more.
        package var isBroken: Bool { unsafe isUnusable || PQstatus(handle) != CONNECTION_OK }

        /// The server's version, such as 150018 for 15.18.
        package var serverVersion: Int32 { unsafe PQserverVersion(handle) }

        /// Whether TLS is in use.
        package var isEncrypted: Bool { unsafe PQsslInUse(handle) != 0 }

        // MARK: Connecting

        /// Connects to the first host that takes the connection; one that is silent does not take the time of the next.
        private static func connect(
            _ values: [String: String]
        ) throws(PostgreSQLError) -> OpaquePointer {
            let handle = try unsafe begin(values)
            // The way on that counts the time for each host and address, and has the settings that are made by now.
            unsafe PQreset(handle)
            guard unsafe PQstatus(handle) == CONNECTION_OK else {
                let error =
                    unsafe PQconnectionNeedsPassword(handle) == 1
                    ? PostgreSQLError(.login, state: "28P01", "the server asks for a password")
                    : loginError(unsafe String(cString: PQerrorMessage(handle)))
                unsafe PQfinish(handle)
                throw error
            }
            unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            return unsafe handle
        }

        /// What has the settings of a connection, and is not connected yet.
        private static func begin(
            _ values: [String: String]
        ) throws(PostgreSQLError) -> OpaquePointer {
            let names = values.keys.sorted()
            let keywords = TextList(names)
            let texts = TextList(names.map { values[$0] ?? "" })
            // Safe: both lists end in nil and live through the call, which copies them.
            guard let handle = unsafe PQconnectStartParams(keywords.pointers, texts.pointers, 0)
            else {
                throw PostgreSQLError(.connecting, "no memory for a connection")
            }
            unsafe bridgecast_postgresql_ignore_notices(handle)
            // Its message then has the SQLSTATE, which libpq gives in no other way.
            unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            return unsafe handle
        }

        /// The error of a message such as `... FATAL:  28P01: password authentication failed for user "a"`.
        private static func loginError(_ message: String) -> PostgreSQLError {
            for line in message.split(whereSeparator: \.isNewline) {
                let parts = line.components(separatedBy: ":  ")
                guard let text = parts.last, parts.count > 1, text.count > 7 else { continue }
                let state = text.prefix(5)
                let isState = state.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
                guard isState, text.dropFirst(5).hasPrefix(": ") else { continue }
                return PostgreSQLError(.login, state: String(state), String(text.dropFirst(7)))
            }
            return PostgreSQLError(
                message.contains("FATAL") || message.contains("SSL")
                    || message.contains("certificate")
                    ? .login : .connecting, message)
        }

        private func prepare() throws(PostgreSQLError) {
            guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw connectionError() }
            guard serverVersion >= Self.oldestServer else {
                throw PostgreSQLError(
                    .login,
                    "the server is PostgreSQL \(serverVersion / 10_000); \(Self.oldestServer / 10_000) or newer is needed"
                )
            }
            // The server ends a connection whose client's machine is gone, and what it has locked is free again.
            try executeAll(
                """
                SET client_min_messages TO error; SET lock_timeout TO '10s'; SET tcp_keepalives_idle TO 5;
                SET tcp_keepalives_interval TO 3; SET tcp_keepalives_count TO 3;
                SET tcp_user_timeout TO '10s'
                """)
            // What is committed is on the disk, also where the database's default is faster than that.
            try execute(
                """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') = 'off'
                """)
        }

        // MARK: Commands

        /// Carries out one command.
        ///
        /// - Parameters:
        ///   - sql: With `$1`, `$2` and so on for the parameters.
        ///   - parameters: Their values; texts must not have the character U+0000.
        /// - Returns: What it returned, all at once; read many rows through a cursor.
        /// - Throws: ``PostgreSQLError``.
        @discardableResult
        package func execute(
            _ sql: String, _ parameters: [StoreValue] = []
        ) throws(PostgreSQLError) -> Rows {
            try send(sql, parameters)
            return try finish()
        }

        /// Whether the server still answers; if not, the connection is broken.
        package func isAnswering(maxSeconds: Double) -> Bool {
            let replySeconds = limits.replySeconds
            limits.replySeconds = maxSeconds
            defer { limits.replySeconds = replySeconds }
            return (try? execute("SELECT 1")) != nil
        }

        /// Carries out several commands without parameters, separated by semicolons, in one transaction of their own unless one
        /// has begun.
        ///
        /// - Throws: ``PostgreSQLError``.
        package func executeAll(_ sql: String) throws(PostgreSQLError) {
            guard unsafe PQsendQuery(handle, sql) == 1 else { throw connectionError() }
            try flush()
            _ = try finish()
        }

        /// Runs a body in a transaction; an error, also of the commit, leaves the database as it was.
        ///
        /// If the connection breaks while it commits, whether it did is not known.
        ///
        /// - Parameter commits: Whether it ends with a commit; if not, nothing is changed.
        /// - Throws: ``PostgreSQLError``, and what the body throws.
        package func transaction<Result>(
            _ isolation: Isolation, commits: Bool = true, _ body: () throws -> Result
        ) throws -> Result {
            try execute("BEGIN \(isolation.rawValue)")
            let result: Result
            do {
                result = try body()
            } catch {
                if !isBroken, (try? execute("ROLLBACK")) == nil { isUnusable = true }
                throw error
            }
            guard commits else {
                try execute("ROLLBACK")
                return result
            }
            // In a transaction that has failed COMMIT rolls back, and says so only here.
            guard unsafe PQtransactionStatus(handle) != PQTRANS_INERROR else {
                _ = try? execute("ROLLBACK")
                throw PostgreSQLError(.command, state: "25P02", "the transaction has failed")
            }
            try execute("COMMIT")
            return result
        }

        /// Writes rows to a table with COPY.
        ///
        /// - Parameters:
        ///   - target: The table, with the names of the columns in brackets.
        ///   - rows: The values of each row; texts must not have the character U+0000.
        /// - Returns: The number of rows.
        /// - Throws: ``PostgreSQLError``; nothing is stored then.
        @discardableResult
        package func copy(
            into target: String, _ rows: some Sequence<[StoreValue]>
        ) throws(PostgreSQLError) -> Int {
            try send("COPY \(target) FROM STDIN", [])
            let began = try nextResult()
            guard let began, unsafe PQresultStatus(began.handle) == PGRES_COPY_IN else {
                return try finish(after: began).count
            }
            var block: [UInt8] = []
            block.reserveCapacity(Self.copyBlockBytes + 1024)
            for row in rows {
                for (index, value) in row.enumerated() {
                    if index > 0 { block.append(UInt8(ascii: "\t")) }
                    value.appendAsCopyText(to: &block)
                }
                block.append(UInt8(ascii: "\n"))
                if block.count >= Self.copyBlockBytes {
                    try put(block)
                    block.removeAll(keepingCapacity: true)
                }
            }
            if !block.isEmpty { try put(block) }
            while true {
                let code = unsafe PQputCopyEnd(handle, nil)
                guard code >= 0 else { throw connectionError() }
                if code == 1 { break }
                try awaitServer(POLLOUT)
            }
            try flush()
            return try finish().count
        }

        private static let copyBlockBytes = 1 << 16

        private func put(_ block: [UInt8]) throws(PostgreSQLError) {
            while true {
                // Safe: the call reads no more bytes than there are, and copies them.
                let code = unsafe block.withUnsafeBytes { bytes in
                    unsafe PQputCopyData(
                        handle, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
                }
                guard code >= 0 else { throw connectionError() }
                if code == 1 { return try flush() }
                try awaitServer(POLLOUT)
            }
        }

        // MARK: Notifications

        /// The notifications that have come; without any waits for the first one.
        ///
        /// - Parameter seconds: The longest wait; empty after it.
        /// - Throws: ``PostgreSQLError`` if the connection breaks.
        package func notifications(
            waitingSeconds seconds: Double
        ) throws(PostgreSQLError) -> [Notification] {
            let deadline = ContinuousClock.now + .seconds(seconds)
            while true {
                guard unsafe PQconsumeInput(handle) == 1 else { throw connectionError() }
                var found: [Notification] = []
                while let notice = unsafe PQnotifies(handle) {
                    // Safe: both texts end in a zero and live until the structure is freed.
                    found.append(
                        Notification(
                            channel: unsafe String(cString: notice.pointee.relname),
                            payload: unsafe String(cString: notice.pointee.extra)))
                    unsafe PQfreemem(notice)
                }
                guard found.isEmpty else { return found }
                guard
                    unsafe Self.wait(
                        for: POLLIN, of: PQsocket(handle), until: deadline)
                else {
                    return []
                }
            }
        }

        // MARK: Sending and receiving

        private func send(_ sql: String, _ parameters: [StoreValue]) throws(PostgreSQLError) {
            let texts = parameters.map(\.parameterText)
            guard !texts.contains(where: { $0?.utf8.contains(0) ?? false }) else {
                throw PostgreSQLError(.command, state: "22021", "a text has the character U+0000")
            }
            let values = TextList(texts)
            // Safe: there are as many values as the call is given; it copies them.
            let isSent = unsafe PQsendQueryParams(
                handle, sql, Int32(texts.count), nil, values.pointers, nil, nil, 0)
            guard isSent == 1 else { throw connectionError() }
            try flush()
        }

        /// Hands all that is to be sent to the network.
        private func flush() throws(PostgreSQLError) {
            while true {
                let code = unsafe PQflush(handle)
                guard code >= 0 else { throw connectionError() }
                if code == 0 { return }
                // A server that waits for its own replies to be read would not go on reading.
                try awaitServer(POLLIN | POLLOUT)
                guard unsafe PQconsumeInput(handle) == 1 else { throw connectionError() }
            }
        }

        private func nextResult() throws(PostgreSQLError) -> CommandResult? {
            while unsafe PQisBusy(handle) == 1 {
                try awaitServer(POLLIN)
                guard unsafe PQconsumeInput(handle) == 1 else { throw connectionError() }
            }
            return unsafe PQgetResult(handle).map { unsafe CommandResult($0) }
        }

        /// Reads all results of a command.
        ///
        /// - Returns: The last one's rows.
        /// - Throws: The first one's error.
        private func finish(after first: CommandResult? = nil) throws(PostgreSQLError) -> Rows {
            var rows = Rows(columns: [], values: [], count: 0)
            var problem = first?.error
            while let result = try nextResult() {
                if let error = result.error {
                    problem = problem ?? error
                } else {
                    rows = result.rows
                }
            }
            if let problem {
                guard !isBroken else {
                    throw PostgreSQLError(.connection, state: problem.state, problem.message)
                }
                throw problem
            }
            return rows
        }

        private func awaitServer(_ events: Int32) throws(PostgreSQLError) {
            let deadline = ContinuousClock.now + .seconds(limits.replySeconds)
            guard
                unsafe Self.wait(for: events, of: PQsocket(handle), until: deadline)
            else {
                isUnusable = true
                throw PostgreSQLError(.connection, "the server does not answer any more")
            }
        }

        private func connectionError() -> PostgreSQLError {
            let message = unsafe String(cString: PQerrorMessage(handle))
            return PostgreSQLError(
                isBroken ? .connection : .command,
                message.isEmpty ? "the connection is broken" : message)
        }

        /// Whether a socket is ready before a deadline.
        private static func wait(
            for events: Int32, of socket: Int32, until deadline: ContinuousClock.Instant
        ) -> Bool {
            while true {
                let seconds = max(0, (deadline - .now) / .seconds(1))
                var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
                // Safe: the call fills one structure, which lives through it.
                let count = unsafe poll(&descriptor, 1, Int32(min(seconds * 1000 + 1, 1e9)))
                if count > 0 { return true }
                if count < 0, errno != EINTR { return true }
                if seconds == 0 { return false }
            }
        }
    }
#endif
