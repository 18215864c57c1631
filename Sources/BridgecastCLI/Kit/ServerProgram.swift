// Starts `bridgecast-server` in place of this program, as git starts its commands.
import ArgumentParser
import Foundation

/// The program that talks to a network.
enum ServerProgram {
    private static let name = "bridgecast-server"
    /// Set in the environment of a program that was started here.
    private static let startedVariable = "BRIDGECAST_STARTED_SERVER"

    /// Continues as the other program, with the same arguments; it is searched next to this one, then on the path.
    ///
    /// - Throws: ``CommandFailure`` if it is not found or cannot be started.
    static func start(_ arguments: [String]) throws {
        // A link from there to this program would start it for ever.
        guard Console.current.environment[Self.startedVariable] == nil else {
            throw CommandFailure(
                .unavailable,
                "\(name) is a link to bridgecast itself; build it with tools/bridgecast")
        }
        let program = pathNextToProgram() ?? name
        do {
            try Console.current.become(program, arguments, [Self.startedVariable: "1"])
        } catch let error as POSIXError where error.code != .ENOENT {
            throw CommandFailure(
                .unavailable,
                "\(program) cannot be started: \(systemReason(error))")
        } catch is POSIXError {
            throw CommandFailure(
                .unavailable,
                "\(name), which has the commands that talk to a network, roads import and stores in PostgreSQL, is missing: "
                    + "tools/bridgecast builds it when asked for one, and so does "
                    + "swift build -c release --product \(name)")
        }
    }

    private static func pathNextToProgram() -> String? {
        let path = ShippedFiles.program.map {
            $0.deletingLastPathComponent().appendingPathComponent(name).path
        }
        return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
}

/// A command of the other program: it talks to a network or reads transit feeds.
package enum NetworkCommand: String, CaseIterable {
    case sync, watch, serve, board, vehicles, trip, feed

    /// One line for help.
    package var abstract: String {
        switch self {
        case .sync:
            "Reads the city's newly published openings into the history store."
        case .watch:
            "Shows the bridges live: states, chances over the next hour, what just changed."
        case .serve:
            "Answers over HTTP: bridges, forecasts, routes, live events; from feeds or a replay."
        case .board:
            "Shows the departures of a stop: scheduled, predicted, and what drawbridges may add."
        case .vehicles:
            "Shows the vehicles of a transit route: where they are and what they do next."
        case .trip:
            "Shows a transit trip stop by stop, with the drawbridges on its way."
        case .feed:
            "Checks transit feeds: what a static or realtime feed holds and what is wrong with it."
        }
    }

    /// The command's arguments for help in the form `help sync` or `help feed check`.
    static func helpArguments(_ arguments: [String]) -> [String]? {
        guard arguments.first == "help" else { return nil }
        let names = Array(arguments.dropFirst().prefix { !$0.hasPrefix("-") })
        guard let first = names.first,
            NetworkCommand(rawValue: first) != nil || names.starts(with: ["roads", "import"])
        else { return nil }
        return names + ["--help"]
    }
}

// MARK: - Commands that start it

/// A command that is listed here and starts `bridgecast-server`.
protocol ServerStart: AsyncParsableCommand {
    static var command: NetworkCommand { get }
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

struct SyncStart: ServerStart {
    static let command = NetworkCommand.sync
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct ServeStart: ServerStart {
    static let command = NetworkCommand.serve
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct WatchStart: ServerStart {
    static let command = NetworkCommand.watch
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct BoardStart: ServerStart {
    static let command = NetworkCommand.board
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct VehiclesStart: ServerStart {
    static let command = NetworkCommand.vehicles
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct TripStart: ServerStart {
    static let command = NetworkCommand.trip
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct FeedStart: ServerStart {
    static let command = NetworkCommand.feed
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}
