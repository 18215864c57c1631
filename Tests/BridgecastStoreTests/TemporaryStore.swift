// A store of a test's own; shared by the tests of this folder.
import BridgecastData
import BridgecastStore
import BridgecastTestSupport
import Foundation

/// Runs a test with a new store and its place, whose folder the store has to make.
func withStore(_ body: (HistoryStore, URL) throws -> Void) throws {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("deep/history.sqlite")
    let store = try HistoryStore(url, .writing)
    defer { store.close() }
    try body(store, url)
}
