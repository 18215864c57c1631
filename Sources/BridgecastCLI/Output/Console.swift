// Where commands find their environment and put their words. Only the board, which draws on a terminal, has a
// way of its own to it.
// Belongs here: how every command writes: text, tables, JSON, files, errors; not: the words of one command.
import BridgecastCore
import Foundation
import Glibc

/// A command's surroundings: those of the process or, in tests, others.
package struct Console: Sendable {
    /// See ``become``.
    package typealias Become =
        @Sendable (_ program: String, _ words: [String], _ environment: [String: String]) throws ->
        Void

    /// Environment variables.
    package var environment: [String: String]
    /// The words after the program's name, as ``CommandLineProgram`` was given them.
    package var arguments: [String] = []
    /// Puts another program in place of this one: its path or name, its words, and what is added to its environment.
    ///
    /// It throws where the program cannot be started.
    package var become: Become
    /// Takes what was asked for; throws where it cannot be written.
    package var output: @Sendable (String) throws -> Void
    /// Takes notes and errors.
    package var errors: @Sendable (String) -> Void

    /// The surroundings of the command that is running in this task.
    @TaskLocal package static var current = Console.process

    /// Creates surroundings.
    package init(
        environment: [String: String], output: @escaping @Sendable (String) throws -> Void,
        errors: @escaping @Sendable (String) -> Void,
        become: @escaping Become
    ) {
        (self.environment, self.become) = (environment, become)
        (self.output, self.errors) = (output, errors)
    }

    /// Those of this process.
    package static let process = Console(
        environment: ProcessInfo.processInfo.environment,
        output: { text in
            do {
                try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            } catch {
                endIfReaderIsGone(error)
                throw CommandFailure(
                    .io, "standard output cannot be written: \(systemReason(error))")
            }
        },
        errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
        become: { program, words, environment in
            for (name, value) in environment { unsafe setenv(name, value, 1) }
            var words = unsafe ([program] + words).map { unsafe strdup($0) } + [nil]
            // With execvp a file that is no program would be handed to a shell.
            guard let path = Self.path(of: program) else { throw POSIXError(.ENOENT) }
            unsafe execv(path, &words)
            throw POSIXError.last
        })

    /// Where a program is: where its path says, or in the first folder of PATH that has it.
    private static func path(of program: String) -> String? {
        guard !program.contains("/") else { return program }
        let folders = current.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Ends quietly, as any program does whose reader has gone; SwiftNIO has the signal ignored.
    private static func endIfReaderIsGone(_ error: any Error) {
        guard systemErrorCode(error) == EPIPE else { return }
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }

    /// Writes what the command was asked for, made fit for a terminal.
    ///
    /// Whatever came from outside and would move its cursor or hide something is replaced. JSON has none of it left
    /// (see `json`).
    ///
    /// - Throws: ``CommandFailure`` where it cannot be written, such as on a full disk.
    package static func print(_ text: String, terminator: String = "\n") throws {
        try current.output(printableLines(text + terminator))
    }
}

/// Writes a line to standard error.
package func note(_ line: String) {
    Console.current.errors(printableEnds(line, most: 2_000) + "\n")
}

/// Writes notes to standard error, a line each.
///
/// - Parameter path: The file they are about.
package func remark(_ notes: [String], on path: String? = nil) {
    for line in notes { note("bridgecast: note: \(path.map { "\($0): " } ?? "")\(line)") }
}
