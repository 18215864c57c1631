// `bridgecast history backup`: a sound copy of the store.
import ArgumentParser
import BridgecastStore
import Foundation

/// `bridgecast history backup`.
struct HistoryBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a sound copy of the store, while others read and write it.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The copy; an older one there is replaced, nothing else is.")
    var file: String

    func run() async throws {
        try await reportingFailures {
            let history = try store.existing()
            defer { history.close() }
            try history.backUp(to: URL(fileURLWithPath: file))
            try Console.print("\(history.path) copied to \(file)")
        }
    }
}
