// The running pipeline: feed to tracker to forecast to store. What it publishes is in
// LivePublishing.swift, traffic, records and the store in LiveKeeping.swift; feeds of a network are in BridgecastFeeds,
// drawing is in BridgecastCLI.
public import Bridgecast
internal import BridgecastData
public import BridgecastStore
internal import Logging
private import Metrics

/// Keeps the forecasts of all bridges up to date and publishes them.
///
/// One request to the feed at a time and at most one every ``RefreshInterval/minSeconds``, however many watch or ask.
/// Every reading that changes a state costs one inference batch, and so does every minute in which nothing changes.
/// What is seen is published first and stored at once after that.
///
/// Whatever is published goes to ``LiveParts/listener``, to the readers of ``news(bufferingNewest:)``, and to an
/// ``AppStateModel`` if there is one.
public actor LiveService {
    let parts: LiveParts
    let forecaster: LiveForecaster
    /// The models of a screen; nil in a program without one.
    let app: AppStateModel?
    nonisolated let streams = NewsStreams()

    private(set) var tracker = BridgeTracker()
    /// What has been published by another service before the first reading of this one; nil afterwards.
    private var publishedBefore: BridgeTracker?
    var traffic = LiveTraffic()
    var shown = ShownState()
    var health = FeedHealth()
    private var watchdog = ClockWatchdog()
    // By the clock's monotonic seconds.
    private var requestedAtSeconds: Double?
    private var readAtSeconds: Double?
    var trafficAtSeconds: Double?
    var storedAt: Timestamp?
    private var isRefreshing = false

    /// What has happened so far.
    public internal(set) var counts = Counts()

    /// What has happened so far, for reports and tests.
    public struct Counts: Sendable, Equatable {
        /// Requests to the bridge feed.
        public var requests = 0
        /// Those that failed.
        public var failures = 0
        /// Why the last of them failed.
        public var feedProblem: String?
        /// Inference batches.
        public var batches = 0
        /// How often the system's clock was set.
        public var clockShifts = 0
        /// Changes of state.
        public var changes = 0
        /// Readings that the store did not take.
        public var unstored = 0
        /// Why the store did not take the last of ``unstored``.
        public var storeProblem: String?
        /// From the last byte of a reading that changed a state to its publication, seconds.
        public var latencies: [Double] = []
    }

    /// What was not stored is stored with the next reading; also what follows a failure that nothing waits for.
    static let storeRecovery = RecoveryPolicy(
        Backoff(
            firstSeconds: Double(RefreshInterval.minSeconds),
            maxSeconds: Double(RefreshInterval.minSeconds)))
    /// A request that is sent later than that after it was due shifts those after it, seconds; below half a second, by
    /// which ``refresh()`` lets requests come early.
    private static let toleratedDelaySeconds = 0.25
    /// Latencies that are kept, the newest.
    private static let maxLatencies = 100_000

    /// Creates a service.
    ///
    /// - Parameter app: Models to keep up to date as well, for a screen.
    /// - Throws: ``HistoryStoreError`` if the store cannot be read.
    public init(
        _ parts: LiveParts, forecaster: LiveForecaster, app: AppStateModel? = nil
    ) throws(HistoryStoreError) {
        self.init(
            parts, forecaster, app, tracker: try parts.store?.resumedTracker(at: parts.clock.now))
    }

    /// Creates a service that goes on where another has ended.
    ///
    /// What the other has stored and not published is published with the first reading; what it has published and not
    /// stored is stored now.
    /// - Parameter news: The last that the other has published.
    /// - Throws: ``HistoryStoreError`` if the store cannot be read or written.
    package init(
        _ parts: LiveParts, forecaster: LiveForecaster, after news: LiveNews
    ) throws(HistoryStoreError) {
        let stored = try parts.store?.resumedTracker(at: parts.clock.now)
        let isStoreAhead =
            (stored?.lastReadingAt ?? .earliest) > news.tracker.lastReadingAt ?? .earliest
        if !isStoreAhead { try parts.store?.record(news.tracker.wholeStep) }
        self.init(
            parts, forecaster, nil, tracker: isStoreAhead ? stored : news.tracker, after: news)
    }

    private init(
        _ parts: LiveParts, _ forecaster: LiveForecaster, _ app: AppStateModel?,
        tracker resumed: BridgeTracker?, after news: LiveNews? = nil
    ) {
        self.parts = parts
        self.forecaster = forecaster
        self.app = app
        publishedBefore = news?.tracker
        if let news { shown = ShownState(news) }
        guard let resumed else { return }
        let clock = parts.clock
        tracker = resumed
        readAtSeconds = tracker.lastReadingAt.map {
            clock.monotonicSeconds - clock.now.minutes(since: $0) * 60
        }
    }

    /// Runs until the task is cancelled or a time is reached.
    ///
    /// - Throws: `CancellationError`; an error of the forecast itself, which the ``AppStateModel`` then shows.
    ///   Feeds and the disk may fail, and others may keep the forecaster busy, without ending it.
    public func run(until end: Timestamp? = nil) async throws {
        do {
            try await keepUp(until: end)
        } catch InferenceError.cancelled {
            throw CancellationError()
        } catch let error as CancellationError { throw error } catch {
            let result = RecoveryResult.criticalFailure(message: "\(error)")
            await show(phase: .failed, RefreshFailure(reason: "\(error)", recovery: result))
            if let failure = error as? any Failure {
                parts.diagnostics?.note(
                    failure, "the forecast failed", from: "forecast", result,
                    at: parts.clock.now)
            }
            notify()
            throw error
        }
    }

    private func keepUp(until end: Timestamp?) async throws {
        if shown.update == nil { try await begin() }
        var dueSeconds = parts.clock.monotonicSeconds
        while end.map({ parts.clock.now < $0 }) ?? true {
            try await refresh()
            let raised = BridgeIndex.all.contains { tracker.state(of: $0).isRaised }
            let seconds = health.nextSeconds(parts.interval, isAnyRaised: raised)
            // Counted from when it was due, so that the work in between does not add up to a drift. One that was sent late
            // counts from when it was sent: counted from when it was due, the next would be refused as too early, and be
            // missing.
            let sentSeconds = requestedAtSeconds ?? dueSeconds
            let isLate = sentSeconds - dueSeconds > Self.toleratedDelaySeconds
            let next = seconds.map { (isLate ? sentSeconds : dueSeconds) + Double($0) } ?? .infinity
            dueSeconds = max(next, parts.clock.monotonicSeconds)
            try await wait(seconds: dueSeconds - parts.clock.monotonicSeconds, until: end)
        }
    }

    /// Shows the forecast without live states: climatology is there at once, and the first reading finds everything warm.
    private func begin() async throws {
        let now = parts.clock.now
        if let fallback = PerformanceFallback.current {
            parts.log.warning("slower kernels", metadata: ["reason": "\(fallback)"])
            parts.diagnostics?.note(
                fallback, "\(fallback)", from: "kernels",
                Self.storeRecovery.result(after: fallback, failures: 1), at: now)
        }
        await show(phase: .loading, nil, isLoading: true)
        await updateRecords(now)
        try await unlessOverloaded {
            let first = try await forecast(now)
            await publish(first, [], before: nil, nil)
            try await publishRoutes(first)
        }
    }

    /// Waits, at most until a time; if the states become too old meanwhile, they are withdrawn.
    private func wait(seconds: Double, until end: Timestamp?) async throws {
        let clock = parts.clock
        let left = end.map { Double($0.secondsSinceEpoch - clock.now.secondsSinceEpoch) }
        let wake = clock.monotonicSeconds + min(seconds, left ?? .infinity)
        while let stale = staleSeconds, stale > clock.monotonicSeconds, stale < wake {
            try await clock.sleep(untilMonotonicSeconds: stale)
            // A refresh by hand may have brought a reading meanwhile.
            guard staleSeconds == stale else { continue }
            await checkClock()
            let feed = shown.feeds.first { $0.id == parts.bridges.name }
            try await age(
                isStale: true, problem: shown.failure?.reason,
                publicProblem: feed?.publicProblem, shown.failure)
        }
        try await clock.sleep(untilMonotonicSeconds: wake)
    }

    /// When the last reading is too old to count; nil before the first.
    private var staleSeconds: Double? {
        readAtSeconds.map { $0 + LiveSnapshot.freshness.lifetimeSeconds }
    }

    /// Notices that the system's clock was set: what was observed ends there, and coverage after the new time is revoked.
    private func checkClock() async {
        let now = parts.clock.now
        guard let shift = watchdog.shiftSeconds(parts.clock) else { return }
        counts.clockShifts += 1
        readAtSeconds = nil
        let step = tracker.clockWasSet(to: now)
        await updateModels { $0.clockWasSet() }
        await report(ClockWatchdog.description(shift), at: now)
        await store(step, now)
    }

    /// Brings everything up to date now, unless a refresh is under way or the last began less than
    /// ``RefreshInterval/minSeconds`` ago.
    ///
    /// - Throws: As ``run(until:)``.
    public func refresh() async throws {
        guard parts.clock.havePassed(Double(RefreshInterval.minSeconds), since: requestedAtSeconds)
        else {
            return
        }
        guard !isRefreshing else { return }
        isRefreshing = true
        defer { isRefreshing = false }
        await checkClock()
        await updateRecords(parts.clock.now)
        requestedAtSeconds = parts.clock.monotonicSeconds
        counts.requests += 1
        let answer: BridgeFeedAnswer?
        do {
            answer = try await parts.bridges.answer()
        } catch {
            try await fail(try FeedError(error, feed: parts.bridges.name))
            answer = nil
        }
        if let answer { try await take(answer) }
        // After the bridges: a slow traffic feed must not make their readings late.
        await updateTraffic()
        if let status = parts.archiver?.status { await show(feed: status) }
        notifyOfFeeds()
        if let last = tracker.lastReadingAt {
            Gauge(label: "bridgecast_feed_age_seconds", dimensions: [("feed", parts.bridges.name)])
                .record(parts.clock.now.minutes(since: last) * 60)
        }
    }

    /// Forecasts and publishes what is known once more, for example with a model that has just been loaded.
    ///
    /// - Throws: As ``run(until:)``.
    public func forecastAgain() async throws {
        guard let before = shown.update else { return }
        try await unlessOverloaded {
            let readings = tracker.lastReadingAt
            let update = try await forecaster.update(
                tracker.snapshot, traffic: traffic, at: parts.clock.now)
            counts.batches += 1
            // A reading that arrived meanwhile has been forecast from and published already.
            guard tracker.lastReadingAt == readings else { return }
            shown.show(update)
            await publish(update, [], before: before, nil)
            try await publishRoutes(update)
        }
    }
}

// MARK: - Readings, failures and ageing

extension LiveService {
    /// Forecasts and publishes; if the forecaster is too busy, what was shown stays until the next time.
    private func unlessOverloaded(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as InferenceError {
            guard error.kind == .busy else { throw error }
            parts.log.warning("no forecast", metadata: ["reason": "\(error)"])
            await show(
                phase: shown.phase,
                RefreshFailure(
                    reason: "\(error)", recovery: FeedHealth().recovery(from: error, parts.interval)
                ))
        }
    }

    /// Takes a reading in: what changed is forecast and published, then stored.
    private func take(_ answer: BridgeFeedAnswer) async throws {
        await checkClock()
        let now = answer.reading.receivedAt
        readAtSeconds = parts.clock.monotonicSeconds
        let isFirst = tracker.lastReadingAt == nil
        var step = tracker.apply(answer.reading)
        if let before = publishedBefore {
            step.changes = tracker.changes(since: before, at: tracker.lastReadingAt ?? now)
            publishedBefore = nil
        }
        let wasFailing = health.answered(seconds: requestSeconds) == .recovered
        if wasFailing || counts.requests == 1 {
            // The error may be of an earlier run of the program.
            parts.diagnostics?.noteRecovery(of: parts.bridges.name)
        }
        parts.diagnostics?.note(
            feed: parts.bridges.name, problem: nil, isReachable: true, health.condition, at: now)
        _ = shown.turn(isStale: false)
        let frozen = tracker.isFrozen ? "frozen: no bridge has moved for 12 hours" : nil
        let condition = LiveCondition(
            feed: FeedStatus(
                id: parts.bridges.name, fetchedAt: now, problem: frozen, publicProblem: frozen),
            phase: frozen == nil ? .ready : .stale(since: tracker.lastMovementAt ?? now))
        if shown.isDue(at: now) || shown.isAhead(of: now) || !step.changes.isEmpty || wasFailing {
            let before = isFirst ? nil : shown.update
            try await unlessOverloaded {
                let update = try await forecast(now)
                await publish(update, step.changes, before: before, condition)
                if !step.changes.isEmpty { measure(answer.arrival) }
                try await publishRoutes(update)
            }
        } else {
            await publish(condition)
        }
        counts.changes += step.changes.count
        if wasFailing { await report("the live feed is back", at: now) }
        await store(step, now)
    }

    /// One inference batch for all that is known at a time; its result counts as shown.
    private func forecast(_ now: Timestamp) async throws -> LiveUpdate {
        let update = try await forecaster.update(tracker.snapshot, traffic: traffic, at: now)
        counts.batches += 1
        shown.show(update)
        return update
    }

    private func publishRoutes(_ update: LiveUpdate) async throws {
        if let ranking = try await forecaster.ranking(update) { await publish(ranking) }
    }

    private func measure(_ arrival: ContinuousClock.Instant) {
        let elapsed = arrival.duration(to: .now)
        Timer(label: "bridgecast_change_to_models_seconds").record(duration: elapsed)
        if counts.latencies.count >= Self.maxLatencies { counts.latencies.removeFirst() }
        counts.latencies.append(elapsed / .seconds(1))
    }

    /// How long the request that has just ended took.
    private var requestSeconds: Double {
        parts.clock.monotonicSeconds - (requestedAtSeconds ?? parts.clock.monotonicSeconds)
    }

    /// Keeps what was shown until it is too old to be believed; then the states are unknown.
    private func fail(_ error: FeedError) async throws {
        let now = parts.clock.now
        counts.failures += 1
        counts.feedProblem = "\(error)"
        health.failed(error, seconds: requestSeconds)
        parts.log.warning(
            "feed failed",
            metadata: [
                "feed": "\(parts.bridges.name)", "reason": "\(error)",
                "in_a_row": "\(health.failures)",
            ])
        if health.failures == 1 { await report("the live feed failed: \(error)", at: now) }
        let isStale =
            tracker.lastReadingAt.map { LiveSnapshot.freshness.isStale($0, at: now) } ?? true
        let failure = RefreshFailure(
            reason: "\(error)", recovery: health.recovery(from: error, parts.interval))
        parts.diagnostics?.note(
            error, error.publicDescription, from: parts.bridges.name, failure.recovery, at: now)
        parts.diagnostics?.note(
            feed: parts.bridges.name, problem: error.publicDescription,
            isReachable: error.isAnswer, health.condition, at: now)
        try await age(
            isStale: isStale, problem: error.description, publicProblem: error.publicDescription,
            failure)
    }

    /// Forecasts again if what is shown has become too old, with what is still known.
    private func age(
        isStale: Bool, problem: String?, publicProblem: String?, _ failure: RefreshFailure?
    ) async throws {
        let now = parts.clock.now
        let condition = LiveCondition(
            feed: FeedStatus(
                id: parts.bridges.name, fetchedAt: tracker.lastReadingAt, problem: problem,
                publicProblem: publicProblem), phase: phase(isStale: isStale), failure: failure)
        let isDue = shown.isDue(at: now)
        guard shown.turn(isStale: isStale) || isDue else { return await publish(condition) }
        let before = shown.update
        try await unlessOverloaded {
            let update = try await forecast(now)
            await publish(
                update, ShownState.lost(before, update, at: now), before: before, condition)
            try await publishRoutes(update)
        }
    }

    private func phase(isStale: Bool) -> AppPhase {
        guard isStale else { return .ready }
        return tracker.lastReadingAt.map { .stale(since: $0) } ?? .failed
    }
}
