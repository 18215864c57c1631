// Whether what realtime feeds contribute is current, and what is wrong with a board: one rule for documents and models.
public import BridgecastCore

/// Whether what is shown of a timetable is current.
public enum TransitPhase: Sendable, Hashable {
    /// No feed of trips or vehicles has answered yet: the timetable is shown.
    case loading
    /// What the feeds contribute is at most ``staleAfterSeconds`` old, or there are no feeds of trips or vehicles.
    case ready
    /// Some of it is from this time, and older.
    case stale(since: Timestamp)
    /// No feed has ever answered, and one has failed: the timetable is shown.
    case failed

    /// The age from which content of a realtime feed is stale, seconds.
    public static let staleAfterSeconds: Int64 = 300
}

extension TransitSnapshot {
    /// The feeds of trips and vehicles: an old alert is still one, and a new one says nothing of departures.
    private var movingFeeds: [RealtimeStatus] { sources.filter { !Self.isOfAlerts($0.id) } }

    private static func isOfAlerts(_ feed: String) -> Bool {
        feed.hasPrefix(RealtimeKind.alerts.rawValue)
    }

    /// When the oldest content of the feeds that have answered was made, or else fetched; nil if none has.
    func oldestContent(at now: Timestamp) -> Timestamp? {
        movingFeeds.compactMap { feed in
            feed.feedTimestamp.map { min($0, now) } ?? feed.fetchedAt.map { min($0, now) }
        }.min()
    }

    /// Why a feed of trips or vehicles fails now; nil if none does.
    var feedProblem: StationProblem? {
        movingFeeds.lazy.compactMap { feed in
            feed.problem.map { .apiError("\(feed.id): \($0)") }
        }.first
    }

    /// The phase at a time.
    ///
    /// - Parameter hasNews: Whether a poller has published it; the snapshot that a timetable begins with has no feeds yet.
    func phase(at now: Timestamp, hasNews: Bool) -> TransitPhase {
        guard let oldest = oldestContent(at: now) else {
            if feedProblem != nil { return .failed }
            return hasNews && unanswered.allSatisfy(Self.isOfAlerts) ? .ready : .loading
        }
        let age = now.secondsSinceEpoch - oldest.secondsSinceEpoch
        return age > TransitPhase.staleAfterSeconds ? .stale(since: oldest) : .ready
    }

    /// What is wrong with a board of it; nil if nothing is, and until feeds have answered.
    ///
    /// ``StationProblem/noData(reason:)`` where the timetable says why nothing departs; else
    /// ``StationProblem/apiError(_:)`` while a feed of trips or vehicles fails, whatever feeds of alerts do; else `noData`
    /// without a reason if nothing departs.
    /// - Parameter hasNews: As of ``phase(at:hasNews:)``.
    package func problem(of board: StopBoard, hasNews: Bool = true) -> StationProblem? {
        guard phase(at: board.asOf, hasNews: hasNews) != .loading else { return nil }
        let isEmpty = board.departures.isEmpty
        if isEmpty, let reason = board.noService ?? board.onlyArrivals {
            return .noData(reason: reason)
        }
        return feedProblem ?? (isEmpty ? .noData(reason: nil) : nil)
    }
}

extension StopBoard {
    /// That trips only end at the stop; nil if some leave, or none stops.
    fileprivate var onlyArrivals: String? {
        hasOnlyArrivals ? "Trips end here, and none leaves." : nil
    }
}
