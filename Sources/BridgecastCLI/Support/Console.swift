// Where commands find their environment and put their words: the one place that writes to a process's streams.
import BridgecastCore
import Foundation

/// A command's surroundings: those of the process or, in tests, others.
package struct Console: Sendable {
    /// Environment variables.
    package var environment: [String: String]
    /// Takes what was asked for; throws where it cannot be written.
    package var output: @Sendable (String) throws -> Void
    /// Takes notes and errors.
    package var errors: @Sendable (String) -> Void

    /// The surroundings of the command that is running in this task.
    @TaskLocal package static var current = Console.process

    /// Creates surroundings.
    package init(
        environment: [String: String], output: @escaping @Sendable (String) throws -> Void,
        errors: @escaping @Sendable (String) -> Void
    ) {
        (self.environment, self.output, self.errors) = (environment, output, errors)
    }

    /// Those of this process.
    package static let process = Console(
        environment: ProcessInfo.processInfo.environment,
        output: { text in
            do {
                try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            } catch {
                throw CommandFailure(
                    .io, "standard output cannot be written: \(CommandFailure.reason(error))")
            }
        },
        errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })

    /// Writes what the command was asked for.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be written, such as on a full disk.
    package static func print(_ text: String, terminator: String = "\n") throws {
        try current.output(text + terminator)
    }
}

/// Writes a line to standard error.
package func note(_ line: String) {
    Console.current.errors(printable(line, most: 2_000) + "\n")
}
