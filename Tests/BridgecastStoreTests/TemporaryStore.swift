// A store of a test's own and readings that go into it; shared by the tests of this folder.
@testable import BridgecastCore
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

/// Runs a test with a folder of its own.
func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// When the readings of a test begin.
let noon = Fixtures.moment("2026-02-20T12:00")

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
