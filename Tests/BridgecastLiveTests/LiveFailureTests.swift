// Failures of store, forecasts and routes; ageing of what is shown.
import Bridgecast
import BridgecastData
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastLive
@testable import BridgecastRouting

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))

@Suite @MainActor struct LiveFailureTests {
    /// A store that takes nothing, as on a full disk: the board goes on, and what is lost is counted.
    @Test func readingsThatAreNotStoredAreCounted() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("h.sqlite")
        try HistoryStore(url, .writing).close()
        let store = try HistoryStore(url, .reading)
        defer { store.close() }
        let start = "2026-02-20T12:00"
        let diagnostics = DiagnosticLog(DiagnosticLog.url(nextTo: url))
        defer { diagnostics.flush() }
        let (service, app, _) = try replay(from: start, store: store, diagnostics: diagnostics)
        try await service.run(until: Fixtures.timestamp(start).adding(minutes: 10))
        #expect(app.phase == .ready)
        let counts = await service.counts
        #expect(counts.unstored > 5 && counts.unstored <= counts.requests)
        #expect(counts.storeProblem?.contains("cannot be read") == true)
        let noted = try #require(diagnostics.contents.errors.first { $0.source == "store" })
        #expect(noted.recovery == "Check the disk and the permissions of the file.")
        #expect(noted.result == "retry_scheduled" && noted.count == counts.unstored)
        #expect(!noted.message.contains(folder.path))
    }

    @Test func aFailedForecastIsShownBeforeTheServiceEnds() async throws {
        var options = InferenceOptions()
        options.maxRowsInFlight = 5
        let history = Fixtures.shippedHistory
        let clock = ReplayClock(from: Fixtures.timestamp("2026-02-20T12:00"), speed: .infinity)
        var parts = LiveParts(
            bridges: ReplayFeed(history, clock: clock), records: { _ in history }, log: quiet)
        parts.clock = clock
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let diagnostics = DiagnosticLog(folder.appendingPathComponent("diagnostics.json"))
        defer { diagnostics.flush() }
        parts.diagnostics = diagnostics
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
        #expect(app.phase == .failed && !app.isLoading)
        let error = InferenceError.tooLarge(rows: 196, limit: 5)
        #expect(app.error?.recovery == .criticalFailure(message: "\(error)"))
        let noted = diagnostics.contents.errors.first { $0.source == "forecast" }
        #expect(noted?.result == "critical_failure" && noted?.count == 1)
    }

    /// Others keep the forecaster busy: nothing can be forecast, but what the feed says is stored all the same.
    @Test func anOverloadLosesNoReading() async throws {
        let store = try HistoryStore(inMemoryNamed: "overload")
        var options = InferenceOptions()
        options.maxRowsInFlight = 200
        options.coalescingWindow = .seconds(600)
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options)
        let start = Fixtures.timestamp("2026-02-20T12:00")
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
        parts.clock = clock
        parts.store = store
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

    @Test func invalidRoutesAreRefusedAtTheStart() throws {
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
}

@Suite struct LiveAgeingTests {
    private static func status(_ code: Int, after seconds: Double? = nil) -> FeedError {
        .status(url: "https://feed.example", code: code, retryAfterSeconds: seconds)
    }

    @Test func repeatedFailuresAreRetriedLessOften() {
        var health = FeedHealth()
        var seconds: [Int64?] = []
        for _ in 0..<6 {
            seconds.append(health.nextSeconds(.live))
            health.failed(
                .unreachable(url: "https://feed.example", reason: "down"), seconds: 1)
        }
        #expect(seconds == [20, 20, 40, 80, 120, 120])
        health.failed(Self.status(503, after: 300), seconds: 1)
        #expect(health.nextSeconds(.live) == 300)
        // What a feed asked for counts until it says something else.
        health.failed(.timedOut(url: "https://feed.example", seconds: 10), seconds: 10)
        #expect(health.nextSeconds(.live) == 120 && health.failures == 8)
        #expect(health.answered(seconds: 0.2) == .recovered)
        #expect(health.failures == 0 && health.nextSeconds(.live) == 20)
        #expect(health.answered(seconds: 0.2) == nil, "nothing had failed")
    }

    @Test func userActionsAreNotRetried() {
        var health = FeedHealth()
        let refused = Self.status(403)
        health.failed(refused, seconds: 1)
        #expect(
            health.recovery(from: refused, .live) == .userActionRequired(message: "\(refused)"))
        #expect(health.recovery(from: Self.status(500), .live) == .retryScheduled(after: 20))
        #expect(
            health.recovery(from: Self.status(500), .manual)
                == .userActionRequired(message: "refresh manually"))
    }

    @Test func aForecastIsDueAfterAMinuteAndWhenStatesAreStale() async throws {
        let forecaster = try LiveForecaster(
            TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))),
            history: Fixtures.shippedHistory)
        let now = Fixtures.timestamp("2026-02-20T18:02")
        var shown = ShownState()
        #expect(shown.isDue(at: now) && !shown.isAhead(of: now))
        let known = try await forecaster.update(nil, traffic: LiveTraffic(), at: now)
        shown.show(known)
        #expect(
            !shown.isDue(at: now.adding(seconds: 59)) && shown.isDue(at: now.adding(seconds: 60)))
        // A clock that was set back: not old, but of a time that has not come.
        let earlier = now.adding(seconds: -3600)
        #expect(!shown.isDue(at: earlier) && shown.isAhead(of: earlier))
        let turns = [true, true, false].map { shown.turn(isStale: $0) }
        #expect(turns == [true, false, true] && !shown.isStale)
        let later = Fixtures.timestamp("2026-03-02T12:00")
        let unknown = try await forecaster.update(nil, traffic: LiveTraffic(), at: later)
        let lost = ShownState.lost(known, unknown, at: later)
        #expect(Set(lost.map(\.bridge)) == Set(BridgeIndex.all).subtracting([.lowerSpokaneSt]))
        #expect(lost.allSatisfy { $0.after == .unknown && $0.at == later })
        #expect(ShownState.lost(nil, unknown, at: later).isEmpty)
        #expect(ShownState.lost(unknown, known, at: now).isEmpty)
    }
}
