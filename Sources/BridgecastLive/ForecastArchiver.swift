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
    /// The clock of the forecasts at the last look at it.
    private var clockSeen: Timestamp?
    /// The hour of the clock, counted from the epoch.
    private var prunedInHour: Int64?

    /// What an archiver works with.
    public struct Parts: Sendable {
        /// The file; opened with the first forecast.
        public var open: @Sendable () throws(ForecastArchiveError) -> ForecastArchive
        /// All openings that are known now, with their coverage.
        public var outcomes: @Sendable () throws -> OpeningHistory
        /// The clock of the forecasts.
        public var clock: any WallClock
        /// How long forecasts are kept, days; nil for ever.
        public var days: Int?
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
        /// What to tell everybody of it; nil without any.
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

        /// For all callers of the service.
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
        var scoresAtEnd = true
        var report: VerificationReport?
    }

    private enum Event: Sendable {
        case issued(ArchivedIssue, by: ArchivedModel)
        /// Some seconds have passed.
        case tick
    }

    /// Outcomes are read at most this often, seconds of the clock.
    private static let scoringSeconds: Int64 = 900
    /// After a scoring this many times its duration passes before the next.
    private static let restFactor = 100
    /// The clock of the forecasts is looked at this often: that of a replay stops at its end, and then what is new is scored.
    private static let tickSeconds = 5.0
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
        // A kilobyte or so: a replay at full speed may be days ahead of the disk.
        if isNew { input.yield(.issued(ArchivedIssue(update), by: model)) }
    }

    /// Archives and scores until ``finish(scoring:)``; then everything offered is written, and the archive is closed.
    public nonisolated func run() async {
        let ticks = Task { [input] in
            while true {
                try await Task.sleep(for: .seconds(Self.tickSeconds))
                input.yield(.tick)
            }
        }
        let work = Task(executorPreference: Self.executor) { await self.work() }
        await work.value
        ticks.cancel()
    }

    /// Ends ``run()`` when all that was offered is archived.
    ///
    /// - Parameter scoring: Whether to bring the scores up to date first. Who reads the archive does so too.
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
                if isScoringDue { score() }
            case .tick:
                let now = parts.clock.now
                if now == clockSeen, hasUnscored { score() }
                clockSeen = now
            }
        }
        if shown.withLock({ $0.scoresAtEnd }) { score() }
        archive?.close()
        archive = nil
    }

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
        let hour = now.secondsSinceEpoch / 3_600
        guard let days = parts.days, prunedInHour != hour else { return }
        prunedInHour = hour
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
        defer { mayScoreAt = .now + begun.duration(to: .now) * Self.restFactor }
        let now = parts.clock.now
        scoredAt = now
        hasUnscored = false
        guard let archive = archiveOrFailure() else { return }
        do {
            let report = try archive.report(
                of: try parts.outcomes(), at: now, reference: parts.reference)
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
