// `sync`, `watch`, `serve` and those of transit where `bridgecast` lists them: each starts the other program, which has them.
import ArgumentParser

/// A command that is listed here and starts `bridgecast-server`.
protocol ServerStart: AsyncParsableCommand {
    /// The command that it stands for.
    static var command: NetworkCommand { get }
    /// Its words, which the other program understands.
    var arguments: [String] { get }
}

extension ServerStart {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: command.rawValue, abstract: command.abstract)
    }

    func run() async throws {
        try await reportingFailures {
            try ServerProgram.start([Self.command.rawValue] + arguments)
        }
    }
}

/// Stands for `sync`.
struct SyncStart: ServerStart {
    static let command = NetworkCommand.sync
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `serve`.
struct ServeStart: ServerStart {
    static let command = NetworkCommand.serve
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `watch`.
struct WatchStart: ServerStart {
    static let command = NetworkCommand.watch
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `board`.
struct BoardStart: ServerStart {
    static let command = NetworkCommand.board
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `vehicles`.
struct VehiclesStart: ServerStart {
    static let command = NetworkCommand.vehicles
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `trip`.
struct TripStart: ServerStart {
    static let command = NetworkCommand.trip
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Stands for `feed`.
struct FeedStart: ServerStart {
    static let command = NetworkCommand.feed
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}
