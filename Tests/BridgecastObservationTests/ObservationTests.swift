import BridgecastCore
import BridgecastObservation
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Observation
import Synchronization
import Testing

@Suite struct ObservationTests {
    private func update(
        _ name: String, chance: Float, at time: String = "2026-02-20T12:00",
        state: SpanState = .lowered
    ) -> BridgeUpdate {
        BridgeUpdate(
            bridge: Fixtures.bridge(name), issueTime: Fixtures.timestamp(time), state: state,
            delay: DelayDistribution([1 - chance, chance] + Array(repeating: 0, count: 10)),
            confidence: .high)
    }

    private func score(_ id: String, _ bridge: String, minutes: Double) -> RouteScore {
        let steps: [Route.Step] = [
            .travel(Route.Travel(meanMinutes: minutes, spreadMinutes: 0)),
            .crossing(Fixtures.bridge(bridge)),
        ]
        var figures = RouteFigures()
        figures.expectedMinutes = minutes
        figures.score = minutes
        return RouteScore(
            route: Route(
                id: id, name: id, origin: "a", destination: "b", mode: .car, steps: steps),
            figures: figures, crossings: [])
    }

    @Test func changesNotifyOnlyObserversOfThatBridge() async throws {
        let app = AppStateModel()
        let ballard = app.bridges[Fixtures.bridge("Ballard").rawValue]
        let fremont = app.bridges[Fixtures.bridge("Fremont").rawValue]
        let received = Received()
        let watchers = [ballard, fremont].map { model in
            Task {
                for await delay in Observations({ model.realTimeDelay }) {
                    received.add(model.name, delay)
                }
            }
        }
        try await until { received.count("Ballard") == 1 && received.count("Fremont") == 1 }
        app.apply(AppStateUpdate(bridges: [update("Fremont", chance: 0.5)], routes: []))
        try await until { received.count("Fremont") == 2 }
        #expect(received.last("Fremont") == 15)  // half a chance of a delay of 30 s on average
        app.apply(AppStateUpdate(bridges: [update("Ballard", chance: 0.25)], routes: []))
        try await until { received.count("Ballard") == 2 }
        #expect(received.count("Fremont") == 2)
        for watcher in watchers { watcher.cancel() }
    }

    @Test func equalValuesAndTheIssueTimeDoNotNotify() {
        let model = BridgeStatusModel(bridge: Fixtures.bridge("Fremont"))
        #expect(model.apply(update("Fremont", chance: 0.5)))
        let woken = Flag()
        withObservationTracking {
            _ = (model.realTimeDelay, model.openProbability, model.confidence, model.state)
            _ = (
                model.issueTime, model.delay,
                model.ageSeconds(at: Fixtures.timestamp("2026-02-20T13:00"))
            )
        } onChange: {
            woken.raise()
        }
        #expect(!model.apply(update("Fremont", chance: 0.5, at: "2026-02-20T12:01")))
        #expect(model.issueTime == Fixtures.timestamp("2026-02-20T12:01"))
        #expect(model.ageSeconds(at: Fixtures.timestamp("2026-02-20T12:03")) == 120)
        #expect(!woken.isRaised)
    }

    @Test func olderForecastsAreIgnored() {
        let model = BridgeStatusModel(bridge: Fixtures.bridge("Fremont"))
        model.apply(update("Fremont", chance: 0.5, at: "2026-02-20T12:01"))
        #expect(!model.apply(update("Fremont", chance: 0.1, at: "2026-02-20T12:00")))
        #expect(abs((model.openProbability ?? 0) - 0.5) < 1e-6)
    }

    @Test func routesKeepTheirModelsAndShareTheirBridges() throws {
        let app = AppStateModel()
        let (a, b) = (score("a", "Fremont", minutes: 10), score("b", "Fremont", minutes: 12))
        app.apply(AppStateUpdate(bridges: [], routes: [a, b]))
        let first = try #require(app.routes.first)
        #expect(app.routes.map(\.routeID) == ["a", "b"])
        #expect(first.bridgeStatuses.first === app.bridges[Fixtures.bridge("Fremont").rawValue])
        let listChanged = Flag()
        withObservationTracking {
            _ = app.routes
        } onChange: {
            listChanged.raise()
        }
        app.apply(AppStateUpdate(bridges: [], routes: [a, b]))
        #expect(!listChanged.isRaised && app.routes.first === first)
        app.apply(AppStateUpdate(bridges: [], routes: [b, a]))
        #expect(listChanged.isRaised && app.routes.last === first)
        #expect((first.score ?? 0) > 0)
    }

    @Test func refreshingGoesOnByTheNetworkAndTheDeparture() async throws {
        let app = AppStateModel()
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let clock = JumpingClock(start)
        let asked = Mutex(0)
        let task = Task {
            try await app.keepRefreshing(
                every: 300, departure: { start.adding(minutes: 20) }, clock: clock
            ) { () throws(RefreshFailure) in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                if count > 2, count < 6 {
                    throw RefreshFailure(reason: "cut", recovery: .retryScheduled(after: 20))
                }
                if count == 8 { withUnsafeCurrentTask { unsafe $0?.cancel() } }
                return AppStateUpdate(bridges: [], routes: nil)
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        // A sixth of 20 minutes, of 1000 s, then of what is left, times the factor of the network.
        let waits = clock.waits
        #expect(waits.prefix(2).map { $0.rounded() } == [200, 167])
        #expect(zip(waits.dropFirst(2), [1.5, 2, 4]).allSatisfy { $0 >= 30 * $1 })
        #expect(app.network == .poor && app.error == nil, "\(app.network) \(waits)")
        let manual = AppStateModel()
        try await manual.keepRefreshing(every: nil, clock: clock) { () throws(RefreshFailure) in
            AppStateUpdate(bridges: [], routes: nil)
        }
        #expect(clock.waits.count == waits.count, "manual is refreshed once")
    }

    @Test func failedRefreshesKeepTheState() async {
        let app = AppStateModel()
        app.apply(AppStateUpdate(bridges: [], routes: [score("a", "Fremont", minutes: 10)]))
        let failure = RefreshFailure(
            reason: "the feed is down", recovery: .retryScheduled(after: 20))
        await app.refresh { () throws(RefreshFailure) in throw failure }
        #expect(app.error == failure && app.routes.count == 1 && !app.isLoading)
        let fresh = AppStateUpdate(bridges: [update("Fremont", chance: 0.5)], routes: [])
        await app.refresh { () throws(RefreshFailure) in fresh }
        #expect(app.error == nil && app.routes.isEmpty)
    }

    @Test func secondRefreshesDoNothing() async throws {
        let app = AppStateModel()
        let gate = Gate()
        let refresh = Task {
            await app.refresh { () throws(RefreshFailure) in
                await gate.wait()
                return AppStateUpdate(bridges: [], routes: [])
            }
        }
        try await until { app.isLoading }
        await app.refresh { () throws(RefreshFailure) in
            throw RefreshFailure(reason: "must not run", recovery: .retryScheduled(after: 20))
        }
        #expect(app.isLoading && app.error == nil)
        await gate.open()
        await refresh.value
        #expect(!app.isLoading)
    }

    @Test func streamsOfUpdatesAreFollowed() async {
        let app = AppStateModel()
        let (updates, source) = AsyncStream.makeStream(of: AppStateUpdate.self)
        let feed = FeedStatus(id: "bridges", fetchedAt: nil, problem: "down")
        source.yield(
            AppStateUpdate(
                bridges: [update("Fremont", chance: 0.5)], routes: nil, feeds: [feed],
                phase: .ready))
        source.finish()
        await app.follow(updates)
        #expect(app[Fixtures.bridge("Fremont")].realTimeDelay == 15)
        #expect(app.feeds == [feed] && app.phase == .ready && app.routes.isEmpty)
    }

    /// Waits for something that other tasks bring about; gives up after ten seconds.
    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        try #require(condition())
    }
}

/// Values that observers have received.
private final class Received {
    private var values: [String: [Double?]] = [:]

    func add(_ name: String, _ value: Double?) { values[name, default: []].append(value) }
    func count(_ name: String) -> Int { values[name]?.count ?? 0 }
    func last(_ name: String) -> Double? { values[name]?.last ?? nil }
}

/// Whether something has happened, on whatever thread.
private nonisolated final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }
}

/// Suspends tasks until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
