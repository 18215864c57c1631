// Polls realtime feeds and publishes what comes of them: one request a feed and interval, for any number of readers.
// The feeds themselves are RealtimeSources.
public import BridgecastCore
internal import BridgecastData
internal import BridgecastSupport
private import Synchronization

/// Keeps a timetable up to date.
///
/// Feeds are polled concurrently, and each is published as soon as it has answered: none waits for the slowest. A feed that
/// fails keeps its content, which ages, and is polled less often until it answers again. Snapshots have the feeds in the
/// order in which they were given, whichever answers first.
public actor TransitPoller {
    /// The minimum interval between requests of a feed, seconds.
    public static let minIntervalSeconds = 20.0

    private var timetable: LiveTimetable
    private var feeds: [PolledFeed]
    nonisolated let clock: any WallClock
    private let intervalSeconds: Double
    private let describe: @Sendable (any Error) -> String
    private let listener: @Sendable (TransitNews) -> Void
    private nonisolated let readers = TransitNewsReaders()

    private var realtime: RealtimeState
    private var tracker = VehicleTracker()
    /// By the clock's monotonic seconds.
    private var polledAtSeconds: Double?
    private var isPolling = false
    /// By feed, the problem in the newest snapshot.
    private var publishedProblems: [String?] = []

    /// Creates a poller.
    ///
    /// - Parameters:
    ///   - intervalSeconds: From one poll to the next, by the clock; at least ``minIntervalSeconds``.
    ///   - describe: Describes a failure for the readers of boards; by default the error's own description.
    ///   - listener: Called with every new snapshot, after the timetable has it.
    public init(
        _ timetable: LiveTimetable, sources: [any RealtimeSource], clock: any WallClock,
        intervalSeconds: Double = 30,
        describe: (@Sendable (any Error) -> String)? = nil,
        listener: @escaping @Sendable (TransitNews) -> Void = { _ in }
    ) {
        self.timetable = timetable
        self.clock = clock
        self.intervalSeconds = max(Self.minIntervalSeconds, intervalSeconds)
        feeds = sources.map { PolledFeed($0) }
        realtime = RealtimeState(of: sources)
        self.describe = describe ?? { printable("\($0)", maxLength: 300) }
        self.listener = listener
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        while true {
            await refresh()
            try Task.checkCancellation()
            try await clock.sleep(seconds: intervalSeconds)
        }
    }

    /// A stream of what is published, beginning with the newest if there is any; a slow reader skips to the newest.
    ///
    /// Any number of readers may have one. It ends with the poller.
    public nonisolated func news() -> AsyncStream<TransitNews> { readers.stream() }

    /// Polls all feeds that are due, unless that was less than ``minIntervalSeconds`` ago or is in progress.
    public func refresh() async {
        guard !isPolling, clock.havePassed(Self.minIntervalSeconds, since: polledAtSeconds) else {
            return
        }
        polledAtSeconds = clock.monotonicSeconds
        await refreshNow()
    }

    /// Polls all feeds that are due, unless that is in progress: for sources that cost no request.
    package func refreshNow() async {
        guard !isPolling else { return }
        let seconds = clock.monotonicSeconds
        isPolling = true
        defer { isPolling = false }
        let due = feeds.indices.filter { feeds[$0].isDue(atSeconds: seconds) }
        let hasNews = await poll(due, at: clock.now)
        // Without news the snapshot still ages; a feed may have failed after the news of another.
        if !hasNews || realtime.statuses.map(\.problem) != publishedProblems {
            publish(refreshed: [])
        }
    }

    /// Continues with another timetable: the realtime content stays, and is matched to it.
    public func use(_ timetable: LiveTimetable) {
        self.timetable = timetable
        // Vehicles were tracked by rows of the old timetable.
        tracker = VehicleTracker()
        publish(refreshed: [])
    }

    /// Polls some feeds concurrently, and publishes each as it answers; whether any had something new.
    private func poll(_ indices: [Int], at now: Timestamp) async -> Bool {
        var hasNews = false
        await withTaskGroup(of: (Int, PolledFeed.Outcome).self) { group in
            for index in indices {
                let source = feeds[index].source
                group.addTask { (index, await PolledFeed.poll(source, at: now)) }
            }
            for await (index, outcome) in group where take(outcome, of: index) { hasNews = true }
        }
        return hasNews
    }

    /// Takes the outcome of a poll; whether it had something new, which is published then.
    private func take(_ outcome: PolledFeed.Outcome, of index: Int) -> Bool {
        let id = feeds[index].source.id
        let now = clock.now
        switch outcome {
        case .cancelled: return false
        case .message(let reading):
            feeds[index].succeeded(isRead: true)
            realtime.take(reading.feed, of: id, at: now)
            publish(refreshed: [id])
            return true
        case .unchanged:
            // What could not be read has not become better.
            if !feeds[index].isUnreadable { realtime.confirm(id, at: now) }
            feeds[index].succeeded(isRead: false)
            return false
        case .unreadable(let problem):
            feeds[index].wasUnreadable()
            realtime.fail(id, problem: describe(problem))
            return false
        case .failed(let error):
            feeds[index].failed(
                error, atSeconds: clock.monotonicSeconds, intervalSeconds: intervalSeconds)
            realtime.fail(id, problem: describe(error))
            return false
        }
    }

    private func publish(refreshed: [String]) {
        let snapshot = TransitSnapshot(
            timetable.feed, realtime, asOf: clock.now, tracker: &tracker,
            after: timetable.snapshot)
        timetable.publish(snapshot)
        publishedProblems = snapshot.sources.map(\.problem)
        let news = TransitNews(snapshot: snapshot, refreshed: refreshed)
        listener(news)
        readers.publish(news)
    }
}

/// A new snapshot, and which feeds had something new.
public struct TransitNews: Sendable {
    /// What boards are read from now.
    public let snapshot: TransitSnapshot
    /// The feeds with new messages; empty if feeds failed or only time has passed.
    public let refreshed: [String]

    package init(snapshot: TransitSnapshot, refreshed: [String]) {
        self.snapshot = snapshot
        self.refreshed = refreshed
    }
}

/// The readers of a poller's news.
private final class TransitNewsReaders: Sendable {
    private struct State {
        var newest: TransitNews?
        var readers: [Int: AsyncStream<TransitNews>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    func stream() -> AsyncStream<TransitNews> {
        let (stream, reader) = AsyncStream.makeStream(
            of: TransitNews.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.readers[state.count] = reader
            if let newest = state.newest { reader.yield(newest) }
            return state.count
        }
        reader.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func publish(_ news: TransitNews) {
        state.withLock { state in
            state.newest = news
            for reader in state.readers.values { reader.yield(news) }
        }
    }

    deinit { state.withLock { for reader in $0.readers.values { reader.finish() } } }
}

/// A timetable with its newest snapshot, which TransitPoller replaces while others read.
public final class LiveTimetable: Sendable {
    /// The timetable.
    public let feed: TransitFeed
    /// The drawbridges on its shapes.
    public let crossings: BridgeCrossings
    /// Its stations by location.
    public let stations: StationFinder
    private let newest: Mutex<TransitSnapshot>

    /// Starts without realtime; finds crossings and stations, which takes up to a second.
    public init(_ feed: TransitFeed, at now: Timestamp) {
        self.feed = feed
        crossings = BridgeCrossings(of: feed)
        stations = StationFinder(feed)
        newest = Mutex(TransitSnapshot(feed, asOf: now))
    }

    /// The newest snapshot.
    public var snapshot: TransitSnapshot { newest.withLock { $0 } }

    /// Replaces the snapshot.
    package func publish(_ snapshot: TransitSnapshot) {
        var other = snapshot
        // The old one is deallocated after the lock is released, while no reader waits.
        newest.withLock { swap(&$0, &other) }
    }
}

/// A source, and whether it may be polled again.
struct PolledFeed: Sendable {
    let source: any RealtimeSource
    /// Failures since it last answered.
    private var failures = 0
    /// Not to be polled before, by the clock's monotonic seconds; nil after a success.
    private var restsUntilSeconds: Double?
    /// Whether its newest message could not be read.
    private(set) var isUnreadable = false

    /// The maximum rest of a feed that fails, seconds.
    private static let maxRestSeconds = 600.0
    /// The maximum rest that a feed may ask for, seconds.
    private static let maxRetryAfterSeconds = 3600.0

    init(_ source: any RealtimeSource) { self.source = source }

    /// The outcome of a poll.
    enum Outcome: Sendable {
        case message(RealtimeReading)
        case unchanged
        case failed(any Error)
        /// It answered with something that is no message.
        case unreadable(DocumentProblem)
        case cancelled
    }

    /// Polls a source and reads its message, outside of any actor.
    static func poll(_ source: any RealtimeSource, at now: Timestamp) async -> Outcome {
        let bytes: [UInt8]?
        do {
            bytes = try await source.fetch(at: now)
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(error)
        }
        guard let bytes else { return .unchanged }
        do {
            return .message(try RealtimeFeed.read(bytes))
        } catch {
            return .unreadable(error)
        }
    }

    /// Whether it may be polled.
    func isDue(atSeconds seconds: Double) -> Bool {
        restsUntilSeconds.map { seconds >= $0 } ?? true
    }

    /// Notes an answer.
    ///
    /// - Parameter isRead: Whether it was a new message, which was read.
    mutating func succeeded(isRead: Bool) {
        clearFailures()
        if isRead { isUnreadable = false }
    }

    /// Notes a message that could not be read; it may be polled again at once.
    mutating func wasUnreadable() {
        clearFailures()
        isUnreadable = true
    }

    private mutating func clearFailures() {
        failures = 0
        restsUntilSeconds = nil
    }

    /// Notes a failure: the feed rests for an interval, twice as long after each further failure, or as long as it asks.
    ///
    /// A file that does not exist yet is looked for every time, which costs nothing.
    mutating func failed(_ error: any Error, atSeconds seconds: Double, intervalSeconds: Double) {
        guard !(error is DocumentProblem) else { return }
        failures += 1
        let policy = RecoveryPolicy(
            Backoff(
                firstSeconds: intervalSeconds,
                maxSeconds: max(intervalSeconds, Self.maxRestSeconds)),
            maxRestSeconds: Self.maxRetryAfterSeconds)
        let rest = policy.waitSeconds(
            failures: failures, restSeconds: (error as? FeedError)?.retryAfterSeconds ?? 0)
        // A second less: the poller's own clock may be slightly early.
        restsUntilSeconds = seconds + rest - 1
    }
}
