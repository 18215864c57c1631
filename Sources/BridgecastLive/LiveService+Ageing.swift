// What is shown, and how it ages: what a reading, a failure or too long a silence makes of the models.
internal import Bridgecast
internal import BridgecastData
internal import Logging
private import Metrics

extension LiveService {
    /// Latencies that are kept, the newest.
    private static let mostLatencies = 100_000

    /// Forecasts and shows it; if the forecaster is too busy, what was shown stays until the next time.
    func unlessOverloaded(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as InferenceError {
            guard case .overloaded = error else { throw error }
            parts.log.warning("no forecast", metadata: ["reason": "\(error)"])
            await app.set(
                phase: app.phase,
                error: RefreshFailure(
                    reason: "\(error)", recovery: FeedHealth().recovery(parts.interval)),
                isLoading: false)
        }
    }

    /// Takes a reading in: what changed is forecast and shown, then stored.
    func take(_ answer: BridgeFeedAnswer) async throws {
        let now = answer.reading.receivedAt
        let wasFailing = health.failures > 0
        let isFirst = tracker.lastReadingAt == nil
        let step = tracker.apply(answer.reading)
        health.answered()
        _ = shown.turn(isStale: false)
        let frozen = tracker.isFrozen ? "frozen: no bridge has moved for 12 hours" : nil
        let condition = LivePublisher.Condition(
            feed: FeedStatus(
                id: parts.bridges.name, fetchedAt: now, problem: frozen, publicProblem: frozen),
            phase: frozen == nil ? .ready : .stale(since: tracker.lastMovementAt ?? now))
        if shown.isDue(at: now) || shown.isAhead(of: now) || !step.changes.isEmpty || wasFailing {
            let before = isFirst ? nil : shown.update
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

    /// One inference batch for all that is known at a moment; what comes of it counts as shown.
    func forecast(_ now: Timestamp) async throws -> LiveUpdate {
        let update = try await forecaster.update(tracker.snapshot, traffic: traffic, at: now)
        counts.batches += 1
        shown.show(update)
        return update
    }

    /// Ranks the routes, if there are any, and shows the ranking.
    func publishRoutes(_ update: LiveUpdate) async throws {
        if let ranking = try await forecaster.ranking(update) { await publisher.publish(ranking) }
    }

    private func measure(_ arrival: ContinuousClock.Instant) {
        let elapsed = arrival.duration(to: .now)
        Timer(label: "bridgecast_change_to_models_seconds").record(duration: elapsed)
        if counts.latencies.count >= Self.mostLatencies { counts.latencies.removeFirst() }
        counts.latencies.append(elapsed / .seconds(1))
    }

    /// Keeps what was shown, until it is too old to be believed; then nothing is known.
    func fail(_ error: FeedError) async throws {
        let now = parts.clock.now
        counts.failures += 1
        health.failed(error)
        parts.log.warning(
            "feed failed",
            metadata: [
                "feed": "\(parts.bridges.name)", "reason": "\(error)",
                "in_a_row": "\(health.failures)",
            ])
        if health.failures == 1 { await publisher.report(now, "the live feed failed: \(error)") }
        let isStale =
            tracker.lastReadingAt.map { LiveSnapshot.freshness.isStale($0, at: now) } ?? true
        let failure = RefreshFailure(
            reason: "\(error)", recovery: health.recovery(from: error, parts.interval))
        try await age(
            isStale: isStale, problem: error.description, publicProblem: error.publicWords, failure)
    }

    /// Brings what has become old up to date with what is still known.
    func age(
        isStale: Bool, problem: String?, publicProblem: String?, _ failure: RefreshFailure?
    ) async throws {
        let now = parts.clock.now
        let condition = LivePublisher.Condition(
            feed: FeedStatus(
                id: parts.bridges.name, fetchedAt: tracker.lastReadingAt,
                problem: problem, publicProblem: publicProblem),
            phase: phase(isStale: isStale), failure: failure)
        let isDue = shown.isDue(at: now)
        guard shown.turn(isStale: isStale) || isDue else {
            return await publisher.publish(condition)
        }
        let before = shown.update
        try await unlessOverloaded {
            let update = try await forecast(now)
            await publisher.publish(
                update, ShownForecast.lost(before, update, at: now), before: before, condition)
            try await publishRoutes(update)
        }
    }

    private func phase(isStale: Bool) -> AppPhase {
        guard isStale else { return .ready }
        return tracker.lastReadingAt.map { .stale(since: $0) } ?? .failed
    }
}
