// A whole command line as a function: what both programs call, and tests without a process.
package import ArgumentParser
import BridgecastCore
import Glibc

/// Runs command lines.
package enum CommandLineProgram {
    /// Runs this process's command line.
    ///
    /// - Returns: The exit code.
    package static func main(_ root: any ParsableCommand.Type) async -> Int32 {
        // Swift's runtime takes it for a crash: it would show where all threads are and go on.
        signal(SIGQUIT, SIG_DFL)
        return await run(root, Array(CommandLine.arguments.dropFirst()))
    }

    /// Parses and runs a command line in the surroundings of ``Console/current``.
    ///
    /// - Parameters:
    ///   - root: The root command.
    ///   - arguments: The words after the program's name.
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
            let words = NetworkCommand.helpArguments(arguments) ?? arguments
            var command = try root.parseAsRoot(words)
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
    private static let mostCharacters = 1_000

    /// A first word that is no command would be taken for an argument of the default one, which has none.
    private static func checkName(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return }
        let names = root.configuration.subcommands.map { $0._commandName }
        guard !names.contains(word) else { return }
        let near = word.isEmpty ? [] : names.filter { $0.hasPrefix(word.prefix(2)) }
        let hint =
            near.isEmpty
            ? "there are \(names.joined(separator: ", "))"
            : "is it \(near.joined(separator: " or "))?"
        throw ValidationError("There is no command '\(printable(word, most: 60))'; \(hint)")
    }

    /// Shows help that was asked for, or what is wrong with the arguments; the exit code.
    private static func report(_ error: any Error, of root: any ParsableCommand.Type) -> Int32 {
        let message = root.fullMessage(for: error)
        let code = root.exitCode(for: error).rawValue
        guard !message.isEmpty else { return code }
        guard code == ExitCode.success.rawValue else {
            // What was typed stands in it, however long and whatever it holds.
            for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
                Console.current.errors(printableEnds(String(line), most: mostCharacters) + "\n")
            }
            return code
        }
        do {
            try Console.print(message)
            return code
        } catch {
            return CommandFailure(error).told().rawValue
        }
    }
}
