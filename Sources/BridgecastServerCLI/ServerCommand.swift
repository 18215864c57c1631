// The `bridgecast-server` command: all that `bridgecast` has, and what talks to a network or reads extracts and transit feeds besides.
// `bridgecast` starts it where it is needed.
// Belongs here: commands that talk to a network or read transit feeds, and the import of roads; not: what they share with the others (BridgecastCLI).
package import ArgumentParser
import BridgecastCLI
import BridgecastData
import BridgecastFeeds

/// The root command: that of `bridgecast`, with the commands that it only stands for put in their places.
package struct ServerCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract: BridgecastCommand.configuration.abstract,
        version: BridgecastCommand.configuration.version,
        subcommands: BridgecastCommand.configuration.subcommands.map { command in
            let own: [any ParsableCommand.Type] = [
                SyncCommand.self, WatchCommand.self, ServeCommand.self, ServerReplayCommand.self,
                ServerPredictCommand.self, ServerDepartCommand.self,
                ServerRoadsCommand.self, BoardCommand.self, VehiclesCommand.self, TripCommand.self,
                FeedCommand.self,
            ]
            let name = command.configuration.commandName
            return own.first { $0.configuration.commandName == name } ?? command
        },
        defaultSubcommand: ServerPredictCommand.self)

    /// Creates the command.
    package init() {}
}

/// Checks an address that a user named.
///
/// - Parameter kind: What is asked there.
/// - Throws: ``CommandFailure`` that names the option.
func checkAddress(_ address: String, of option: String, kind: String = "feed") throws {
    do {
        try FeedRequest.check(address)
    } catch {
        throw CommandFailure(.usage, "\(option): \(error.words(of: kind))")
    }
}
