// Feeds that fail, refuse or freeze, and how often they are requested.
import Bridgecast
@testable import BridgecastCore
@testable import BridgecastLive
import BridgecastData
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

@Suite @MainActor struct LiveFeedTests {
    @Test func theFeedIsRequestedAtMostEveryTwentySeconds() async throws {
        let feed = Mutex<ScriptedFeed?>(nil)
        let (service, _, clock) = try replay(from: "2026-02-20T12:00") { clock in
            let scripted = ScriptedFeed(clock: clock) { _ in [ballard: false] }
            feed.withLock { $0 = scripted }
            return scripted
        }
        let asked = try #require(feed.withLock { $0 }).asked
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { try? await service.refresh() } }
        }
        #expect(asked.value == 1)
        try await clock.sleep(seconds: 19)
        try await service.refresh()
        #expect(asked.value == 1)
        try await clock.sleep(seconds: 1)
        try await service.refresh()
        #expect(asked.value == 2)
    }

    @Test func aFailingFeedKeepsTheLastStatesForFiveMinutes() async throws {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let (service, app, _) = try replay(from: "2026-02-20T12:00") { clock in
            ScriptedFeed(clock: clock) { now in
                let minute = now.minutes(since: start)
                if minute >= 5, minute < 20 {
                    throw FeedError.status(url: "u", code: 503, retryAfterSeconds: nil)
                }
                return [ballard: minute > 3 && minute < 5, fremont: false]
            }
        }
        let diary = Diary(app)
        try await service.run(until: start.adding(minutes: 9))
        let last = start.adding(minutes: 5).adding(seconds: -20)
        #expect(app.bridges[ballard.rawValue].state == .raised(since: start.adding(seconds: 200)))
        #expect(app.phase == .ready)
        guard case .retryScheduled(let seconds) = app.error?.recovery else {
            Issue.record("\(app.error.debugDescription)")
            return
        }
        #expect(seconds >= 20 && seconds <= 120)
        try await service.run(until: start.adding(minutes: 15))
        #expect(app.phase == .stale(since: last))
        #expect(app.bridges.allSatisfy { $0.state == .unknown })
        #expect(app.bridges[ballard.rawValue].openProbability != nil, "climatology goes on")
        // At once and for all bridges, whether they were raised or not: five minutes after the last reading.
        #expect(
            app.events.filter { $0.text.contains("unknown from") }.map(\.text)
                == ["Ballard, Fremont are unknown from 12:09 on; last seen raised: Ballard"])
        try await service.run(until: start.adding(minutes: 30))
        #expect(app.phase == .ready && app.error == nil)
        #expect(app.bridges[ballard.rawValue].state == .lowered)
        #expect(app.events.contains { $0.text == "the live feed is back" })
        #expect(diary.phases.contains(.loading) && diary.failures.count > 0)
    }

    /// A foreign feed may throw any error.
    @Test func anUnknownErrorOfAFeedIsShown() async throws {
        struct Hiccup: Error, CustomStringConvertible {
            let description = "the modem is asleep"
        }
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let (service, app, _) = try replay(from: "2026-02-20T12:00") { clock in
            ScriptedFeed(clock: clock) { now in
                if now.minutes(since: start) >= 1, now.minutes(since: start) < 3 { throw Hiccup() }
                return [ballard: false, fremont: false]
            }
        }
        try await service.run(until: start.adding(minutes: 2))
        #expect(app.error?.reason == "scripted: the modem is asleep")
        #expect(app.feeds.contains { $0.problem == "scripted: the modem is asleep" })
        #expect(app.phase == .ready, "the last states are recent")
        try await service.run(until: start.adding(minutes: 9))
        #expect(app.error == nil && app.phase == .ready)
    }

    @Test func aRefusingFeedNeedsUserAction() async throws {
        let (service, app, _) = try replay(from: "2026-02-20T12:00") { clock in
            ScriptedFeed(clock: clock) { _ in
                throw FeedError.status(url: "u", code: 403, retryAfterSeconds: nil)
            }
        }
        try await service.run(until: Fixtures.timestamp("2026-02-20T12:10"))
        #expect(app.phase == .failed)
        guard case .userActionRequired(let words) = app.error?.recovery else {
            Issue.record("\(app.error.debugDescription)")
            return
        }
        #expect(words.contains("check the token"))
        #expect(app.bridges.allSatisfy { $0.state == .unknown && $0.openProbability != nil })
    }

    @Test func contactsFailuresAndTheirEndAreNoted() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = DiagnosticLog(folder.appendingPathComponent("diagnostics.json"))
        defer { log.flush() }
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let (service, _, _) = try replay(
            from: "2026-02-20T12:00",
            feed: { clock in
                ScriptedFeed(clock: clock) { now in
                    let minute = now.minutes(since: start)
                    if minute >= 2, minute < 10 {
                        throw FeedError.unreachable(url: "https://feed.example", reason: "cut")
                    }
                    return [ballard: false]
                }
            }, diagnostics: log)
        try await service.run(until: start.adding(minutes: 8))
        let during = log.contents
        #expect(during.errors.map(\.result) == ["retry_scheduled"])
        #expect(try #require(during.errors.first).count >= 3)
        #expect(during.errors.first?.message == "it cannot be reached")
        #expect(during.feeds.first?.condition == "offline")
        #expect(during.feeds.first?.isReachable == false)
        #expect(during.feeds.first?.contactedAt?.hasPrefix("2026-02-20T12:01") == true)
        try await service.run(until: start.adding(minutes: 20))
        #expect(log.contents.errors.map(\.result) == ["recovered"])
        #expect(log.contents.feeds.first?.condition == "good")
        #expect(log.contents.feeds.first?.problem == nil)
    }

    @Test func onAPoorNetworkTheTrafficWaitsForTheBridges() async throws {
        struct Traffic: TrafficFeed {
            let name = "traffic"
            let asked = ScriptedFeed.Asked()
            func readings() async throws -> [TrafficReading] {
                asked.add()
                return []
            }
        }
        let start = Fixtures.timestamp("2026-02-20T12:00")
        func asked(failing: Bool) async throws -> Int {
            let traffic = Traffic()
            let clock = ReplayClock(from: start, speed: .infinity)
            var parts = LiveParts(
                bridges: ScriptedFeed(clock: clock) { now in
                    if failing, now.secondsSinceEpoch % 3 != 0 {
                        throw FeedError.timedOut(url: "u", seconds: 10)
                    }
                    return [ballard: false]
                }, records: { _ in OpeningHistory.none }, log: quiet)
            parts.clock = clock
            parts.traffic = [traffic]
            let service = try LiveService(parts, forecaster: forecaster(OpeningHistory.none))
            try await service.run(until: start.adding(minutes: 60))
            return traffic.asked.value
        }
        let good = try await asked(failing: false)
        let poor = try await asked(failing: true)
        #expect(good >= 30 && poor > 5 && poor * 3 < good * 2, "\(good) \(poor)")
    }

    @Test func aFrozenFeedIsStale() async throws {
        let start = Fixtures.timestamp("2026-02-20T06:00")
        let (service, app, _) = try replay(from: "2026-02-20T06:00") { clock in
            ScriptedFeed(clock: clock) { now in
                [ballard: now.minutes(since: start) > 780, fremont: false]
            }
        }
        try await service.run(until: start.adding(minutes: 719))
        #expect(app.phase == .ready && app.bridges[ballard.rawValue].state == .lowered)
        try await service.run(until: start.adding(minutes: 722))
        #expect(app.phase == .stale(since: start))
        #expect(app.bridges.allSatisfy { $0.state == .unknown })
        #expect(app.feeds.first?.problem?.contains("frozen") == true)
        try await service.run(until: start.adding(minutes: 785))
        #expect(app.phase == .ready)
        guard case .raised(.some) = app.bridges[ballard.rawValue].state else {
            Issue.record("\(app.bridges[ballard.rawValue].state)")
            return
        }
    }

    @Test func intervalsDependOnFailuresPausesAndRaisedBridges() {
        let live = RefreshInterval.live
        #expect(live.nextSeconds(failures: 0, restSeconds: nil, isAnyRaised: false) == 20)
        #expect(
            [1, 2, 3, 4, 30].map {
                live.nextSeconds(failures: $0, restSeconds: nil, isAnyRaised: false)
            } == [20, 40, 80, 120, 120])
        #expect(live.nextSeconds(failures: 1, restSeconds: 300.2, isAnyRaised: false) == 301)
        let ten = RefreshInterval.minutes(10)
        #expect(ten.nextSeconds(failures: 0, restSeconds: nil, isAnyRaised: false) == 600)
        #expect(ten.nextSeconds(failures: 0, restSeconds: nil, isAnyRaised: true) == 60)
        #expect(ten.nextSeconds(failures: 5, restSeconds: nil, isAnyRaised: false) == 600)
        #expect(
            RefreshInterval.manual.nextSeconds(failures: 0, restSeconds: nil, isAnyRaised: true)
                == nil)
        #expect(
            ["live", "manual", "1", "2", "5", "10", "15"].allSatisfy { RefreshInterval($0) != nil })
        #expect(["", "0", "3", "60", "LIVE"].allSatisfy { RefreshInterval($0) == nil })
    }
}
