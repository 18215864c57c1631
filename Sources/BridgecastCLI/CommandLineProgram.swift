// A whole command line as a function: what both programs call, and tests without a process.
package import ArgumentParser

/// Runs command lines.
package enum CommandLineProgram {
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

    /// Shows help that was asked for, or what is wrong with the arguments; the exit code.
    private static func report(_ error: any Error, of root: any ParsableCommand.Type) -> Int32 {
        let message = root.fullMessage(for: error)
        let code = root.exitCode(for: error).rawValue
        guard !message.isEmpty else { return code }
        guard code == ExitCode.success.rawValue else {
            Console.current.errors(message + "\n")
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
