// How a command fails: one line on standard error and an exit code of sysexits.h.
import ArgumentParser
import BridgecastBench
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastStore
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
    let message: String

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
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as DocumentError:
            let code: Code =
                switch error.kind {
                case .missing: .missingInput
                case .io: .io
                default: .data
                }
            self.init(code, error.description)
        case let error as HistoryStoreError:
            let code: Code = error.problem == .itself ? .usage : error.isContent ? .data : .io
            self.init(code, error.description)
        case let error as FeedError: self.init(error.isTransient ? .io : .data, error.description)
        case is CancellationError: self.init(.io, "interrupted")
        case InferenceError.cancelled: self.init(.io, "interrupted")
        case let error as InferenceError: self.init(.usage, error.description)
        case let error as RankingError: self.init(error)
        case let error as PlaceError: self.init(.usage, error.description)
        case let error as RoutePlanError: self.init(.usage, error.description)
        case let error as RouteWeightsError: self.init(.usage, "--weights: \(error.description)")
        case let error as RouteSetError: self.init(.data, error.description)
        case let error as RoadNetworkError: self.init(.data, error.description)
        case let error as TimeTextError: self.init(.usage, error.description)
        case let error as InstructionSetError: self.init(.usage, error.description)
        case let error as OnnxRuntimeError: self.init(.missingInput, error.description)
        case let error as BenchError: self.init(.software, error.description)
        case let error as CocoaError: self.init(.io, error.localizedDescription)
        default: self.init(.software, "unexpected: \(error)")
        }
    }
}

extension CommandFailure {
    private init(_ error: RankingError) {
        switch error {
        case .forecast(let error): self.init(error as any Error)
        case .route(let error): self.init(error as any Error)
        case .trip(let error): self.init(error as any Error)
        case .weights(let error): self.init(error as any Error)
        case .table: self.init(.software, error.description)
        case .departureInThePast, .departureTooFar, .deadlineBeforeDeparture, .window, .confidence,
            .curveTooLarge:
            self.init(.usage, error.description)
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
        throw CommandFailure(error).told()
    }
}
