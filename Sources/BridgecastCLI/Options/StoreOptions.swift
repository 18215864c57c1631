// `--store`: where the history lives, the same for every command that reads or writes it.
import ArgumentParser
import BridgecastStore
package import Foundation

/// `--store`, by default the user's store.
package struct StoreOptions: ParsableArguments {
    @Option(
        name: [.customLong("store"), .customLong("history")],
        help: "The history store. Default: $XDG_DATA_HOME/bridgecast/history.sqlite.")
    var store: String?

    /// Creates options that name no store.
    package init() {}

    /// Whether a store is named.
    package var isNamed: Bool { store != nil }

    /// The store's place.
    ///
    /// - Throws: ``CommandFailure`` if none is named and the environment has no home for one.
    package func url() throws -> URL {
        if let store { return URL(fileURLWithPath: store) }
        return try Self.usualURL()
    }

    /// The user's store's place.
    ///
    /// - Throws: ``CommandFailure`` if the environment has no home for one.
    package static func usualURL() throws -> URL {
        if let url = usualPlace { return url }
        throw CommandFailure(
            .usage,
            "HOME names no absolute folder, so there is no place for the store: name one with --store"
        )
    }

    private static var usualPlace: URL? {
        HistoryStore.defaultURL(environment: Console.current.environment)
    }

    /// The named place, or the usual one; nil if the environment has no home for it.
    var place: URL? {
        store.map { URL(fileURLWithPath: $0) } ?? Self.usualPlace
    }

    /// The named store, or the user's; nil if none is named and there is none yet.
    func existingIfAny() throws -> HistoryStore? {
        guard store == nil else { return try existing() }
        guard let place, HistoryStore.isThere(place) else { return nil }
        return try HistoryStore(place, .reading)
    }

    /// The store, which must be there.
    func existing(_ access: HistoryStore.Access = .reading) throws -> HistoryStore {
        let url = try url()
        guard try HistoryStore.liesSomething(at: url) else {
            throw CommandFailure(
                .missingInput,
                "\(url.path): there is no such store; `bridgecast sync` or `ingest` makes one")
        }
        guard HistoryStore.isThere(url) else { return try HistoryStore(url, .reading) }
        return try HistoryStore(url, access)
    }
}
