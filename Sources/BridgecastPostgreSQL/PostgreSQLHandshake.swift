// Connecting to a PostgreSQL server, host by host, and waiting for its socket.
#if PostgreSQL
    private import CPostgreSQL
    private import Foundation
    private import Glibc

    /// How a connection begins, without waiting longer than it should.
    enum PostgreSQLHandshake {
        /// Connects to the first host that takes the connection.
        ///
        /// libpq goes on to the next host when one refuses, but leaves it to its caller to notice one that is silent: that one
        /// is left out then.
        /// - Parameter values: What libpq connects with, by keyword.
        /// - Throws: ``PostgreSQLError``.
        static func connect(
            _ values: [String: String], secondsPerHost: Double
        ) throws(PostgreSQLError) -> OpaquePointer {
            var values = values
            while true {
                var silent: HostList.Host?
                do {
                    return try unsafe connect(
                        values, until: .now + .seconds(secondsPerHost), silent: &silent)
                } catch {
                    var hosts = HostList(values)
                    guard let silent, hosts.remove(silent) else { throw error }
                    values["host"] = hosts.names
                    values["port"] = hosts.ports
                }
            }
        }

        /// - Parameter silent: The host that did not answer, if that is why it fails.
        private static func connect(
            _ values: [String: String], until deadline: ContinuousClock.Instant,
            silent: inout HostList.Host?
        ) throws(PostgreSQLError) -> OpaquePointer {
            let handle = try unsafe begin(values)
            var state = PGRES_POLLING_WRITING
            while unsafe PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK {
                let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
                guard unsafe wait(for: events, of: PQsocket(handle), until: deadline) else {
                    // Safe: both texts are copied before the connection that has them is freed.
                    silent = unsafe HostList.Host(
                        name: String(cString: PQhost(handle)), port: String(cString: PQport(handle))
                    )
                    unsafe PQfinish(handle)
                    throw PostgreSQLError(.connecting, "the server does not answer")
                }
                state = unsafe PQconnectPoll(handle)
                if state == PGRES_POLLING_FAILED { break }
            }
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

        /// Whether a socket is ready before a deadline.
        static func wait(
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

    /// The hosts of an address: libpq has them as two lists with commas, and one port may stand for all.
    struct HostList {
        struct Host: Equatable {
            let name: String
            /// Empty for libpq's default.
            let port: String
        }

        private var hosts: [Host]

        /// - Parameter values: What libpq connects with, by keyword.
        init(_ values: [String: String]) {
            let ports = Self.items(values["port"] ?? "")
            hosts = Self.items(values["host"] ?? "").enumerated().map { index, name in
                Host(
                    name: name,
                    port: ports.count == 1 ? ports[0] : ports.dropFirst(index).first ?? "")
            }
        }

        private static func items(_ text: String) -> [String] {
            text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }

        var names: String { hosts.map(\.name).joined(separator: ",") }
        var ports: String { hosts.map(\.port).joined(separator: ",") }

        /// Removes a host unless it is the only one.
        ///
        /// - Returns: Whether it was removed.
        mutating func remove(_ host: Host) -> Bool {
            let index =
                hosts.firstIndex(of: host)
                ?? hosts.firstIndex { $0.name == host.name && $0.port.isEmpty }
            guard let index, hosts.count > 1 else { return false }
            hosts.remove(at: index)
            return true
        }
    }

    /// Texts as C has them, freed at its end: one pointer for each, nil for nil, and a nil after the last.
    @safe final class TextList {
        let pointers: [UnsafePointer<CChar>?]

        init(_ texts: [String?]) {
            unsafe pointers =
                texts.map { text in
                    guard let text, let copy = unsafe strdup(text) else { return nil }
                    return unsafe UnsafePointer(copy)
                } + [nil]
        }

        deinit {
            unsafe pointers.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
    }
#endif
