// The live pipeline on replayed records and on feeds that fail: what is shown is right or unknown.
import Bridgecast
@testable import BridgecastCore
import BridgecastData
@testable import BridgecastLive
import BridgecastStore
import BridgecastTestSupport
import CoreMetrics
import Foundation
import Logging
import Observation
import Synchronization
import Testing

private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

/// A feed that says what a test wants at each moment of its clock.
private struct ScriptedFeed: BridgeFeed {
    let name = "scripted"
    let clock: any WallClock
    let asked = Asked()
    let script: @Sendable (Timestamp) throws -> [BridgeIndex: Bool]

    final class Asked: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    func answer() async throws -> BridgeFeedAnswer {
        asked.add()
        return BridgeFeedAnswer(
            BridgeReading(receivedAt: clock.now, isRaised: try script(clock.now)))
    }
}

/// Writes down what a model shows whenever it changes.
@MainActor
private final class Diary {
    private(set) var phases: [AppPhase] = []
    private(set) var failures: [RefreshFailure] = []
    private let app: AppStateModel

    init(_ app: AppStateModel) {
        self.app = app
        look()
    }

    private func look() {
        withObservationTracking {
            if phases.last != app.phase { phases.append(app.phase) }
            if let error = app.error, failures.last != error { failures.append(error) }
        } onChange: {
            Task { @MainActor in self.look() }
        }
    }
}

@Suite @MainActor struct LiveServiceTests {
    private func forecaster(_ history: OpeningHistory) throws -> LiveForecaster {
        try LiveForecaster(
            TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))),
            history: history)
    }

    private func replay(
        from start: String, speed: Double = .infinity, store: HistoryStore? = nil,
        feed: ((any WallClock) -> any BridgeFeed)? = nil, interval: RefreshInterval = .live
    ) throws -> (LiveService, AppStateModel, ReplayClock) {
        let history = Fixtures.shippedHistory
        let clock = ReplayClock(from: Fixtures.moment(start), speed: speed)
        var parts = LiveParts(
            bridges: feed?(clock) ?? ReplayFeed(history, clock: clock),
            records: { history.before(SeattleTime.startOfDay(SeattleTime.civil(at: $0).date)) },
            log: quiet)
        parts.clock = clock
        parts.store = store
        parts.interval = interval
        let app = AppStateModel()
        return (
            try LiveService(parts, forecaster: forecaster(try parts.records(clock.now)), app: app),
            app, clock
        )
    }

    /// What is true of a bridge at a moment: whether it is raised.
    private func truth(_ bridge: BridgeIndex, _ moment: Timestamp) -> Bool {
        !Fixtures.shippedHistory.openings(
            of: bridge, overlapping: moment..<moment.adding(seconds: 1)
        )
        .isEmpty
    }

    /// A store that takes nothing, as on a full disk: the board goes on, and what is lost is counted.
    @Test func readingsThatAreNotStoredAreCounted() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("h.sqlite")
        try HistoryStore(url, .writing).close()
        let store = try HistoryStore(url, .reading)
        defer { store.close() }
        let start = "2026-02-20T12:00"
        let (service, app, _) = try replay(from: start, store: store)
        try await service.run(until: Fixtures.moment(start).adding(minutes: 10))
        #expect(app.phase == .ready)
        let counts = await service.counts
        #expect(counts.unstored > 5 && counts.unstored <= counts.requests)
        #expect(counts.storeProblem?.contains("cannot be read") == true)
    }

    @Test func aReplayedDayIsShownAsItWasAndStoredAsItWasSeen() async throws {
        let store = try HistoryStore(inMemoryNamed: "test")
        let (service, app, clock) = try replay(from: "2026-02-20T00:00", store: store)
        for hour in stride(from: 7.0, through: 1_440, by: 7) {
            try await service.run(until: Fixtures.moment("2026-02-20T00:00").adding(minutes: hour))
            // The last reading is of the full 20 seconds before.
            let asOf = try #require(app.feeds.first { $0.id == "replay" }?.fetchedAt)
            #expect(clock.now.secondsSinceEpoch - asOf.secondsSinceEpoch <= 20)
            for model in app.bridges {
                switch model.state {
                case .unknown: #expect(!BridgeCatalogue[model.bridge].hasLiveSensor)
                case .lowered: #expect(!truth(model.bridge, asOf))
                case .raised(let since):
                    #expect(truth(model.bridge, asOf))
                    let started = Fixtures.shippedHistory.openings[model.bridge.rawValue]
                        .last { $0.start <= asOf }?.start
                    let late =
                        (since ?? asOf).secondsSinceEpoch - (started ?? asOf).secondsSinceEpoch
                    #expect((0...20).contains(late))
                }
            }
        }
        let seen = try store.history()
        let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-20T23:00")
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            let real = Fixtures.shippedHistory.openings(of: bridge, overlapping: day)
            let ours = seen.openings(of: bridge, overlapping: day)
            #expect(ours.count == real.count, "\(BridgeCatalogue[bridge].name)")
            for (one, other) in zip(ours, real) {
                #expect(abs(one.start.minutes(since: other.start)) <= 0.34)
                #expect(abs((one.minutes ?? 0) - (other.minutes ?? 0)) <= 0.34)
            }
        }
        #expect(seen.openings[Fixtures.bridge("University").rawValue].isEmpty)
        #expect(app.phase == .ready && app.error == nil)
    }

    @Test func whatChangedIsSaidWithWhatItMeans() async throws {
        let (service, app, _) = try replay(from: "2026-02-20T17:30")
        try await service.run(until: Fixtures.moment("2026-02-20T18:10"))
        let texts = app.events.reversed().map(\.text)
        #expect(texts.first == "watching 5 bridges, all lowered")
        let raised = try #require(texts.first { $0.hasPrefix("Ballard raised 18:00; ") })
        #expect(raised.contains("Fremont's chance for 18:1"))
        #expect(raised.contains(" rose from "))
        #expect(texts.contains { $0.hasPrefix("Ballard lowered 18:04 after 4 min") })
        let ids = app.events.map(\.id)
        #expect(ids == ids.sorted(by: >) && Set(ids).count == ids.count)
    }

    @Test func aChangeCostsOneBatchHoweverManyWatch() async throws {
        let (alone, _, _) = try replay(from: "2026-02-20T17:30")
        try await alone.run(until: Fixtures.moment("2026-02-20T18:30"))
        let (watched, app, _) = try replay(from: "2026-02-20T17:30")
        let woken = Atomic<Int>(0)
        @MainActor func watch(_ model: BridgeStatusModel) {
            withObservationTracking {
                _ = (model.state, model.realTimeDelay)
            } onChange: {
                woken.add(1, ordering: .relaxed)
            }
        }
        for number in 0..<10_000 { watch(app.bridges[number % 7]) }
        try await watched.run(until: Fixtures.moment("2026-02-20T18:30"))
        let (one, many) = (await alone.counts, await watched.counts)
        #expect(one.batches == many.batches && one.changes == many.changes && many.changes > 4)
        #expect(woken.load(ordering: .relaxed) == 10_000)
        // One batch at the start, one a minute, and one for each reading that changed something.
        #expect(many.batches <= 1 + 60 + many.latencies.count)
    }

    @Test func theFeedIsAskedOnceInTwentySecondsHoweverManyAsk() async throws {
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

    @Test func aFailingFeedLeavesTheLastStatesForFiveMinutesThenNothing() async throws {
        let start = Fixtures.moment("2026-02-20T12:00")
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
        #expect(app.events.contains { $0.text == "Ballard is unknown from 12:04 on" } == false)
        #expect(app.events.contains { $0.text.hasPrefix("Ballard is unknown from 12:0") })
        try await service.run(until: start.adding(minutes: 30))
        #expect(app.phase == .ready && app.error == nil)
        #expect(app.bridges[ballard.rawValue].state == .lowered)
        #expect(app.events.contains { $0.text == "the live feed is back" })
        #expect(diary.phases.contains(.loading) && diary.failures.count > 0)
    }

    /// A feed of somebody else's throws what it likes.
    @Test func anErrorOfAForeignFeedIsShownAndEndsNothing() async throws {
        struct Hiccup: Error, CustomStringConvertible {
            let description = "the modem is asleep"
        }
        let start = Fixtures.moment("2026-02-20T12:00")
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

    @Test func aForecastThatCannotBeMadeIsShownBeforeTheServiceEnds() async throws {
        var options = ServiceOptions()
        options.mostRowsInFlight = 5
        let history = Fixtures.shippedHistory
        let clock = ReplayClock(from: Fixtures.moment("2026-02-20T12:00"), speed: .infinity)
        var parts = LiveParts(
            bridges: ReplayFeed(history, clock: clock), records: { _ in history }, log: quiet)
        parts.clock = clock
        let app = AppStateModel()
        let service = try LiveService(
            parts,
            forecaster: LiveForecaster(
                TrafficInference(
                    try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options),
                history: history), app: app)
        await #expect(throws: InferenceError.tooLarge(rows: 196, limit: 5)) {
            try await service.run()
        }
        #expect(app.phase == .failed && app.error != nil && !app.isLoading)
    }

    /// Others keep the forecaster busy: nothing can be forecast, but what the feed says is stored all the same.
    @Test func anOverloadEndsNothingAndLosesNoReading() async throws {
        let store = try HistoryStore(inMemoryNamed: "overload")
        var options = ServiceOptions()
        (options.mostRowsInFlight, options.coalescingWindow) = (200, .seconds(600))
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options)
        let start = Fixtures.moment("2026-02-20T12:00")
        let request = ForecastRequest(bridge: ballard, leadMinutes: 1, density: 0)
        let many = Array(repeating: request, count: 199)
        let hog = Task {
            while !Task.isCancelled {
                if (try? await inference.forecast(many, in: .unknown(at: start))) != nil { return }
            }
        }
        while (try? await inference.table(in: .unknown(at: start), reaching: 60)) != nil {}
        let clock = ReplayClock(from: start, speed: .infinity)
        var parts = LiveParts(
            bridges: ScriptedFeed(clock: clock) { now in
                let minute = now.minutes(since: start)
                return [ballard: minute > 2 && minute < 6, fremont: false]
            }, records: { _ in OpeningHistory(records: [], coverage: .empty) }, log: quiet)
        (parts.clock, parts.store) = (clock, store)
        let app = AppStateModel()
        let service = try LiveService(
            parts,
            forecaster: LiveForecaster(
                inference, history: OpeningHistory(records: [], coverage: .empty)), app: app)
        try await service.run(until: start.adding(minutes: 10))
        #expect(app.error?.reason.contains("199 rows are waiting") == true)
        hog.cancel()
        await hog.value
        try await service.run(until: start.adding(minutes: 12))
        #expect(app.error == nil && app.phase == .ready)
        let seen = try store.history().openings[ballard.rawValue]
        #expect(seen.count == 1)
        #expect((3.5...4).contains(try #require(seen.first?.minutes)))
    }

    @Test func routesThatCannotBeRankedAreRefusedAtTheBeginning() throws {
        let endless = Route(
            id: "a", name: "a", origin: "b", destination: "c", mode: .car,
            steps: [.travel(Route.Travel(meanMinutes: .infinity, spreadMinutes: 0))])
        let inference = TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")))
        #expect(throws: RankingError.self) {
            try LiveForecaster(inference, history: Fixtures.shippedHistory, routes: [endless])
        }
        #expect(throws: RankingError.weights(.allZero)) {
            try LiveForecaster(
                inference, history: Fixtures.shippedHistory, weights: RouteWeights([:]))
        }
    }

    @Test func aFeedThatRefusesUsNeedsTheUser() async throws {
        let (service, app, _) = try replay(from: "2026-02-20T12:00") { clock in
            ScriptedFeed(clock: clock) { _ in
                throw FeedError.status(url: "u", code: 403, retryAfterSeconds: nil)
            }
        }
        try await service.run(until: Fixtures.moment("2026-02-20T12:10"))
        #expect(app.phase == .failed)
        guard case .userActionRequired(let words) = app.error?.recovery else {
            Issue.record("\(app.error.debugDescription)")
            return
        }
        #expect(words.contains("check the token"))
        #expect(app.bridges.allSatisfy { $0.state == .unknown && $0.openProbability != nil })
    }

    @Test func aFrozenFeedIsNotBelieved() async throws {
        let start = Fixtures.moment("2026-02-20T06:00")
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

    /// Both nights on which clocks change, at which an hour is there twice or not at all.
    @Test(arguments: [
        ("2017-11-04T20:00", "2017-11-05T12:00"), ("2025-03-09T00:30", "2025-03-09T12:00"),
    ])
    func nightsOfClockChangesAreLikeAnyOther(_ period: (String, String)) async throws {
        let store = try HistoryStore(inMemoryNamed: "dst")
        let (service, app, _) = try replay(from: period.0, store: store)
        let (start, end) = (Fixtures.moment(period.0), Fixtures.moment(period.1))
        var moment = start
        while moment < end {
            moment = moment.adding(minutes: 11)
            try await service.run(until: moment)
            for model in app.bridges where BridgeCatalogue[model.bridge].hasLiveSensor {
                let asOf = try #require(app.feeds.first { $0.id == "replay" }?.fetchedAt)
                #expect(
                    model.state == .unknown
                        || (model.state == .lowered) != truth(model.bridge, asOf))
            }
        }
        let seen = try store.history()
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            // Coverage is one piece of the night's true length: 17 or 15 hours of clock time, 16 of time.
            let minutes = seen.coverage.minutes(of: bridge)
            guard Fixtures.shippedHistory.coverage.contains(start, of: bridge) else { continue }
            #expect(abs(minutes - moment.minutes(since: start)) < 2, "\(minutes)")
            let night = start.adding(minutes: 1)..<end
            #expect(
                seen.openings(of: bridge, overlapping: night).count
                    == Fixtures.shippedHistory.openings(of: bridge, overlapping: night).count)
        }
    }

    @Test func theClockOfAReplayRunsAtItsSpeedAndWaitsWithoutDrift() async throws {
        let start = Fixtures.moment("2026-02-20T17:55")
        let clock = ReplayClock(from: start, speed: 600)
        let began = ContinuousClock.now
        for step in 1...10 {
            let moment = start.adding(seconds: Int64(step) * 20)
            try await clock.sleep(until: moment)
            #expect(clock.now >= moment, "it does not wake before its time")
        }
        // However long each wake took, ten waits of 20 s end no sooner than 200 s of the replay.
        #expect(began.duration(to: .now) >= .milliseconds(332))
        let jumping = ReplayClock(from: start, speed: .infinity)
        try await jumping.sleep(until: start.adding(minutes: 1440))
        #expect(jumping.now == start.adding(minutes: 1440))
        try await jumping.sleep(until: start)
        #expect(jumping.now == start.adding(minutes: 1440), "it never runs backwards")
    }

    @Test func intervalsBendToFailuresRestAndRaisedBridges() {
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

@Suite struct MetricsRegistryTests {
    @Test func metricsAreWrittenAsPrometheusReadsThem() {
        let registry = MetricsRegistry()
        let counter = registry.makeCounter(
            label: "requests_total", dimensions: [("feed", "a\"b\n")])
        counter.increment(by: 2)
        counter.increment(by: 3)
        registry.makeCounter(label: "requests_total", dimensions: []).increment(by: 1)
        registry.makeTimer(label: "delay_seconds", dimensions: []).recordNanoseconds(1_500_000_000)
        registry.makeRecorder(label: "age", dimensions: [], aggregate: false).record(7.0)
        registry.makeRecorder(label: "age", dimensions: [], aggregate: false).record(5.0)
        #expect(
            registry.text() == """
                # TYPE age gauge
                age 5.0
                # TYPE delay_seconds summary
                delay_seconds_sum 1.5
                delay_seconds_count 1
                # TYPE requests_total counter
                requests_total 1.0
                requests_total{feed="a\\"b\\n"} 5.0

                """)
    }
}
