// `--store`: where the history lives, the same for every command that reads or writes it.
import ArgumentParser
import BridgecastData
package import Foundation

/// `--store`, by default the user's store.
package struct StoreOptions: ParsableArguments {
    @Option(
        name: [.customLong("store"), .customLong("history")],
        help: "The history store. Default: $XDG_DATA_HOME/bridgecast/history.sqlite.")
    var store: String?

    /// Creates options that name no store.
    package init() {}

    /// The store's place.
    package var url: URL {
        store.map { URL(fileURLWithPath: $0) }
            ?? HistoryStore.defaultURL(environment: Console.current.environment)
    }

    /// The store, which must be there.
    func existing(_ access: HistoryStore.Access = .reading) throws -> HistoryStore {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandFailure(
                .missingInput,
                "\(url.path): there is no such store; `bridgecast sync` or `ingest` makes one")
        }
        return try HistoryStore(url, access)
    }
}
