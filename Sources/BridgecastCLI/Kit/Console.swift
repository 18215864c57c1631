// A command's environment, output, log and failures. The board draws on the terminal itself (Live/Terminal).
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastLive
package import BridgecastSupport
import Foundation
import Glibc
package import Logging
import Synchronization

/// A command's environment and output: those of the process or, in tests, others.
package struct Console: Sendable {
    /// See ``become``.
    package typealias Become =
        @Sendable (_ program: String, _ arguments: [String], _ environment: [String: String]) throws
        ->
        Void

    package var environment: [String: String]
    /// The arguments of ``CommandLineProgram``, without the program's name.
    package var arguments: [String] = []
    /// Replaces this process by another program: its path or name, its arguments, and additions to its environment.
    ///
    /// It throws if the program cannot be started.
    package var become: Become
    /// How stores in databases are opened.
    package var databases = DatabaseStores.inServerProgram
    /// Writes results; throws if they cannot be written.
    package var output: @Sendable (String) throws -> Void
    /// Writes notes and errors.
    package var errors: @Sendable (String) -> Void

    /// The console of the command that is running in this task.
    @TaskLocal package static var current = Console.process

    package init(
        environment: [String: String], output: @escaping @Sendable (String) throws -> Void,
        errors: @escaping @Sendable (String) -> Void,
        become: @escaping Become
    ) {
        self.environment = environment
        self.output = output
        self.errors = errors
        self.become = become
    }

    package static let process = Console(
        environment: ProcessInfo.processInfo.environment,
        output: { text in
            do {
                try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            } catch {
                exitIfPipeIsClosed(error)
                throw CommandFailure(
                    .io, "standard output cannot be written: \(systemReason(error))")
            }
        },
        errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
        become: { program, arguments, environment in
            for (name, value) in environment { unsafe setenv(name, value, 1) }
            var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
            // execvp would hand a file that is not a program to a shell.
            guard let path = Self.path(of: program) else { throw POSIXError(.ENOENT) }
            unsafe execv(path, &words)
            throw POSIXError.last
        })

    /// A program's path: as given, or in the first folder of PATH that has it.
    private static func path(of program: String) -> String? {
        guard !program.contains("/") else { return program }
        let folders = current.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Ends the process quietly if its pipe is closed; SwiftNIO ignores the signal that would.
    private static func exitIfPipeIsClosed(_ error: any Error) {
        guard systemErrorCode(error) == EPIPE else { return }
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }

    /// Writes results.
    ///
    /// Characters that would control a terminal are replaced; JSON has them escaped already (see `json`).
    ///
    /// - Throws: ``CommandFailure`` if they cannot be written, such as on a full disk.
    package static func print(_ text: String, terminator: String = "\n") throws {
        try current.output(printableLines(text + terminator))
    }
}

/// Writes a line to standard error.
package func note(_ line: String) {
    Console.current.errors(printableEnds(line, maxLength: 2_000) + "\n")
}

/// Writes notes to standard error, a line each.
///
/// - Parameter path: The file they are about.
package func remark(_ notes: [String], on path: String? = nil) {
    for line in notes { note("bridgecast: note: \(path.map { "\($0): " } ?? "")\(line)") }
}

// MARK: - Log

/// One line per message: time, level, text, then `name=value` in order of names.
package struct LineLog: LogHandler {
    /// Writes a line with its line end.
    typealias Sink = @Sendable (String) -> Void

    /// A logger whose lines go to a file or to standard error.
    ///
    /// - Parameters:
    ///   - command: For each line.
    ///   - level: The minimum level's name.
    ///   - file: Appended to; nil for standard error.
    ///   - isSilent: Whether nothing is written without a file.
    /// - Throws: ``CommandFailure`` for what is no level or cannot be written.
    package static func logger(
        _ command: String, level: String, file: String?, isSilent: Bool = false
    ) throws -> Logger {
        guard let minimum = Logger.Level(rawValue: level) else {
            throw CommandFailure(.usage, "--log-level: '\(level)' is not a level")
        }
        let sink: Sink? =
            if let file { try appending(to: file) } else { isSilent ? nil : Console.current.errors }
        return Logger(label: "bridgecast.\(command)") { _ -> any LogHandler in
            if let sink { LineLog(minimum, sink) } else { SwiftLogNoOpLogHandler() }
        }
    }

    /// A sink that appends to a file, which is created if needed.
    static func appending(to path: String) throws -> Sink {
        let file = Mutex((handle: try OutputFile(path).appending(), hasFailed: false))
        // A full disk must not end the logged command, but is reported.
        return { line in
            file.withLock { file in
                do {
                    try file.handle.write(contentsOf: Data(line.utf8))
                } catch {
                    if !file.hasFailed {
                        note(
                            "bridgecast: warning: \(path): log lines are lost: \(systemReason(error))"
                        )
                    }
                    file.hasFailed = true
                }
            }
        }
    }

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let sink: Sink

    init(_ level: Logger.Level, _ sink: @escaping Sink) {
        logLevel = level
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let pairs = all.sorted { $0.key < $1.key }.map { name, value in
            " \(name)=\(Self.quoted(printable("\(value)", maxLength: 300)))"
        }
        let text = printable(event.message.description, maxLength: 500)
        sink("\(TimeText.rfc3339(.now)) \(event.level.rawValue) \(text)\(pairs.joined())\n")
    }

    private static func quoted(_ text: String) -> String {
        text.contains(where: { " \"=".contains($0) })
            ? "\"" + text.replacingOccurrences(of: "\"", with: "'") + "\"" : text
    }
}

// MARK: - Failures

/// A failure with its exit code and a message for a person.
package struct CommandFailure: Error {
    /// Exit codes of sysexits.h.
    package enum Code: Int32 {
        /// The command line is wrong.
        case usage = 64
        /// The input is wrong.
        case data = 65
        /// An input file is missing.
        case missingInput = 66
        /// A required program is missing.
        case unavailable = 69
        /// A bug in this program.
        case software = 70
        /// Reading or writing failed.
        case io = 74
    }

    let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The beginning of every error.
    static let prefix = "bridgecast: error: "

    /// Writes the message to standard error; returns the exit code.
    func report() -> ExitCode {
        note(Self.prefix + message)
        return ExitCode(code.rawValue)
    }

    /// The failure for an error of any layer.
    ///
    /// - Parameter path: The file that it is about, for errors without one.
    package init(_ error: any Error, of path: String? = nil) {
        let about = path.map { "\($0): " } ?? ""
        switch error {
        case let failure as CommandFailure: self = failure
        case is CancellationError: self.init(.io, "interrupted")
        case let error as any Failure:
            let message = error.kind == .interrupted ? "interrupted" : about + error.description
            self.init(Code(error.kind), message)
        case let error as CocoaError: self.init(.io, about + error.localizedDescription)
        default: self.init(.software, "unexpected: \(about)\(error)")
        }
    }
}

extension CommandFailure.Code {
    package init(_ kind: FailureKind) {
        self =
            switch kind {
            case .usage: .usage
            case .data: .data
            case .missing: .missingInput
            case .unavailable: .unavailable
            case .software: .software
            case .busy, .io, .interrupted: .io
            }
    }
}

/// Runs a command's body; a failure becomes one line on standard error and an exit code.
package func reportingFailures(_ body: () async throws -> Void) async throws {
    do {
        _ = try InstructionSet.forced()
        try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch let validation as ValidationError {
        throw validation
    } catch {
        throw CommandFailure(error).report()
    }
}

extension POSIXError {
    /// The error of the last call that failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// The system's description of an error, else Foundation's.
func systemReason(_ error: any Error) -> String {
    guard let code = systemErrorCode(error) else { return error.localizedDescription }
    return LocalFileError.description(of: code)
}

/// The system's number of an error, if it has one.
func systemErrorCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let whole = error as NSError
    let inner = whole.userInfo[NSUnderlyingErrorKey] as? NSError
    return [whole, inner].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }
        .map { Int32($0.code) }
}
