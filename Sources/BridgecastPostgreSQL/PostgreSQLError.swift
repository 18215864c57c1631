// What went wrong with a connection or a command, by the server's SQLSTATE.
#if PostgreSQL
    package import BridgecastSupport

    /// An error of the server, or of the connection to it.
    package struct PostgreSQLError: Failure, Equatable {
        /// What the error is of.
        package enum Source: Sendable, Equatable {
            /// No connection could be made: no server answers.
            case connecting
            /// The server answered and took no connection, such as for a wrong password.
            case login
            /// A connection broke, or no reply came; whether the last command was carried out is unknown.
            case connection
            /// The server did not carry out a command.
            case command
        }

        /// What the error is of.
        package let source: Source
        /// The five characters of the server's error (PostgreSQL manual, appendix A); nil for an error of the connection.
        package let state: String?
        /// The server's or libpq's message, on one line.
        package let message: String

        /// Creates an error.
        package init(_ source: Source, state: String? = nil, _ message: String) {
            self.source = source
            self.state = state
            // libpq indents what it asks in return, such as whether the server is running.
            let lines = message.split(whereSeparator: \.isNewline).filter { $0.first != "\t" }
            self.message = printable(lines.joined(separator: "; "), maxLength: 500)
        }

        /// The first two characters of ``state``: its class.
        private var stateClass: Substring { state?.prefix(2) ?? "" }

        /// Whether another process holds what is needed for longer than the timeout, or has won a race.
        package var isBusy: Bool {
            ["55P03", "40001", "40P01"].contains(state)
        }

        /// Whether the server may take the same later without a change: it is starting, stopping or overloaded.
        package var isTemporary: Bool {
            source == .connecting || source == .connection || isBusy
                || ["53", "57", "58"].contains(stateClass)
        }

        /// Decides exit codes.
        package var kind: FailureKind {
            if isBusy { return .busy }
            return source == .login && !isTemporary ? .usage : .io
        }

        /// Message and SQLSTATE.
        package var description: String {
            message + (state.map { " (SQLSTATE \($0))" } ?? "")
        }

        /// What to do about it, as a sentence.
        package var recovery: String {
            switch (source, state) {
            case (.login, "28P01"), (.login, "28000"):
                "Check the user of the URL, and PGPASSWORD, PGPASSFILE or the password's file."
            case (.login, "3D000"): "Create the database, or name another one in the URL."
            case (.connecting, _):
                "Check the host and port of the URL, and whether the server runs."
            case (.connection, _): "Wait; the next access connects again."
            case (_, "42501"): "Grant the user the right, or name another user in the URL."
            case (_, "25006"): "Name the primary server in the URL, or a user that may write."
            case (_, "53100"): "Make room on the server's disk; what is kept can be read."
            default: kind.recovery
            }
        }
    }
#endif
