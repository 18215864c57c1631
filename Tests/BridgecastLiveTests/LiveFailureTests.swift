// A store that takes nothing, forecasts that cannot be made, routes that cannot be ranked: told, and no reading lost.
import Bridgecast
@testable import BridgecastCore
@testable import BridgecastLive
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

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
        let (service, app, _) = try replay(from: start, store: store)
        try await service.run(until: Fixtures.moment(start).adding(minutes: 10))
        #expect(app.phase == .ready)
        let counts = await service.counts
        #expect(counts.unstored > 5 && counts.unstored <= counts.requests)
        #expect(counts.storeProblem?.contains("cannot be read") == true)
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
}
