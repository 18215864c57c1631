// The live pipeline: feed to tracker to store, to forecast, to the models that everybody watches.
// Belongs here: the running pipeline and what drives it; not: feeds of a network (BridgecastFeeds) or drawing
// (BridgecastCLI).
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
    let parts: LiveParts
    let forecaster: LiveForecaster
    let app: AppStateModel
    let publisher: LivePublisher

    var tracker = BridgeTracker()
    var traffic = LiveTraffic()
    var shown = ShownForecast()
    var health = FeedHealth()
    private var lastRequestAt: Timestamp?
    var storedAt: Timestamp?
    var trafficAt: Timestamp?
    var recordsOf: CivilDate?
    private var isRefreshing = false

    /// What has happened so far.
    public internal(set) var counts = Counts()

    /// Creates a service.
    ///
    /// - Throws: ``HistoryStoreError`` if the store cannot be read.
    public init(
        _ parts: LiveParts, forecaster: LiveForecaster, app: AppStateModel
    ) throws(HistoryStoreError) {
        (self.parts, self.forecaster, self.app) = (parts, forecaster, app)
        publisher = LivePublisher(app, parts)
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
        if shown.update == nil {
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
            let raised = BridgeIndex.all.contains { tracker.state(of: $0).isRaised }
            let seconds = health.nextSeconds(parts.interval, isAnyRaised: raised)
            // Counted from when it was due, so that the work in between does not add up to a drift.
            let next = seconds.map { due.adding(seconds: $0) } ?? .latest
            due = max(next, parts.clock.now)
            try await wait(until: end.map { min($0, due) } ?? due)
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
        await publisher.tellFeeds()
        let age = tracker.lastReadingAt.map { parts.clock.now.minutes(since: $0) * 60 }
        if let age {
            Gauge(
                label: "bridgecast_feed_age_seconds", dimensions: [("feed", parts.bridges.name)]
            ).record(age)
        }
    }

    /// Forecasts and shows what is known once more: by a model that has just been loaded, above all.
    ///
    /// - Throws: As ``run(until:)``.
    public func forecastAgain() async throws {
        guard let before = shown.update else { return }
        try await unlessOverloaded {
            let readings = tracker.lastReadingAt
            let update = try await forecaster.update(
                tracker.snapshot, traffic: traffic, at: parts.clock.now)
            counts.batches += 1
            // A reading that came meanwhile was forecast from, and shown, by itself.
            guard tracker.lastReadingAt == readings else { return }
            shown.show(update)
            await publisher.publish(update, [], before: before, nil)
            try await publishRoutes(update)
        }
    }

    /// Waits, and takes states back when they become too old meanwhile.
    private func wait(until moment: Timestamp) async throws {
        if let last = tracker.lastReadingAt {
            let stale = LiveSnapshot.freshness.end(of: last)
            if stale > parts.clock.now, stale < moment {
                try await parts.clock.sleep(until: stale)
                let failure = await app.error
                let feed = await app.feeds.first { $0.id == parts.bridges.name }
                try await age(
                    isStale: true, problem: failure?.reason, publicProblem: feed?.publicProblem,
                    failure)
            }
        }
        try await parts.clock.sleep(until: moment)
    }
}
