// How a command fails: one line on standard error and an exit code of sysexits.h.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import Foundation

/// A failure with its exit code and a message for a person.
package struct CommandFailure: Error {
    /// Exit codes of sysexits.h.
    package enum Code: Int32 {
        /// The command line is wrong.
        case usage = 64
        /// The input is not what it should be.
        case data = 65
        /// An input file is missing.
        case missingInput = 66
        /// A program that is needed is not there.
        case unavailable = 69
        /// A bug in this program.
        case software = 70
        /// Reading or writing failed.
        case io = 74
    }

    let code: Code
    /// For a person.
    package let message: String

    /// Creates a failure.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Says the message on standard error; the exit code to end with.
    func told() -> ExitCode {
        note("bridgecast: error: \(message)")
        return ExitCode(code.rawValue)
    }

    /// The failure that an error of any layer stands for.
    ///
    /// - Parameter path: The file it is about, for errors that do not know.
    package init(_ error: any Error, of path: String? = nil) {
        let about = path.map { "\($0): " } ?? ""
        switch error {
        case let failure as CommandFailure: self = failure
        case is CancellationError: self.init(.io, "interrupted")
        case let error as any Failure:
            let words = error.kind == .interrupted ? "interrupted" : about + error.description
            self.init(Code(error.kind), words)
        case let error as CocoaError: self.init(.io, about + error.localizedDescription)
        default: self.init(.software, "unexpected: \(about)\(error)")
        }
    }
}

extension CommandFailure.Code {
    /// The code of an error's kind.
    init(_ kind: FailureKind) {
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
///
/// - Parameter usesPaths: Whether the table of compute paths that the environment names has to be right.
package func reportingFailures(
    usesPaths: Bool = true, _ body: () async throws -> Void
) async throws {
    do {
        _ = try InstructionSet.forced()
        if usesPaths { _ = try PathTable.forced() }
        try await body()
    } catch let exit as ExitCode {
        throw exit
    } catch let validation as ValidationError {
        throw validation
    } catch {
        throw CommandFailure(error).told()
    }
}
