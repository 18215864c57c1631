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
            try checkNames(arguments, of: root)
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
    /// Names in a message about one that is unknown.
    private static let maxSuggestions = 3

    /// Refuses a name that is not a command; it would be an argument of the default command, which has none.
    private static func checkNames(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws {
        var names = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        var commands = root.configuration.subcommands
        var path: [String] = []
        while let name = names.popFirst(), !commands.isEmpty, !name.hasPrefix("-") {
            if path.isEmpty, name == "help" { return }
            guard let command = commands.first(where: { $0._commandName == name }) else {
                throw ValidationError(unknown(path + [name], of: commands.map { $0._commandName }))
            }
            path.append(name)
            commands = command.configuration.subcommands
        }
    }

    /// - Parameter commands: Those of which the last word should be one.
    private static func unknown(_ words: [String], of commands: [String]) -> String {
        let group = words.dropLast().map { $0 + " " }.joined()
        let near = NearNames.similar(words.last ?? "", to: commands, max: maxSuggestions)
        let hint =
            near.isEmpty
            ? "there are \(commands.joined(separator: ", "))"
            : "is it \(near.map { group + $0 }.joined(separator: " or "))?"
        let name = printable(group + (words.last ?? ""), maxLength: 60)
        return "there is no command '\(name)'; \(hint)"
    }

    /// Refuses an option that is longer than any: the parser would compare all its letters with every option.
    private static func checkOptionLengths(_ arguments: [String]) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = argument.prefix { $0 != "=" }
            guard name.utf8.count > maxOptionLength else { continue }
            throw ValidationError("unknown option '\(printable(String(name), maxLength: 60))'")
        }
    }

    /// Prints help, or what is wrong with the arguments; returns the exit code.
    private static func report(_ error: any Error, of root: any ParsableCommand.Type) -> Int32 {
        let message = root.fullMessage(for: error)
        let code = root.exitCode(for: error).rawValue
        guard !message.isEmpty else { return code }
        guard code == ExitCode.success.rawValue else {
            // It quotes the arguments, whatever their length and characters.
            for line in inOurStyle(message, of: root).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
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

    /// The parser's message as all others begin; what it adds about usage stays.
    private static func inOurStyle(
        _ message: String, of root: any ParsableCommand.Type
    ) -> String {
        guard message.hasPrefix(root._errorPrefix) else { return message }
        let text = message.dropFirst(root._errorPrefix.count)
        // Ours begin in lower case, but for abbreviations.
        let isWord = text.dropFirst().first?.isLowercase == true
        return CommandFailure.prefix
            + (isWord ? text.prefix(1).lowercased() + text.dropFirst() : String(text))
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
            IngestCommand.self, HistoryCommand.self, VerifyCommand.self, RoadsCommand.self,
            JourneyCommand.self, FavouriteCommand.self, RemindCommand.self, StatsCommand.self,
            SettingsCommand.self, TokenCommand.self, AlertCommand.self, DoctorCommand.self,
            EvaluateCommand.self,
            TrainCommand.self, RefitCommand.self, OriginsCommand.self,
            InspectCommand.self, BenchCommand.self, FeaturesCommand.self,
        ],
        defaultSubcommand: PredictCommand.self)

    package init() {}
}
