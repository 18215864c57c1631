// What a replica shows: the publications in the log, or, while there are none, what it knew last.
internal import Bridgecast
internal import BridgecastLive
internal import BridgecastSupport
internal import Logging

/// Reads the log that the replicas share and publishes what is in it.
///
/// Each publication is forecast again with this replica's own model; events are sent with their numbers in the log, so that
/// a client may go on at any replica. While nothing arrives, what was known last is forecast again every minute, with its
/// age, without events.
actor ReplicaFollower {
    private let state: ServiceState
    private let log: any ReplicaLog
    private let forecaster: LiveForecaster
    private let publisher: SnapshotPublisher

    private var logID: String?
    /// The last entry that was read; nil before the first.
    private var lastEntry: ReplicaEntry?
    private var waiters: [(sequence: Int64, resume: AsyncStream<Void>.Continuation)] = []
    /// The newest in the log.
    private var publication: ReplicaPublication?
    private var update: LiveUpdate?
    private var shownAtSeconds: Double?
    /// The last term in which this replica polled, and the log's id: what that has of it has been shown already.
    private var ownTerm: (number: Int64, logID: String?)?
    private var isPolling = false
    /// Why the log cannot be read; nil if it can.
    private var problem: String?

    /// Beyond the minute in which the replica that polls forecasts again, seconds.
    static let defaultMaxAgeSeconds = 75.0
    private let maxAgeSeconds: Double
    private static let checkSeconds = 5.0
    /// The name of the log among the feeds.
    private static let feed = "replicas"
    private static let unreadable = "the database of the replicas cannot be read"
    private static let silence = "no replica has published for over a minute"
    static let recovery = RecoveryPolicy(
        Backoff(firstSeconds: 0.5, maxSeconds: 5, randomShare: 0.5))

    /// - Parameter maxAgeSeconds: What is older is forecast again as of now, by the service's clock.
    init(
        _ state: ServiceState, log: any ReplicaLog, forecaster: LiveForecaster,
        publisher: SnapshotPublisher, maxAgeSeconds: Double
    ) {
        self.maxAgeSeconds = maxAgeSeconds
        self.state = state
        self.log = log
        self.forecaster = forecaster
        self.publisher = publisher
    }

    // MARK: - Reading

    /// Reads the log until the task is cancelled; when the connection is lost, it is made again.
    func follow() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                // The last one again: it shows whether this is still the log that it was.
                for try await batch in log.batches(after: lastEntry.map { $0.sequence - 1 }) {
                    try await take(batch)
                    failures = 0
                }
            } catch is CancellationError { return } catch is OtherLog {
                try? await Task.sleep(for: .seconds(Self.waitSeconds(1)))
            } catch {
                failures += 1
                await lose(error)
                try? await Task.sleep(for: .seconds(Self.waitSeconds(failures)))
            }
        }
    }

    static func waitSeconds(_ failures: Int) -> Double {
        recovery.backoff.seconds(failures: failures, random: .random(in: 0..<1))
    }

    /// Waits until an entry of the log has been read.
    ///
    /// - Throws: `CancellationError`.
    func wait(for sequence: Int64) async throws {
        if sequence <= lastSequence { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        waiters.append((sequence, continuation))
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// The log has been replaced, or has lost its end: it is read anew.
    private struct OtherLog: Error {}

    private func take(_ batch: ReplicaBatch) async throws {
        try await checkLog(of: batch)
        // A reader that begins gets older entries for their events: it shows only the newest publication.
        let isBeginning = lastEntry == nil
        let news = batch.entries.filter { $0.sequence > lastSequence }.map { ($0, record(of: $0)) }
        if !isBeginning, news.contains(where: { $0.1?.has(.transit) ?? false }) {
            await readBuses()
        }
        var newest: ReplicaPublication?
        for (entry, record) in news {
            let publication = record.flatMap { take($0, of: entry, in: batch.logID) }
            if !isBeginning, let publication, isRecent(publication) { await show(publication) }
            newest = publication ?? newest
            lastEntry = entry
        }
        if let newest, isBeginning || !isRecent(newest) {
            if isRecent(newest) { await show(newest) } else { await showAlone() }
        }
        for waiter in waiters where waiter.sequence <= lastSequence { waiter.resume.finish() }
        waiters.removeAll { $0.sequence <= lastSequence }
    }

    /// Finds out whether a batch is of the log that was read before.
    ///
    /// - Throws: ``OtherLog`` if it is not.
    private func checkLog(of batch: ReplicaBatch) async throws {
        if batch.logID == logID, hasLostItsEnd(batch) {
            // Clients have numbers of events that are gone: under another id, they begin again.
            try await log.replaceID(batch.logID)
            throw OtherLog()
        }
        let isOther = batch.logID != logID && lastEntry != nil
        logID = batch.logID
        if isOther {
            lastEntry = nil
            throw OtherLog()
        }
        guard problem != nil else { return }
        problem = nil
        state.log.info("the log of the replicas is read again")
        state.parts.live.diagnostics?.noteRecovery(of: Self.feed)
    }

    /// Reads what the replica that polls has of buses and trains, before its clients are sent an event about that.
    private func readBuses() async {
        // Who polls would request the feeds themselves.
        guard !isPolling, state.replicas?.term == nil else { return }
        await state.transit?.readShared()
    }

    private var lastSequence: Int64 { lastEntry?.sequence ?? 0 }

    /// Whether entries that were read are gone, or others have their numbers.
    private func hasLostItsEnd(_ batch: ReplicaBatch) -> Bool {
        batch.lastSequence < lastSequence
            || batch.entries.contains { $0.sequence == lastSequence && $0 != lastEntry }
    }

    /// What is in an entry; nil if that cannot be read, which the log of this program then says.
    private func record(of entry: ReplicaEntry) -> ReplicaRecord? {
        do {
            return try ReplicaRecord(entry.body)
        } catch {
            state.log.error(
                "entry of the replicas not read",
                metadata: ["sequence": "\(entry.sequence)", "reason": "\(error)"])
            return nil
        }
    }

    /// Sends the events of an entry.
    ///
    /// - Returns: Its publication, unless this replica has shown that itself.
    private func take(
        _ record: ReplicaRecord, of entry: ReplicaEntry, in logID: String
    ) -> ReplicaPublication? {
        if let publication = record.publication { self.publication = publication }
        for (offset, event) in record.sent.enumerated() {
            guard let name = EventName(rawValue: event.name) else { continue }
            state.events.send(
                ServiceEvent(name, Array(event.json.utf8)),
                number: Int(entry.firstEvent) + offset, of: logID)
        }
        let isOwn = ownTerm.map { $0.number == entry.term && $0.logID == logID } ?? false
        return isOwn ? nil : record.publication
    }

    /// Whether a publication is not older than one may be before it is forecast again.
    private func isRecent(_ publication: ReplicaPublication) -> Bool {
        state.now.minutes(since: publication.issueTime) * 60 <= maxAgeSeconds
    }

    // MARK: - Showing

    /// Shows a publication of another replica.
    private func show(_ publication: ReplicaPublication) async {
        let isSame = update?.issueTime == publication.issueTime && !publication.isForecastNew
        let made = isSame ? update : await forecast(publication, at: publication.issueTime)
        // A term may have begun meanwhile.
        guard let shown = made ?? update, !isPolling else { return }
        update = shown
        let news = publication.news(shown)
        _ = publisher.publish(news)
        state.parts.bridgeListener?(news)
        shownAtSeconds = state.parts.live.clock.monotonicSeconds
    }

    /// A forecast from what was known; nil if there is none, which the log then says.
    private func forecast(
        _ publication: ReplicaPublication?, at issueTime: Timestamp
    ) async -> LiveUpdate? {
        do {
            try await forecaster.useRecords(at: state.now, from: state.parts.live.records)
        } catch {
            state.log.error("records not read", metadata: ["reason": "\(error)"])
        }
        do {
            return try await forecaster.update(
                publication?.tracker.snapshot,
                densities: publication?.traffic ?? TrafficDensity(), at: issueTime)
        } catch {
            state.log.warning("no forecast", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func lose(_ error: any Error) async {
        let isNew = problem == nil
        problem = "\(error)"
        guard isNew else { return }
        state.log.error("the log of the replicas is lost", metadata: ["reason": "\(error)"])
        if let failure = error as? any Failure {
            state.parts.live.diagnostics?.note(
                failure, Self.unreadable, from: Self.feed,
                Self.recovery.result(after: failure, failures: 1), at: state.now)
        }
        await showAlone()
    }

    /// Forecasts again what was known last, whenever nothing has been shown for too long, until the task is cancelled.
    func keepCurrent() async {
        let clock = state.parts.live.clock
        while (try? await Task.sleep(for: .seconds(Self.checkSeconds))) != nil {
            let isOld = clock.havePassed(maxAgeSeconds, since: shownAtSeconds)
            if isOld { await showAlone() }
        }
    }

    /// Shows what was known last, as of now.
    private func showAlone() async {
        guard !isPolling else { return }
        let before = shownAtSeconds
        // A publication may arrive, or a term begin, meanwhile.
        guard let made = await forecast(publication, at: state.now), shownAtSeconds == before,
            !isPolling
        else { return }
        update = made
        let status = FeedStatus(
            id: Self.feed, fetchedAt: publication?.publishedAt,
            problem: problem ?? Self.silence,
            publicProblem: problem == nil ? Self.silence : Self.unreadable)
        _ = publisher.publish(LiveNews(again: publication, made, feed: status))
        shownAtSeconds = state.parts.live.clock.monotonicSeconds
    }

    /// Forecasts with a model that has just been loaded.
    func forecastAgain() async {
        guard !isPolling, let publication else { return }
        update = nil
        await show(publication)
    }

    // MARK: - Polling

    /// What the log has last, with a forecast made from it; nil if the log is empty.
    ///
    /// From now on, this replica publishes.
    func begin(term: Int64) async -> LiveNews? {
        ownTerm = (term, logID)
        isPolling = true
        guard let publication else { return nil }
        return await forecast(publication, at: publication.issueTime).map { publication.news($0) }
    }

    func endTerm() async {
        guard isPolling else { return }
        isPolling = false
        shownAtSeconds = state.parts.live.clock.monotonicSeconds
        // What this replica has shown itself does not say that the log was lost meanwhile.
        if problem != nil { await showAlone() }
    }
}

extension ReplicaRecord {
    fileprivate func has(_ name: EventName) -> Bool { sent.contains { $0.name == name.rawValue } }
}
