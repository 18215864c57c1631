// Asks every realtime feed once per interval, however many read what comes of it.
public import BridgecastCore

/// Keeps a desk up to date.
///
/// Feeds are asked side by side, and each is shown as soon as it has answered: none waits for the slowest. A feed that
/// fails keeps what it said before, which ages, and is asked less often until it answers again. Snapshots have the feeds
/// in the order in which they were given, whichever answers first.
public actor TransitPoller {
    /// No feed is asked more often, seconds.
    public static let leastSeconds = 20.0

    private var desk: TransitDesk
    private var feeds: [PolledFeed]
    private let clock: any WallClock
    private let intervalSeconds: Double
    private let words: @Sendable (any Error) -> String
    private let listener: @Sendable (TransitNews) -> Void

    private var realtime: RealtimeState
    private var tracker = VehicleTracker()
    private var askedAt: Timestamp?
    private var isAsking = false

    /// Creates a poller.
    ///
    /// - Parameters:
    ///   - intervalSeconds: From one asking to the next, by the clock; below ``leastSeconds`` counts as that.
    ///   - words: Tells of a failure, for whoever reads boards; the error's own description unless it is given.
    ///   - listener: Told of every new snapshot, after the desk has it.
    public init(
        _ desk: TransitDesk, _ sources: [any RealtimeSource], clock: any WallClock,
        intervalSeconds: Double = 30,
        words: (@Sendable (any Error) -> String)? = nil,
        listener: @escaping @Sendable (TransitNews) -> Void = { _ in }
    ) {
        (self.desk, self.clock) = (desk, clock)
        self.intervalSeconds = max(Self.leastSeconds, intervalSeconds)
        feeds = sources.map { PolledFeed($0) }
        realtime = RealtimeState(of: sources.map(\.id))
        self.words = words ?? { printable("\($0)", most: 300) }
        self.listener = listener
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        while true {
            await refresh()
            try Task.checkCancellation()
            // The clock of a replay that is over stands still: nothing new will come.
            if clock.pace.rate == 0 {
                try await clock.sleep(until: clock.now.adding(seconds: Int64(intervalSeconds)))
            } else {
                try await clock.sleep(seconds: intervalSeconds)
            }
        }
    }

    /// Asks all feeds that are due now, unless that was less than ``leastSeconds`` ago or is being done.
    public func refresh() async {
        let now = clock.now
        guard !isAsking, isRested(now) else { return }
        (isAsking, askedAt) = (true, now)
        defer { isAsking = false }
        let due = feeds.indices.filter { feeds[$0].isDue(at: now) }
        let isQuiet = await ask(due, at: now)
        // Nothing new: what is on show ages, and failures are told.
        if isQuiet { publish(refreshed: []) }
    }

    /// Goes on with another timetable: what realtime feeds have said stays, and is matched to it.
    public func use(_ desk: TransitDesk) {
        self.desk = desk
        // Where vehicles were is told by rows of the timetable, which are others now.
        tracker = VehicleTracker()
        publish(refreshed: [])
    }

    private func isRested(_ now: Timestamp) -> Bool {
        guard let askedAt else { return true }
        // A clock that was set back must not keep feeds waiting.
        return !(0..<Int64(Self.leastSeconds)).contains(
            now.secondsSinceEpoch - askedAt.secondsSinceEpoch)
    }

    /// Asks some feeds side by side, and shows each as it answers; whether none had anything new.
    private func ask(_ places: [Int], at now: Timestamp) async -> Bool {
        var isQuiet = true
        await withTaskGroup(of: (Int, PolledFeed.Outcome).self) { group in
            for place in places {
                let source = feeds[place].source
                group.addTask { (place, await PolledFeed.ask(source, at: now)) }
            }
            for await (place, outcome) in group where take(outcome, of: place) { isQuiet = false }
        }
        return isQuiet
    }

    /// Takes what a feed answered; whether it is shown already.
    private func take(_ outcome: PolledFeed.Outcome, of place: Int) -> Bool {
        let (id, now) = (feeds[place].source.id, clock.now)
        switch outcome {
        case .cancelled: return false
        case .message(let reading):
            feeds[place].succeeded(isRead: true)
            realtime.take(reading.feed, of: id, at: now)
            publish(refreshed: [id])
            return true
        case .unchanged:
            // What could not be read has not become better.
            if !feeds[place].isUnreadable { realtime.confirm(id, at: now) }
            feeds[place].succeeded(isRead: false)
            return false
        case .unreadable(let problem):
            feeds[place].wasUnreadable()
            realtime.fail(id, words(problem), at: now)
            return false
        case .failed(let error):
            feeds[place].failed(error, at: now, intervalSeconds: intervalSeconds)
            realtime.fail(id, words(error), at: now)
            return false
        }
    }

    private func publish(refreshed: [String]) {
        let snapshot = TransitSnapshot(
            desk.feed, realtime, asOf: clock.now, tracker: &tracker, after: desk.snapshot)
        desk.show(snapshot)
        listener(TransitNews(snapshot: snapshot, refreshed: refreshed))
    }
}

/// A new snapshot, and which feeds had something new.
public struct TransitNews: Sendable {
    /// What boards are read from now.
    public let snapshot: TransitSnapshot
    /// The feeds whose messages are new in it; none where feeds failed or time alone has passed.
    public let refreshed: [String]

    package init(snapshot: TransitSnapshot, refreshed: [String]) {
        (self.snapshot, self.refreshed) = (snapshot, refreshed)
    }
}
