// What is shown, and how it ages: what a reading, a failure or too long a silence makes of the models.
internal import Bridgecast
internal import BridgecastData
internal import Logging
private import Metrics

extension LiveService {
    /// Forecasts age: a new one is made at least this often, seconds.
    private static let forecastSeconds: Int64 = 60
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
                    reason: "\(error)", recovery: nextTry(failures: 1, restSeconds: nil)),
                isLoading: false)
        }
    }

    /// Takes a reading in: what changed is forecast and shown, then stored.
    func take(_ answer: BridgeFeedAnswer) async throws {
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

    /// One inference batch for all that is known at a moment; what comes of it counts as shown.
    func forecast(_ now: Timestamp) async throws -> LiveUpdate {
        let update = try await forecaster.update(tracker.snapshot, traffic: traffic, at: now)
        counts.batches += 1
        shown = update
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
        failures += 1
        rest = error.retryAfterSeconds
        parts.log.warning(
            "feed failed",
            metadata: [
                "feed": "\(parts.bridges.name)", "reason": "\(error)", "in_a_row": "\(failures)",
            ])
        if failures == 1 { await publisher.report(now, "the live feed failed: \(error)") }
        let isStale =
            tracker.lastReadingAt.map { LiveSnapshot.freshness.isStale($0, at: now) } ?? true
        let failure = RefreshFailure(reason: "\(error)", recovery: recovery(error))
        try await age(isStale: isStale, problem: "\(error)", failure)
    }

    /// Brings what has become old up to date with what is still known.
    func age(isStale: Bool, problem: String?, _ failure: RefreshFailure?) async throws {
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
    func nextTry(failures: Int, restSeconds: Double?) -> RefreshRecovery {
        parts.interval.nextSeconds(
            failures: failures, restSeconds: restSeconds, isAnyRaised: false
        ).map { .retryScheduled(after: Double($0)) } ?? .userActionRequired("ask again")
    }
}
