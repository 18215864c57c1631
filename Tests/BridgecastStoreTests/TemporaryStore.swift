// A temporary store and readings that are written to it.
@testable import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation

@testable import BridgecastStore

#if PostgreSQL
    import BridgecastPostgreSQL
#endif

/// What the same tests run on.
enum StoreKind: CaseIterable {
    case sqlite
    #if PostgreSQL
        case postgreSQL
    #endif
}

/// Where a test's store is, whatever its kind.
struct StoreUnderTest {
    /// Opens the store once more.
    let open: (HistoryStore.Access) throws(HistoryStoreError) -> HistoryStore

    func check(at now: Timestamp) -> [StoreFinding] {
        HistoryStore.check(at: now) { () throws(HistoryStoreError) in try open(.reading) }
    }

    /// Runs SQL from elsewhere.
    func execute(_ sql: String, _ arguments: [StoreValue] = []) throws {
        let store = try open(.writing)
        defer { store.close() }
        try store.writing { try $0.execute(sql, arguments) }
    }

    /// The number that a query returns.
    func number(_ sql: String) throws -> Int64? {
        let store = try open(.reading)
        defer { store.close() }
        return try store.reading { try $0.firstRow(sql)?.integer(0) }
    }
}

/// Calls a closure with a new store of a kind.
func withStore(
    _ kind: StoreKind, _ body: (HistoryStore, StoreUnderTest) throws -> Void
) throws {
    switch kind {
    case .sqlite:
        try withStore { store, url in
            try body(
                store,
                StoreUnderTest { access throws(HistoryStoreError) in
                    try HistoryStore(url, access)
                })
        }
    #if PostgreSQL
        case .postgreSQL:
            let schema = "test_\(UInt64.random(in: 0...UInt64.max))"
            let address = try DatabaseAddress(DatabaseServer.shared.url("schema=\(schema)"))
            let under = StoreUnderTest { access throws(HistoryStoreError) in
                try HistoryStore(address, access) { try PostgreSQLHistory($0, $1) }
            }
            let store = try under.open(.writing)
            defer { store.close() }
            try body(store, under)
    #endif
    }
}

/// Calls a closure with a new store and its URL, in a folder that the store creates.
func withStore(_ body: (HistoryStore, URL) throws -> Void) throws {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("deep/history.sqlite")
    let store = try HistoryStore(url, .writing)
    defer { store.close() }
    try body(store, url)
}

/// Calls a closure with a temporary folder.
func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// The time of a test's first readings.
let noon = Fixtures.timestamp("2026-02-20T12:00")

/// Feeds readings, each `seconds` after noon, through a tracker into the store.
@discardableResult
func watch(
    _ store: HistoryStore, _ tracker: inout BridgeTracker,
    _ readings: [(Int64, [BridgeIndex: Bool])]
) throws -> BridgeTracker.Step {
    var last = BridgeTracker.Step()
    for (second, isRaised) in readings {
        last = tracker.apply(
            BridgeReading(receivedAt: noon.adding(seconds: second), isRaised: isRaised))
        try store.record(last)
    }
    return last
}
