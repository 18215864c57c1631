// Runs a command line: for both programs, and for tests without a process.
package import ArgumentParser
import BridgecastCore
internal import BridgecastSupport
import Glibc

/// Runs command lines.
package enum CommandLineProgram {
    /// Runs this process's command line.
    ///
    /// - Returns: The exit code.
    package static func main(_ root: any ParsableCommand.Type) async -> Int32 {
        // Swift's runtime treats it as a crash: it would print all threads and go on.
        signal(SIGQUIT, SIG_DFL)
        return await run(root, Array(CommandLine.arguments.dropFirst()))
    }

    /// Parses and runs a command line with ``Console/current``.
    ///
    /// - Parameters:
    ///   - root: The root command.
    ///   - arguments: Without the program's name.
    /// - Returns: The exit code.
    package static func run(
        _ root: any ParsableCommand.Type, _ arguments: [String]
    ) async -> Int32 {
        var console = Console.current
        console.arguments = arguments
        return await Console.$current.withValue(console) { await parseAndRun(root, arguments) }
    }

    private static func parseAndRun(
        _ root: any ParsableCommand.Type, _ arguments: [String]
    ) async -> Int32 {
        do {
            try checkName(arguments, of: root)
            try checkOptionLengths(arguments)
            let arguments = NetworkCommand.helpArguments(arguments) ?? arguments
            var command = try root.parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch {
            return report(error, of: root)
        }
    }

    /// Longer lines of an error are cut.
    private static let maxLineLength = 1_000
    /// No option has more bytes.
    private static let maxOptionLength = 100

    /// Refuses a first argument that is not a command; it would be an argument of the default command, which has none.
    private static func checkName(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws {
        let names = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let name = names.first, !name.hasPrefix("-"), name != "help" else { return }
        let commands = root.configuration.subcommands.map { $0._commandName }
        guard !commands.contains(name) else { return }
        let near = name.isEmpty ? [] : commands.filter { $0.hasPrefix(name.prefix(2)) }
        let hint =
            near.isEmpty
            ? "there are \(commands.joined(separator: ", "))"
            : "is it \(near.joined(separator: " or "))?"
        throw ValidationError("There is no command '\(printable(name, maxLength: 60))'; \(hint)")
    }

    /// Refuses an option that is longer than any: the parser would compare all its letters with every option.
    private static func checkOptionLengths(_ arguments: [String]) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = argument.prefix { $0 != "=" }
            guard name.utf8.count > maxOptionLength else { continue }
            throw ValidationError("Unknown option '\(printable(String(name), maxLength: 60))'")
        }
    }

    /// Prints help, or what is wrong with the arguments; returns the exit code.
    private static func report(_ error: any Error, of root: any ParsableCommand.Type) -> Int32 {
        let message = root.fullMessage(for: error)
        let code = root.exitCode(for: error).rawValue
        guard !message.isEmpty else { return code }
        guard code == ExitCode.success.rawValue else {
            // It quotes the arguments, whatever their length and characters.
            for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
                Console.current.errors(printableEnds(String(line), maxLength: maxLineLength) + "\n")
            }
            return code
        }
        do {
            try Console.print(message)
            return code
        } catch {
            return CommandFailure(error).report().rawValue
        }
    }
}

// MARK: - Root command

/// The root command; without a subcommand it predicts.
package struct BridgecastCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract:
            "Forecasts Seattle's drawbridges: will you be stopped, for how long, which way to go.",
        version: BridgecastVersion.current,
        subcommands: [
            PredictCommand.self, DepartCommand.self, BridgeCommand.self, WatchStart.self,
            BoardStart.self, VehiclesStart.self, TripStart.self, FeedStart.self,
            ReplayCommand.self, ServeStart.self, SyncStart.self,
            IngestCommand.self, HistoryCommand.self, RoadsCommand.self, DoctorCommand.self,
            EvaluateCommand.self,
            TrainCommand.self, OriginsCommand.self,
            InspectCommand.self, BenchCommand.self, FeaturesCommand.self,
        ],
        defaultSubcommand: PredictCommand.self)

    package init() {}
}
