// A temporary journal and the journeys of its tests.
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Foundation

/// Calls a closure with a new journal and its URL, in a folder that the journal creates.
func withJournal(_ body: (JourneyStore, URL) throws -> Void) throws {
    try withJournalFolder { folder in
        let url = folder.appendingPathComponent("deep/journeys.sqlite")
        let store = try JourneyStore(url, .writing)
        defer { store.close() }
        try body(store, url)
    }
}

func withJournalFolder(_ body: (URL) throws -> Void) throws {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// The time at which the tests run.
let testNow = Fixtures.timestamp("2026-02-20T20:00")

/// A journey that took 20 minutes and was to take as long.
func journey(
    _ id: String, at start: Timestamp, minutes: Double = 20, delayMinutes: Double = 0,
    from: String = "home", to: String = "work", wasStopped: Bool? = nil,
    forecast: JourneyForecast? = nil
) -> Journey {
    Journey(
        id: id, route: Journey.identity(from: from, to: to, mode: .car), name: "\(from) -> \(to)",
        mode: .car, plannedDeparture: start, plannedArrival: start.adding(minutes: minutes),
        actualDeparture: start, actualArrival: start.adding(minutes: minutes + delayMinutes),
        wasStopped: wasStopped, forecast: forecast, createdAt: start)
}

func forecast(expected: Double = 1200, p90: Double = 1500, stopped: Double) -> JourneyForecast {
    JourneyForecast(
        way: "Ballard Bridge", expectedSeconds: expected, p90Seconds: p90,
        probabilityStopped: stopped, bridges: [Fixtures.bridge("Ballard")])
}

func commute(_ name: String) -> Favourite {
    Favourite(
        id: "id-\(name)", name: name, target: .trip(from: name, to: "work", mode: .car))
}
