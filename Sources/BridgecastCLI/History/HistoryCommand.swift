// `bridgecast history`: the store's contents out of it, whole or in part.
// Belongs here: `history` and its three commands; not: the store (BridgecastStore).
import ArgumentParser

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Exports, backs up and prunes the history store.",
        subcommands: [HistoryExport.self, HistoryBackup.self, HistoryPrune.self])
}
