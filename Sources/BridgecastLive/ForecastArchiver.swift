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
    private let input: AsyncStream<Event>.Continuation
    private let events: AsyncStream<Event>
    private nonisolated let shown = Mutex(Shown())

    private var archive: ForecastArchive?
    private var scoredAt: Timestamp?
    /// When the next scoring may begin, so that scoring takes a small share of a core however fast a replay runs.
    private var mayScoreAt = ContinuousClock.now
    /// Whether forecasts were archived since the last scoring.
    private var hasUnscored = false
    /// When a scoring that failed may be tried again although nothing new was issued.
    private var mayRetryAt = ContinuousClock.now
    /// The clock of the forecasts at the previous tick.
    private var clockAtTick: Timestamp?
    /// The quarter of a day, counted from the epoch, in which old forecasts were removed last.
    private var prunedInQuarter: Int64?

    /// What an archiver works with.
    public struct Parts: Sendable {
        /// The file; opened when ``ForecastArchiver/run()`` begins.
        public var open: @Sendable () throws(ForecastArchiveError) -> ForecastArchive
        /// All openings that are known now, with their coverage.
        public var outcomes: @Sendable () throws -> OpeningHistory
        /// The clock of the forecasts.
        public var clock: any WallClock
        /// How long forecasts are kept, days; nil for ever.
        public var days: Int?
        /// Seconds between two ticks; a replay's clock has stopped if two in a row have the same time.
        package var tickSeconds = 5.0
        /// After a scoring this many times its duration passes before the next.
        package var restFactor = 100
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
        /// Why each job failed last, for those that did not succeed since.
        public fileprivate(set) var problems: [Job: String] = [:]
        /// The problem of the most important job; nil without any.
        public var problem: String? { failing.flatMap { problems[$0] } }
        /// The problem as clients see it; nil without any.
        package var publicProblem: String? { failing?.publicProblem }
        private var failing: Job? { Job.allCases.first { problems[$0] != nil } }
    }

    /// What can fail, each by itself; the most important first.
    public enum Job: CaseIterable, Sendable {
        case archiving, scoring, pruning

        /// For the log.
        fileprivate var failure: Logger.Message {
            switch self {
            case .archiving: "forecasts not archived"
            case .scoring: "forecasts not scored"
            case .pruning: "old forecasts not removed"
            }
        }

        /// As clients see it.
        fileprivate var publicProblem: String {
            switch self {
            case .archiving: "forecasts cannot be archived"
            case .scoring: "forecasts cannot be scored"
            case .pruning: "old forecasts cannot be removed from the archive"
            }
        }
    }

    private struct Shown {
        var counts = Counts()
        var hasFailed = false
        var lastArchivedAt: Timestamp?
        var offeredSlot: Int64?
        /// Whether to score at the end; nil before ``ForecastArchiver/finish(scoring:)``.
        var scoresAtEnd: Bool?
        var report: VerificationReport?
    }

    private enum Event: Sendable {
        case issued(ArchivedIssue, by: ArchivedModel)
        /// Some seconds have passed; the clock of the forecasts.
        case tick(Timestamp)
    }

    /// Outcomes are read at most this often, seconds of the clock.
    private static let scoringSeconds: Int64 = 900
    private static let retrySeconds = 60
    private static let pruningSeconds: Int64 = 6 * 3600
    private static let executor = ComputeExecutor(threads: 1, name: "bridgecast-archive")

    /// Creates an archiver; ``run()`` does its work.
    public init(_ parts: Parts) {
        self.parts = parts
        (events, input) = AsyncStream.makeStream()
    }

    /// Offers a forecast; the first of every five minutes is archived.
    public nonisolated func offer(_ update: LiveUpdate, by model: ArchivedModel) {
        let slot = ArchivedIssue.slot(of: update.issueTime)
        let isNew = shown.withLock { shown in
            defer { shown.offeredSlot = slot }
            return shown.offeredSlot != slot
        }
        // Packed now: an update that waits would keep its whole table, and a replay may be days ahead of the disk.
        if isNew { input.yield(.issued(ArchivedIssue(update), by: model)) }
    }

    /// Archives and scores until ``finish(scoring:)``; then everything offered is written, and the archive is closed.
    public nonisolated func run() async {
        let ticks = Task { [input, parts] in
            while true {
                try await Task.sleep(for: .seconds(parts.tickSeconds))
                input.yield(.tick(parts.clock.now))
            }
        }
        let work = Task(executorPreference: Self.executor) { await self.work() }
        await work.value
        ticks.cancel()
    }

    /// Ends ``run()`` when all that was offered is archived.
    ///
    /// - Parameter scoring: Whether to bring the scores up to date first; `verify` does so when it reads.
    public nonisolated func finish(scoring: Bool = true) {
        shown.withLock { $0.scoresAtEnd = scoring }
        input.finish()
    }

    /// What has been archived so far.
    public nonisolated var counts: Counts { shown.withLock { $0.counts } }

    /// The scores as of the last scoring; nil before the first.
    package nonisolated var report: VerificationReport? { shown.withLock { $0.report } }

    /// How the archive is doing; nil if it has never failed.
    nonisolated var status: FeedStatus? {
        shown.withLock { shown in
            guard shown.hasFailed else { return nil }
            return FeedStatus(
                id: "archive", fetchedAt: shown.lastArchivedAt, problem: shown.counts.problem,
                publicProblem: shown.counts.publicProblem)
        }
    }

    private func work() async {
        score()
        for await event in events {
            switch event {
            case .issued(let issue, by: let model):
                take(issue, by: model)
                if isScoringDue, !isEnding { score() }
            case .tick(let time):
                // At the end of a replay its clock stops.
                let isStopped = time == clockAtTick
                clockAtTick = time
                if isStopped, hasUnscored, ContinuousClock.now >= mayRetryAt, !isEnding { score() }
            }
        }
        if shown.withLock({ $0.scoresAtEnd ?? true }) { score() }
        archive?.close()
        archive = nil
    }

    private var isEnding: Bool { shown.withLock { $0.scoresAtEnd != nil } }

    private func take(_ issue: ArchivedIssue, by model: ArchivedModel) {
        do {
            let archive = try opened()
            let isNew = try archive.add(issue, by: model)
            hasUnscored = hasUnscored || isNew
            shown.withLock { shown in
                shown.counts.problems[.archiving] = nil
                guard isNew else {
                    shown.counts.repeated += 1
                    return
                }
                shown.counts.archived += 1
                shown.lastArchivedAt = issue.issueTime
            }
            prune(archive)
        } catch {
            fail(.archiving, error)
            shown.withLock { $0.counts.failed += 1 }
        }
    }

    private func opened() throws -> ForecastArchive {
        if let archive {
            guard archive.isRemoved else { return archive }
            archive.close()
            self.archive = nil
            parts.log.warning("the archive was removed; a new one is begun")
        }
        let opened = try parts.open()
        archive = opened
        return opened
    }

    private func archiveOrFailure() -> ForecastArchive? {
        do { return try opened() } catch {
            fail(.archiving, error)
            return nil
        }
    }

    private func prune(_ archive: ForecastArchive) {
        let now = parts.clock.now
        let quarter = now.secondsSinceEpoch / Self.pruningSeconds
        guard let days = parts.days, prunedInQuarter != quarter else { return }
        prunedInQuarter = quarter
        do {
            try archive.prune(before: now.adding(seconds: -Int64(days) * 86_400))
            shown.withLock { $0.counts.problems[.pruning] = nil }
        } catch {
            fail(.pruning, error)
        }
    }

    private var isScoringDue: Bool {
        guard let scoredAt else { return true }
        let age = parts.clock.now.secondsSinceEpoch - scoredAt.secondsSinceEpoch
        return abs(age) >= Self.scoringSeconds && ContinuousClock.now >= mayScoreAt
    }

    private func score() {
        guard archive != nil || shown.withLock({ $0.report == nil }) else { return }
        let begun = ContinuousClock.now
        defer { mayScoreAt = .now + begun.duration(to: .now) * parts.restFactor }
        let now = parts.clock.now
        scoredAt = now
        guard let archive = archiveOrFailure() else { return }
        do {
            let report = try archive.report(
                of: try parts.outcomes(), at: now, reference: parts.reference)
            hasUnscored = false
            shown.withLock { shown in
                shown.report = report
                shown.counts.problems[.scoring] = nil
                shown.counts.scorings += 1
            }
        } catch {
            fail(.scoring, error)
        }
    }

    private func fail(_ job: Job, _ error: any Error) {
        mayRetryAt = .now + .seconds(Self.retrySeconds)
        let reason = "\(error)"
        let isNew = shown.withLock { shown in
            defer {
                shown.counts.problems[job] = reason
                shown.hasFailed = true
            }
            return shown.counts.problems[job] != reason
        }
        // A full disk fails every time: it is logged once.
        if isNew { parts.log.error(job.failure, metadata: ["reason": "\(reason)"]) }
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
