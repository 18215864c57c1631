// The live pipeline: feed to tracker to store, to forecast, to the models that everybody watches.
public import Bridgecast
internal import BridgecastData
public import BridgecastStore
internal import Logging
private import Metrics

/// Keeps an ``AppStateModel`` up to date.
///
/// One request to the feed at a time and at most one every 20 seconds, however many watch or ask. Every
/// reading that changes a state costs one inference batch, and so does every minute in which nothing
/// changes. What is seen is shown first and stored at once after that.
public actor LiveService {
    private let parts: LiveParts
    private let forecaster: LiveForecaster
    private let app: AppStateModel
    private let publisher: LivePublisher

    private var tracker = BridgeTracker()
    private var traffic = LiveTraffic()
    private var shown: LiveUpdate?
    private var failures = 0
    private var rest: Double?
    private var lastRequestAt: Timestamp?
    private var storedAt: Timestamp?
    private var trafficAt: Timestamp?
    private var recordsOf: CivilDate?
    private var isRefreshing = false
    private var isShownStale = false

    /// What has happened so far, for reports and tests.
    public struct Counts: Sendable, Equatable {
        /// Requests to the bridge feed.
        public var requests = 0
        /// Those that failed.
        public var failures = 0
        /// Inference batches.
        public var batches = 0
        /// Changes of state.
        public var changes = 0
        /// Readings that the store did not take, and why the last of them.
        public var unstored = 0
        /// See ``unstored``.
        public var storeProblem: String?
        /// From the last byte of a reading that changed a state to the models, seconds.
        public var latencies: [Double] = []
    }

    /// What has happened so far.
    public private(set) var counts = Counts()

    /// Latencies that are kept, the newest.
    private static let mostLatencies = 100_000
    /// Forecasts age: a new one is made at least this often, seconds.
    private static let forecastSeconds: Int64 = 60
    /// Observation reaches the store at least this often, seconds.
    private static let storeSeconds: Int64 = 60
    /// Traffic is asked for this often, seconds.
    private static let trafficSeconds: Int64 = 90

    /// Creates a service.
    ///
    /// - Throws: ``HistoryStoreError`` if the store cannot be read.
    public init(
        _ parts: LiveParts, forecaster: LiveForecaster, app: AppStateModel
    ) throws(HistoryStoreError) {
        (self.parts, self.forecaster, self.app) = (parts, forecaster, app)
        publisher = LivePublisher(app, parts.log)
        if let store = parts.store { tracker = try store.resumedTracker(at: parts.clock.now) }
    }

    /// Runs until the task is cancelled or a moment is reached.
    ///
    /// - Throws: `CancellationError`; an error of the forecast itself, which the ``AppStateModel`` then shows.
    ///   Feeds and the disk may fail, and others may keep the forecaster busy, without ending it.
    public func run(until end: Timestamp? = nil) async throws {
        do {
            try await keepUp(until: end)
        } catch InferenceError.cancelled {
            throw CancellationError()
        } catch let error as CancellationError {
            throw error
        } catch {
            await app.set(
                phase: .failed,
                error: RefreshFailure(reason: "\(error)", recovery: .criticalFailure("\(error)")),
                isLoading: false)
            throw error
        }
    }

    private func keepUp(until end: Timestamp?) async throws {
        var due = parts.clock.now
        if shown == nil {
            await app.set(phase: .loading, error: nil, isLoading: true)
            // Climatology is there at once, and the first reading finds everything warm.
            await updateRecords(due)
            try await unlessOverloaded {
                let first = try await forecast(due)
                await publisher.publish(first, [], before: nil, nil)
                try await publishRoutes(first)
            }
        }
        while end.map({ parts.clock.now < $0 }) ?? true {
            try await refresh()
            let raised = BridgeIndex.all.contains { isRaised(tracker.state(of: $0)) }
            let seconds = parts.interval.nextSeconds(
                failures: failures, restSeconds: rest, isAnyRaised: raised)
            // Counted from when it was due, so that the work in between does not add up to a drift.
            let next = seconds.map { due.adding(seconds: $0) } ?? .latest
            due = max(next, parts.clock.now)
            try await wait(until: end.map { min($0, due) } ?? due)
        }
    }

    /// Forecasts and shows it; if the forecaster is too busy, what was shown stays until the next time.
    private func unlessOverloaded(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as InferenceError {
            guard case .overloaded = error else { throw error }
            parts.log.warning("no forecast", metadata: ["reason": "\(error)"])
            await app.set(
                phase: app.phase,
                error: RefreshFailure(
                    reason: "\(error)", recovery: nextTry(failures: 1, restSeconds: nil)),
                isLoading: false)
        }
    }

    /// Brings everything up to date now, unless that is under way or was less than 20 seconds ago.
    ///
    /// - Throws: As ``run(until:)``.
    public func refresh() async throws {
        let now = parts.clock.now
        if let last = lastRequestAt, last <= now,
            now.secondsSinceEpoch - last.secondsSinceEpoch < RefreshInterval.leastSeconds
        {
            return
        }
        guard !isRefreshing else { return }
        isRefreshing = true
        defer { isRefreshing = false }
        lastRequestAt = now
        await updateRecords(now)
        counts.requests += 1
        let answer: BridgeFeedAnswer?
        do {
            answer = try await parts.bridges.answer()
        } catch {
            try await fail(try FeedError(error, feed: parts.bridges.name))
            answer = nil
        }
        if let answer { try await take(answer) }
        // Behind the bridges: a slow feed of traffic must not make their readings late.
        await updateTraffic(now)
        let age = tracker.lastReadingAt.map { parts.clock.now.minutes(since: $0) * 60 }
        if let age {
            Gauge(
                label: "bridgecast_feed_age_seconds", dimensions: [("feed", parts.bridges.name)]
            ).record(age)
        }
    }

    /// Waits, and takes states back when they become too old meanwhile.
    private func wait(until moment: Timestamp) async throws {
        if let last = tracker.lastReadingAt {
            let stale = last.adding(minutes: LiveSnapshot.stalenessMinutes).adding(seconds: 1)
            if stale > parts.clock.now, stale < moment {
                try await parts.clock.sleep(until: stale)
                let failure = await app.error
                try await age(isStale: true, problem: failure?.reason, failure)
            }
        }
        try await parts.clock.sleep(until: moment)
    }

    private func take(_ answer: BridgeFeedAnswer) async throws {
        let now = answer.reading.receivedAt
        let wasFailing = failures > 0
        let isFirst = tracker.lastReadingAt == nil
        let step = tracker.apply(answer.reading)
        (failures, rest, isShownStale) = (0, nil, false)
        let isDue =
            shown.map { now.secondsSinceEpoch - $0.issueTime.secondsSinceEpoch } ?? .max
            >= Self.forecastSeconds
        let frozen = tracker.isFrozen ? "frozen: no bridge has moved for 12 hours" : nil
        let condition = LivePublisher.Condition(
            feed: FeedStatus(id: parts.bridges.name, fetchedAt: now, problem: frozen),
            phase: frozen == nil ? .ready : .stale(since: tracker.lastMovementAt ?? now))
        if isDue || !step.changes.isEmpty || wasFailing || shown.map({ now < $0.issueTime }) ?? true
        {
            let before = isFirst ? nil : shown
            try await unlessOverloaded {
                let update = try await forecast(now)
                await publisher.publish(update, step.changes, before: before, condition)
                if !step.changes.isEmpty { measure(answer.arrival) }
                try await publishRoutes(update)
            }
        } else {
            await publisher.publish(condition)
        }
        counts.changes += step.changes.count
        if wasFailing { await publisher.report(now, "the live feed is back") }
        await store(step, now)
    }

    private func forecast(_ now: Timestamp) async throws -> LiveUpdate {
        let update = try await forecaster.update(tracker.snapshot, traffic: traffic, at: now)
        counts.batches += 1
        shown = update
        return update
    }

    private func publishRoutes(_ update: LiveUpdate) async throws {
        if let ranking = try await forecaster.ranking(update) { await publisher.publish(ranking) }
    }

    private func measure(_ arrival: ContinuousClock.Instant) {
        let elapsed = arrival.duration(to: .now)
        Timer(label: "bridgecast_change_to_models_seconds").record(duration: elapsed)
        if counts.latencies.count >= Self.mostLatencies { counts.latencies.removeFirst() }
        counts.latencies.append(elapsed / .seconds(1))
    }

    /// Keeps what was shown, until it is too old to be believed; then nothing is known.
    private func fail(_ error: FeedError) async throws {
        let now = parts.clock.now
        counts.failures += 1
        failures += 1
        rest = error.retryAfterSeconds
        parts.log.warning(
            "feed failed",
            metadata: [
                "feed": "\(parts.bridges.name)", "reason": "\(error)", "in_a_row": "\(failures)",
            ])
        if failures == 1 { await publisher.report(now, "the live feed failed: \(error)") }
        let isStale =
            tracker.lastReadingAt.map { now.minutes(since: $0) > LiveSnapshot.stalenessMinutes }
            ?? true
        let failure = RefreshFailure(reason: "\(error)", recovery: recovery(error))
        try await age(isStale: isStale, problem: "\(error)", failure)
    }

    /// Brings what has become old up to date with what is still known.
    private func age(isStale: Bool, problem: String?, _ failure: RefreshFailure?) async throws {
        let now = parts.clock.now
        let condition = LivePublisher.Condition(
            feed: FeedStatus(
                id: parts.bridges.name, fetchedAt: tracker.lastReadingAt, problem: problem),
            phase: phase(isStale: isStale), failure: failure)
        let age = shown.map { now.secondsSinceEpoch - $0.issueTime.secondsSinceEpoch } ?? .max
        guard age >= Self.forecastSeconds || isStale != isShownStale else {
            return await publisher.publish(condition)
        }
        let before = shown
        isShownStale = isStale
        try await unlessOverloaded {
            let update = try await forecast(now)
            await publisher.publish(update, lost(before, update, now), before: before, condition)
            try await publishRoutes(update)
        }
    }

    private func phase(isStale: Bool) -> AppPhase {
        guard isStale else { return .ready }
        return tracker.lastReadingAt.map { .stale(since: $0) } ?? .failed
    }

    /// Bridges whose state was known before and is not any more.
    private func lost(
        _ before: LiveUpdate?, _ after: LiveUpdate, _ now: Timestamp
    ) -> [BridgeChange] {
        guard let before else { return [] }
        return BridgeIndex.all.compactMap { bridge in
            let (old, new) = (before.situation[bridge].state, after.situation[bridge].state)
            guard old != .unknown, new == .unknown else { return nil }
            return BridgeChange(bridge: bridge, at: now, before: old, after: new)
        }
    }

    private func recovery(_ error: FeedError) -> RefreshRecovery {
        switch error {
        case .status(_, let code, _) where [401, 403, 404].contains(code):
            .userActionRequired("\(error)")
        default: nextTry(failures: failures, restSeconds: rest)
        }
    }

    /// When it is tried again by itself; if it is not, the user has to ask.
    private func nextTry(failures: Int, restSeconds: Double?) -> RefreshRecovery {
        parts.interval.nextSeconds(
            failures: failures, restSeconds: restSeconds, isAnyRaised: false
        ).map { .retryScheduled(after: Double($0)) } ?? .userActionRequired("ask again")
    }

    private func updateTraffic(_ now: Timestamp) async {
        guard !parts.traffic.isEmpty,
            trafficAt.map({ now.secondsSinceEpoch - $0.secondsSinceEpoch >= Self.trafficSeconds })
                ?? true
        else { return }
        trafficAt = now
        for feed in parts.traffic {
            do {
                let readings = try await feed.readings()
                let bad = traffic.add(readings)
                let newest = readings.map(\.measuredAt).max()
                await app.set(
                    feed: FeedStatus(
                        id: feed.name, fetchedAt: newest,
                        problem: bad.isEmpty ? nil : "\(bad.count) measurements make no sense"))
            } catch {
                parts.log.warning(
                    "feed failed", metadata: ["feed": "\(feed.name)", "reason": "\(error)"])
                await app.set(
                    feed: FeedStatus(id: feed.name, fetchedAt: nil, problem: "\(error)"))
            }
        }
    }

    /// Takes over the records of a new day; if they cannot be read, those of the day before serve.
    private func updateRecords(_ now: Timestamp) async {
        let today = SeattleTime.civil(at: now).date
        guard recordsOf != today else { return }
        do {
            await forecaster.use(try parts.records(now))
            recordsOf = today
        } catch {
            parts.log.error("records not read", metadata: ["reason": "\(error)"])
            await app.set(feed: FeedStatus(id: "records", fetchedAt: nil, problem: "\(error)"))
        }
    }

    private func store(_ step: BridgeTracker.Step, _ now: Timestamp) async {
        guard let store = parts.store else { return }
        let isDue =
            storedAt.map { abs(now.secondsSinceEpoch - $0.secondsSinceEpoch) >= Self.storeSeconds }
            ?? true
        guard isDue || !step.openings.isEmpty || step.cut != nil else { return }
        do {
            try store.record(step)
            storedAt = now
            await app.set(feed: FeedStatus(id: "store", fetchedAt: now, problem: nil))
        } catch {
            // A full disk fails at every reading: it is told once, and at the end how often.
            if counts.storeProblem != "\(error)" {
                parts.log.error("store failed", metadata: ["reason": "\(error)"])
            }
            counts.unstored += 1
            counts.storeProblem = "\(error)"
            await app.set(feed: FeedStatus(id: "store", fetchedAt: storedAt, problem: "\(error)"))
        }
    }

    private func isRaised(_ state: SpanState) -> Bool {
        if case .raised = state { true } else { false }
    }
}
