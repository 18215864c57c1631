// A temporary store and readings that are written to it.
@testable import BridgecastCore
import BridgecastData
import BridgecastStore
import BridgecastTestSupport
import Foundation

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
