// Clocks: one that is set while the service runs, and one of a replay on a machine that is slow.
import Bridgecast
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing
@testable import BridgecastCore
@testable import BridgecastLive

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

/// A clock that is set while it runs; sleeps jump to their end, or a little further.
private final class SetClock: WallClock {
    private let steady: ReplayClock
    private let shift = Mutex<Int64>(0)
    private let worked = Mutex<Int64>(0)
    private let sleeps = Atomic<Int>(0)
    private let oversleptSeconds: [Double]

    init(_ start: Timestamp, oversleptSeconds: [Double] = [0]) {
        steady = ReplayClock(from: start, speed: .infinity)
        self.oversleptSeconds = oversleptSeconds
    }

    var now: Timestamp {
        steady.now.adding(seconds: shift.withLock { $0 } + worked.withLock { $0 })
    }
    var monotonicSeconds: Double { steady.monotonicSeconds + Double(worked.withLock { $0 }) }
    func sleep(seconds: Double) async throws {
        let (number, _) = sleeps.add(1, ordering: .relaxed)
        let more = oversleptSeconds[number % oversleptSeconds.count]
        try await steady.sleep(seconds: seconds + more)
    }
    func set(by seconds: Int64) { shift.withLock { $0 += seconds } }
    /// Passes without a sleep, as while a machine computes.
    func work(seconds: Int64) { worked.withLock { $0 += seconds } }
}

@Suite @MainActor struct SetClockTests {
    /// A service on a feed whose Ballard Bridge is raised throughout the fourth to eleventh minute.
    private func service(
        _ clock: SetClock, _ store: HistoryStore, failsFromSeconds: Double = .infinity
    ) throws -> (LiveService, AppStateModel, ScriptedFeed) {
        let feed = ScriptedFeed(clock: clock) { _ in
            guard clock.monotonicSeconds < failsFromSeconds else {
                throw FeedError.timedOut(url: "u", seconds: 10)
            }
            return [ballard: (240..<660).contains(clock.monotonicSeconds), fremont: false]
        }
        var parts = LiveParts(
            bridges: feed, records: { _ in OpeningHistory(records: [], coverage: .empty) },
            log: quiet)
        parts.clock = clock
        parts.store = store
        let app = AppStateModel()
        let forecaster = try LiveForecaster(
            TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))),
            history: OpeningHistory(records: [], coverage: .empty))
        return (try LiveService(parts, forecaster: forecaster, app: app), app, feed)
    }

    nonisolated private static let noon = "2026-02-20T12:00"
    /// When it begins, and by how many seconds the clock is set.
    nonisolated private static let shifts: [(String, Int64)] = [
        (noon, -259_200), (noon, -3_600), (noon, -300), (noon, -90), (noon, -30), (noon, 30),
        (noon, 90), (noon, 7_200), (noon, 259_200), ("2025-11-02T00:55", -3_600),
        ("2025-11-02T00:55", 300), ("2026-03-08T01:55", -90), ("2026-03-08T01:55", 3_600),
    ]

    /// Seconds to days, either way, by day and on the night on which clocks change.
    @Test(arguments: shifts)
    func aClockThatIsSetIsNoticedWithinAPoll(_ example: (String, Int64)) async throws {
        let (time, shift) = example
        let start = Fixtures.timestamp(time)
        let clock = SetClock(start)
        let store = try HistoryStore(inMemoryNamed: "set")
        let (service, app, feed) = try service(clock, store)
        try await service.run(until: start.adding(minutes: 5))
        #expect(app.bridges[ballard.rawValue].state == .raised(since: start.adding(minutes: 4)))
        #expect(feed.asked.value == 15)
        let before = clock.now
        clock.set(by: shift)
        try await service.run(until: clock.now.adding(seconds: 20))
        // One request at once and none missing, whatever the clock shows.
        #expect(feed.asked.value == 16)
        #expect(app.events.filter { $0.text.contains("clock was set") }.count == 1)
        #expect(await service.counts.clockShifts == 1)
        // It was raised before the clock was set: since when, by the new one, is unknown.
        #expect(app.bridges[ballard.rawValue].state == .raised(since: nil))
        let set = before.adding(seconds: shift)
        try await service.run(until: set.adding(minutes: 10))
        #expect(feed.asked.value == 15 + 30)
        #expect(app.bridges[ballard.rawValue].state == .lowered)
        #expect(await service.counts.clockShifts == 1)
        try check(try store.history().coverage, from: start, setAt: before, to: set)
        // Nothing is made of the opening that was under way: by no clock is its length known.
        #expect(try store.history().openings[ballard.rawValue].allSatisfy { $0.end == nil })
    }

    /// Coverage ends where the clock was set, and goes on by the new one.
    private func check(
        _ coverage: Coverage, from start: Timestamp, setAt before: Timestamp, to set: Timestamp
    ) throws {
        let periods = coverage.periods[fremont.rawValue]
        let last = try #require(periods.last)
        // What is observed is stored once a minute.
        let missing = set.adding(minutes: 10).minutes(since: last.upperBound)
        #expect((0...1.5).contains(missing), "\(missing) min")
        if set > before {
            #expect(periods.count == 2 && periods.first?.lowerBound == start)
            #expect(try #require(periods.first).upperBound <= before && last.lowerBound == set)
        } else if set > start {
            // What lies after the new time is taken back; the rest joins what comes now.
            #expect(periods.count <= 2 && periods.first?.lowerBound == start)
        } else {
            #expect(periods.count == 1 && last.lowerBound == set)
        }
    }

    /// The feed fails, and the clock is set while its last states age: they are withdrawn in their time.
    @Test(arguments: [-7_200, 7_200] as [Int64])
    func statesAgeByTheClockThatIsNeverSet(_ shift: Int64) async throws {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let clock = SetClock(start)
        let (service, app, _) = try service(
            clock, HistoryStore(inMemoryNamed: "ages"), failsFromSeconds: 60)
        try await service.run(until: start.adding(seconds: 60))
        #expect(app.bridges[fremont.rawValue].state == .lowered)
        clock.set(by: shift)
        try await service.run(until: clock.now.adding(minutes: 6))
        #expect(app.bridges.allSatisfy { $0.state == .unknown })
        guard case .failed = app.phase else {
            Issue.record("\(app.phase)")
            return
        }
    }

    @Test func aSlewedClockIsNotOneThatWasSet() async throws {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let clock = SetClock(start)
        let (service, app, _) = try service(clock, HistoryStore(inMemoryNamed: "slewed"))
        for minute in 1...6 {
            try await service.run(until: clock.now.adding(seconds: 60))
            clock.set(by: minute.isMultiple(of: 2) ? 2 : -2)
        }
        #expect(await service.counts.clockShifts == 0)
        #expect(app.events.allSatisfy { !$0.text.contains("clock") })
        guard case .raised(.some) = app.bridges[ballard.rawValue].state else {
            Issue.record("\(app.bridges[ballard.rawValue].state)")
            return
        }
    }

    /// Waits end a little late, one more than the other: a request that comes a millisecond early by that is not left out.
    @Test func noRequestIsLeftOutWhenWaitsEndUnevenly() async throws {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let clock = SetClock(start, oversleptSeconds: [0.004, 0.001, 0.02, 0.003])
        let (service, _, feed) = try service(clock, HistoryStore(inMemoryNamed: "uneven"))
        try await service.run(until: start.adding(minutes: 10))
        #expect(feed.asked.value == 30)
    }

    /// On a busy machine loading takes seconds, and some waits end late; the next request must not be refused for that.
    @Test func noRequestIsLeftOutAfterASlowStartOrALateOne() async throws {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let clock = SetClock(start, oversleptSeconds: [0, 0.7, 0, 0, 3, 0.1, 17])
        let asked = Mutex<[Double]>([])
        let feed = ScriptedFeed(clock: clock) { _ in
            asked.withLock { $0.append(clock.monotonicSeconds) }
            return [fremont: false]
        }
        var parts = LiveParts(
            bridges: feed,
            records: { _ in
                clock.work(seconds: 7)
                return OpeningHistory(records: [], coverage: .empty)
            }, log: quiet)
        parts.clock = clock
        let service = try LiveService(
            parts, forecaster: forecaster(OpeningHistory(records: [], coverage: .empty)))
        try await service.run(until: start.adding(minutes: 20))
        let times = asked.withLock { $0 }
        #expect(times.prefix(2) == [7, 27])
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect((19.5...37.5).contains(later - earlier), "\(earlier) to \(later) s")
        }
        // Lateness of a part of a second does not add up: 60 requests, less those that the long waits cost.
        #expect(times.count > 50)
    }

    @Test func theShiftIsInWords() {
        #expect(ClockWatchdog.description(-3_600) == "the system's clock was set back by 60 min")
        #expect(ClockWatchdog.description(29.6) == "the system's clock was set forward by 30 s")
        #expect(
            ClockWatchdog.description(-86_400 * 3) == "the system's clock was set back by 3 days")
    }
}

// MARK: - Replays

/// A feed whose answers keep the machine busy now and then.
private struct SlowFeed: BridgeFeed {
    let replay: ReplayFeed
    let clock: ReplayClock
    var name: String { replay.name }

    func answer() async throws -> BridgeFeedAnswer {
        // Real time, as if another program had the machine.
        if Int(clock.monotonicSeconds) % 600 == 300 { usleep(120_000) }
        return try await replay.answer()
    }
}

/// Sleeps, and the times of a clock at which it woke.
private final class Woken: Sendable {
    private let all = Mutex<[Double]>([])
    var times: [Double] { all.withLock { $0 } }

    func sleep(_ waits: [Double], on clock: ReplayClock) async throws {
        for wait in waits {
            try await clock.sleep(seconds: wait)
            all.withLock { $0.append(clock.monotonicSeconds) }
        }
    }
}

@Suite @MainActor struct ReplayOfASlowMachineTests {
    /// The events of an evening with several openings.
    private func events(speed: Double, isSlow: Bool) async throws -> [String] {
        let (service, app, _) = try replay(from: "2026-02-20T17:30", speed: speed) { clock in
            let feed = ReplayFeed(Fixtures.shippedHistory, clock: clock)
            guard isSlow, let clock = clock as? ReplayClock else { return feed }
            return SlowFeed(replay: feed, clock: clock)
        }
        try await service.run(until: Fixtures.timestamp("2026-02-20T18:20"))
        #expect(await service.counts.requests == 150)
        return app.events.map { "\(TimeText.rfc3339($0.at)) \($0.text)" }
    }

    @Test func aReplayMissesNothingAtAnySpeedOnABusyMachine() async throws {
        let expected = try await events(speed: .infinity, isSlow: false)
        #expect(expected.count > 3)
        // A pause of 0.12 s is two minutes and twenty minutes of the replay.
        for speed in [1_000.0, 10_000] {
            #expect(try await events(speed: speed, isSlow: true) == expected)
        }
    }

    @Test func aReplayGoesOnFromWhereItWasStopped() async throws {
        let start = Fixtures.timestamp("2026-02-20T17:30")
        let clock = ReplayClock(from: start, speed: 1_000)
        try await clock.sleep(seconds: 20)
        #expect(clock.now == start.adding(seconds: 20), "it stands while there is no sleeper")
        usleep(400_000)
        #expect(clock.now == start.adding(seconds: 20))
        try await clock.sleep(seconds: 20)
        // After a long stop, it does not hurry to make up for it.
        let began = ContinuousClock.now
        try await clock.sleep(seconds: 200)
        #expect(began.duration(to: .now) > .milliseconds(150))
        #expect(clock.now == start.adding(seconds: 240))
    }

    /// Two sleepers wake in the order of their times, each at its own, also after a stall.
    @Test func sleepersWakeInTheirOrder() async throws {
        let clock = ReplayClock(from: Fixtures.timestamp("2026-02-20T17:30"), speed: 20)
        let woken = Woken()
        let long = Task.detached { try await woken.sleep([10], on: clock) }
        // On a busy machine it may have slept already.
        while clock.sleepers < 1, woken.times.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        let short = Task.detached { try await woken.sleep([2, 2, 2], on: clock) }
        try await Task.sleep(for: .milliseconds(20))
        usleep(400_000)
        try await long.value
        try await short.value
        let times = woken.times
        #expect(times == times.sorted() && times.count == 4 && times.contains(10), "\(times)")
    }

    @Test func aReplayStopsAtItsEnd() async throws {
        let start = Fixtures.timestamp("2026-02-20T17:30")
        let clock = ReplayClock(from: start, speed: 10_000, until: start.adding(seconds: 100))
        #expect(clock.pace == ClockPace(rate: 10_000, end: start.adding(seconds: 100)))
        let sleeper = Task { try await clock.sleep(seconds: 500) }
        while clock.pace.rate != 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(clock.now == start.adding(seconds: 100))
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    /// Who sleeps beside the driver does not hold the replay up.
    @Test func aFollowerIsNotWaitedFor() async throws {
        let start = Fixtures.timestamp("2026-02-20T17:30")
        let clock = ReplayClock(from: start, speed: 1_000)
        let follower = Task { try await FollowingClock(clock).sleep(seconds: 50) }
        try await clock.sleep(seconds: 100)
        #expect(clock.now == start.adding(seconds: 100))
        try await follower.value
        #expect(clock.now == start.adding(seconds: 100), "it does not move the clock either")
    }
}
