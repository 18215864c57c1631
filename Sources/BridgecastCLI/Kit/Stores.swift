// Opens history stores: files here, databases by the program that is built for them.
import ArgumentParser
import BridgecastCore
package import BridgecastStore

/// How a program opens stores in PostgreSQL databases.
package enum DatabaseStores: Sendable {
    /// Opens one.
    package typealias Opening =
        @Sendable (DatabaseAddress, HistoryStore.Access) throws -> any HistoryBackend

    /// It does not talk to a network: `bridgecast-server` continues in its place.
    case inServerProgram
    /// It is built without libpq.
    case notBuilt
    /// It opens them itself.
    case opening(Opening)
}

extension HistoryStore {
    /// Opens a store, wherever it is.
    ///
    /// - Throws: ``HistoryStoreError``, or ``CommandFailure`` if no program here opens databases.
    package static func open(
        _ location: StoreLocation, _ access: Access
    ) throws -> HistoryStore {
        switch location {
        case .file(let url): return try HistoryStore(url, access)
        case .database(let address):
            return try HistoryStore(address, access, opening: try databaseOpening())
        }
    }

    private static func databaseOpening() throws -> DatabaseStores.Opening {
        switch Console.current.databases {
        case .opening(let open): return open
        case .notBuilt:
            throw CommandFailure(
                .unavailable,
                "this bridgecast-server is built without PostgreSQL: tools/bridgecast builds it when given such a store, and so "
                    + "does swift build -c release --traits default,PostgreSQL --product bridgecast-server, with libpq-dev"
            )
        case .inServerProgram:
            try ServerProgram.start(Console.current.arguments)
            // Only a test's console comes back.
            throw ExitCode.success
        }
    }

    /// The findings of `doctor` about a store, wherever it is.
    ///
    /// - Throws: ``CommandFailure`` if no program here opens databases.
    static func findings(_ location: StoreLocation, at now: Timestamp) throws -> [StoreFinding] {
        switch location {
        case .file(let url): return check(url, at: now)
        case .database(let address):
            let opening = try databaseOpening()
            return check(at: now) { () throws(HistoryStoreError) in
                try HistoryStore(address, .reading, opening: opening)
            }
        }
    }
}
