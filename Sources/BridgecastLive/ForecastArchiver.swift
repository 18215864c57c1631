// Keeps issued forecasts and their scores, on a thread of its own: a live service only offers what it publishes.
public import Bridgecast
public import BridgecastData
public import BridgecastStore
public import Logging
private import Synchronization

/// Archives one forecast of all bridges in every five minutes, and scores what has come true.
///
/// An archive that cannot be opened or written is logged and shown; it is tried again with the next forecast, and
/// forecasting goes on meanwhile.
public actor ForecastArchiver {
    private let parts: Parts
    private let input: AsyncStream<Offer>.Continuation
    private let offers: AsyncStream<Offer>
    private nonisolated let shown = Mutex(Shown())

    private var archive: ForecastArchive?
    private var scoredAt: Timestamp?
    /// When the next scoring may begin, so that scoring takes a small share of a core however fast a replay runs.
    private var mayScoreAt = ContinuousClock.now
    private var prunedOn: CivilDate?

    /// What an archiver works with.
    public struct Parts: Sendable {
        /// The file; opened with the first forecast.
        public var open: @Sendable () throws(ForecastArchiveError) -> ForecastArchive
        /// All openings that are known now, with their coverage.
        public var outcomes: @Sendable () throws -> OpeningHistory
        /// The clock of the forecasts.
        public var clock: any WallClock
        /// How long forecasts are kept, days.
        public var days = ForecastArchive.defaultDays
        /// The published evaluation, as `bridgecast evaluate --skill` writes it; nil for none.
        package var reference: SkillReference?
        /// Gets a line for every failure.
        public var log: Logger

        /// Creates parts; the other members have their defaults.
        public init(
            clock: any WallClock, log: Logger,
            outcomes: @escaping @Sendable () throws -> OpeningHistory,
            open: @escaping @Sendable () throws(ForecastArchiveError) -> ForecastArchive
        ) {
            self.clock = clock
            self.log = log
            self.outcomes = outcomes
            self.open = open
        }
    }

    /// What has been archived so far.
    public struct Counts: Sendable, Equatable {
        /// Issue times that were written.
        public var archived = 0
        /// Issue times of five minutes that have forecasts already: the clock was set back.
        public var repeated = 0
        /// Issue times that the archive did not take.
        public var failed = 0
        /// How often days were scored.
        public var scorings = 0
        /// Why the archive or the outcomes failed last; nil if they do not.
        public var problem: String?
    }

    private struct Shown {
        var counts = Counts()
        var hasFailed = false
        var lastArchivedAt: Timestamp?
        var offeredSlot: Int64?
        var report: VerificationReport?
    }

    private struct Offer: Sendable {
        let update: LiveUpdate
        let model: ArchivedModel
    }

    /// Outcomes are read at most this often, seconds of the clock.
    private static let scoringSeconds: Int64 = 900
    /// After a scoring this many times its duration passes before the next.
    private static let restFactor = 100
    private static let executor = ComputeExecutor(threads: 1, name: "bridgecast-archive")

    /// Creates an archiver; ``run()`` does its work.
    public init(_ parts: Parts) {
        self.parts = parts
        (offers, input) = AsyncStream.makeStream()
    }

    /// Offers a forecast; the first of every five minutes is archived.
    public nonisolated func offer(_ update: LiveUpdate, by model: ArchivedModel) {
        let slot = ArchivedIssue.slot(of: update.issueTime)
        let isNew = shown.withLock { shown in
            defer { shown.offeredSlot = slot }
            return shown.offeredSlot != slot
        }
        if isNew { input.yield(Offer(update: update, model: model)) }
    }

    /// Archives and scores until ``finish()``; then everything offered is written, scored, and the archive is closed.
    public nonisolated func run() async {
        let work = Task(executorPreference: Self.executor) { await self.work() }
        await work.value
    }

    /// Ends ``run()`` when all that was offered is archived.
    public nonisolated func finish() { input.finish() }

    /// What has been archived so far.
    public nonisolated var counts: Counts { shown.withLock { $0.counts } }

    /// The living skill as of the last scoring; nil before the first.
    package nonisolated var report: VerificationReport? { shown.withLock { $0.report } }

    /// How the archive is doing; nil if it has never failed.
    nonisolated var status: FeedStatus? {
        shown.withLock { shown in
            guard shown.hasFailed else { return nil }
            return FeedStatus(
                id: "archive", fetchedAt: shown.lastArchivedAt, problem: shown.counts.problem,
                publicProblem: shown.counts.problem.map { _ in "forecasts cannot be archived" })
        }
    }

    private func work() async {
        score(isDue: true)
        for await offer in offers {
            take(offer)
            score(isDue: isScoringDue)
        }
        score(isDue: true)
        archive?.close()
        archive = nil
    }

    private func take(_ offer: Offer) {
        do {
            let archive = try opened()
            let isNew = try archive.add(ArchivedIssue(offer.update), by: offer.model)
            prune(archive)
            shown.withLock { shown in
                shown.counts.problem = nil
                guard isNew else {
                    shown.counts.repeated += 1
                    return
                }
                shown.counts.archived += 1
                shown.lastArchivedAt = offer.update.issueTime
            }
        } catch {
            fail(error, "forecasts not archived")
            shown.withLock { $0.counts.failed += 1 }
        }
    }

    private func opened() throws -> ForecastArchive {
        if let archive { return archive }
        let opened = try parts.open()
        archive = opened
        return opened
    }

    private func prune(_ archive: ForecastArchive) {
        let now = parts.clock.now
        let today = SeattleTime.civil(at: now).date
        guard prunedOn != today else { return }
        prunedOn = today
        do {
            try archive.prune(before: now.adding(seconds: -Int64(parts.days) * 86_400))
        } catch {
            fail(error, "old forecasts not removed")
        }
    }

    private var isScoringDue: Bool {
        guard let scoredAt else { return true }
        let age = parts.clock.now.secondsSinceEpoch - scoredAt.secondsSinceEpoch
        return abs(age) >= Self.scoringSeconds && ContinuousClock.now >= mayScoreAt
    }

    private func score(isDue: Bool) {
        guard isDue, archive != nil || shown.withLock({ $0.report == nil }) else { return }
        let begun = ContinuousClock.now
        defer { mayScoreAt = .now + begun.duration(to: .now) * Self.restFactor }
        let now = parts.clock.now
        scoredAt = now
        do {
            let report = try opened().report(
                of: try parts.outcomes(), at: now, reference: parts.reference)
            shown.withLock { shown in
                shown.report = report
                shown.counts.scorings += 1
            }
        } catch {
            fail(error, "forecasts not scored")
        }
    }

    private func fail(_ error: any Error, _ what: Logger.Message) {
        let reason = "\(error)"
        let isNew = shown.withLock { shown in
            defer {
                shown.counts.problem = reason
                shown.hasFailed = true
            }
            return shown.counts.problem != reason
        }
        // A full disk fails every time: it is logged once.
        if isNew { parts.log.error(what, metadata: ["reason": "\(reason)"]) }
    }
}

extension ArchivedIssue {
    /// What an update says of the archived leads, and what its model's climatology does.
    package init(_ update: LiveUpdate) {
        let climatology = update.model.climatology
        let forecasts = BridgeIndex.all.flatMap { bridge in
            Self.leadsMinutes.map { lead in
                let arrival = update.issueTime.adding(minutes: lead)
                let density = update.traffic.density(of: bridge, at: arrival)
                func chance(_ density: Double) -> Double {
                    climatology.climatologicalProbabilityDelayed(
                        at: bridge, arrival: arrival, density: density)
                }
                return ArchivedForecast(
                    raised: (
                        update.table.delayWithin(at: bridge, leadMinutes: lead, queues: false)
                            .probabilityDelayed, chance(0)
                    ),
                    climatologyStopped: chance(density), density: density,
                    delay: update.table.delayWithin(
                        at: bridge, leadMinutes: lead, queues: true))
            }
        }
        let states = BridgeIndex.all.map { update.situation[$0].state }
        self.init(
            issueTime: update.issueTime, isKnown: states.map { $0 != .unknown },
            isRaised: states.map(\.isRaised), forecasts: forecasts)
    }
}
