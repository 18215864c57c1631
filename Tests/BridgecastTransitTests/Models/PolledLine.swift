// What tests of models share: a line that is polled by a clock that tests move, and observers that count.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Observation
import Synchronization
import Testing
@testable import BridgecastTransit

/// The bus line over Ballard Bridge at 18:02, with a feed of vehicles and one of trip updates.
@MainActor struct PolledLine {
    nonisolated static let evening = Fixtures.timestamp("2026-02-20T18:02")
    let clock = ManualClock(evening)
    let vehicles = ScriptedSource("vehicle_positions", .bytes(Self.fix(47.6540, at: evening)))
    let updates = ScriptedSource("trip_updates", .bytes(Self.update(late: 300, at: evening)))
    let timetable: LiveTimetable
    let poller: TransitPoller

    init() throws {
        timetable = try Self.timetable()
        poller = TransitPoller(timetable, sources: [vehicles, updates], clock: clock)
    }

    /// The timetable, with some of its files replaced.
    static func timetable(changed: [String: String] = [:]) throws -> LiveTimetable {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in changed { try SmallTransit.write(text, name, in: folder) }
        return LiveTimetable(try TransitFeed(contentsOf: folder), at: evening)
    }

    /// The bus of 18:00 at a latitude between 47.65 and 47.668.
    static func fix(_ latitude: Double, at time: Timestamp) -> [UInt8] {
        SmallTransit.vehicles(of: "n-18:00", latitude: latitude, at: time)
    }

    /// The delay of the bus of 18:10.
    static func update(late seconds: Int, at time: Timestamp) -> [UInt8] {
        SmallTransit.tripUpdates(of: "n-18:10", delaySeconds: seconds, at: time)
    }

    var route: RouteIndex {
        get throws { try #require(timetable.feed.route(SmallTransit.route)) }
    }

    var south: StopIndex {
        get throws { try #require(timetable.feed.stop(SmallTransit.south)) }
    }

    /// The line with its next arrivals at the stop south of the bridge.
    func line() throws -> LineModel {
        LineModel(of: try route, in: timetable, favourite: try south, at: clock.now)
    }

    /// Polls, and shows the result.
    func poll(_ models: any TransitModel...) async {
        await poller.refresh()
        for model in models { model.show(timetable.snapshot, at: clock.now) }
    }

    /// The timetable with feeds that are expected, some of which have answered with nothing in them, and some have failed.
    func snapshot(
        of feeds: [String], answered: [String], failed: [String] = []
    ) throws -> TransitSnapshot {
        var state = RealtimeState(of: feeds)
        for feed in answered {
            state.take(RealtimeFeed(timestamp: clock.now), of: feed, at: clock.now)
        }
        for feed in failed { state.fail(feed, problem: "no answer") }
        var tracker = VehicleTracker()
        return TransitSnapshot(timetable.feed, state, asOf: clock.now, tracker: &tracker)
    }

    /// Waits for something that other tasks bring about; gives up after ten seconds.
    static func until(_ condition: () async -> Bool) async throws {
        for _ in 0..<2_000 {
            if await condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        try #require(await condition())
    }
}

extension TransitModel {
    /// Shows a snapshot at its own time.
    func show(_ snapshot: TransitSnapshot) { show(snapshot, at: snapshot.asOf) }
}

extension ScriptedSource {
    /// Expects that it is no longer polled; one request may be in progress.
    func expectRest() async throws {
        try await Task.sleep(for: .milliseconds(50))
        let before = count
        try await Task.sleep(for: .milliseconds(100))
        #expect(count <= before + 1)
    }
}

/// Counts the changes of observed properties.
@MainActor final class ChangeCounter {
    private(set) var count = 0
    private let read: () -> Void

    /// Observes what a closure reads.
    init(_ read: @escaping () -> Void) {
        self.read = read
        observe()
    }

    private func observe() {
        withObservationTracking(read) {
            MainActor.assumeIsolated {
                self.count += 1
                self.observe()
            }
        }
    }
}

/// A clock on which sleeping takes a millisecond, and moves it on.
final class HurryingClock: WallClock {
    private let seconds = Mutex(0.0)

    var now: Timestamp {
        PolledLine.evening.adding(seconds: seconds.withLock { Int64($0) })
    }

    var monotonicSeconds: Double { seconds.withLock { $0 } }

    func sleep(seconds: Double) async throws {
        try await Task.sleep(for: .milliseconds(1))
        self.seconds.withLock { $0 += seconds }
    }
}
