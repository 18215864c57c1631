// Commands that talk to a network: listed here, run by `bridgecast-server`, which is another program so that
// nobody waits for a network stack to be built who only wants a forecast.
import ArgumentParser

/// A command that is another program's work.
package enum NetworkCommand: String, CaseIterable {
    case sync, watch

    /// One line for help.
    package var abstract: String {
        switch self {
        case .sync:
            "Reads what is new in the city's published openings into the history store."
        case .watch:
            "Shows the bridges live: states, chances over the next hour, what just changed."
        }
    }

    /// How `bridgecast` lists it.
    fileprivate var configuration: CommandConfiguration {
        CommandConfiguration(commandName: rawValue, abstract: abstract)
    }

    /// The command's arguments if help is asked for in the form `help sync`.
    static func helpArguments(_ arguments: [String]) -> [String]? {
        guard arguments.first == "help",
            let command = arguments.dropFirst().lazy.compactMap(NetworkCommand.init).first
        else { return nil }
        return [command.rawValue, "--help"]
    }
}

/// Stands for `sync` where it is listed, and starts it.
struct SyncStart: AsyncParsableCommand {
    static let configuration = NetworkCommand.sync.configuration

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() async throws {
        try await reportingFailures { try ServerProgram.start(["sync"] + arguments) }
    }
}

/// Stands for `watch` where it is listed, and starts it.
struct WatchStart: AsyncParsableCommand {
    static let configuration = NetworkCommand.watch.configuration

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() async throws {
        try await reportingFailures { try ServerProgram.start(["watch"] + arguments) }
    }
}
