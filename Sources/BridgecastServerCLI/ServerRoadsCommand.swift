// `bridgecast roads` where the import is at home.
import ArgumentParser
import BridgecastCLI

/// `roads` with the import itself in the place of what stands for it.
struct ServerRoadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: RoadsCommand.configuration.commandName,
        abstract: RoadsCommand.configuration.abstract,
        subcommands: RoadsCommand.configuration.subcommands.map { command in
            command.configuration.commandName == RoadsImport.configuration.commandName
                ? RoadsImport.self : command
        })
}
