// The observable state of an app, and the values that update it. Models of single bridges and routes have files of
// their own; BridgecastLive keeps the state up to date.
public import BridgecastCore
public import BridgecastSupport
public import Observation

/// The state of an app: the only object its views share.
///
/// It is updated by ``apply(_:)``, by ``refresh(from:)``, or by ``follow(_:)`` from a stream that a plain actor fills;
/// what makes the updates needs neither this model nor the main actor.
@Observable public final class AppStateModel {
    /// Routes, best first.
    public private(set) var routes: [RouteModel] = []
    /// All bridges, by ``BridgeIndex``.
    public let bridges: [BridgeStatusModel] = BridgeIndex.all.map { BridgeStatusModel(bridge: $0) }
    /// Whether the state that is shown is current.
    public private(set) var phase = AppPhase.idle
    /// Whether a refresh is under way.
    public private(set) var isLoading = false
    /// Why the last refresh failed; nil if it did not.
    public private(set) var error: RefreshFailure?
    /// How each feed is doing, by name.
    public private(set) var feeds: [FeedStatus] = []
    /// The latest events, newest first; at most ``maxEvents``.
    public private(set) var events: [BridgeEvent] = []

    /// The number of events that are kept.
    public static let maxEvents = 50

    /// The condition of the network, by ``keepRefreshing(every:departure:clock:from:)``.
    public private(set) var network = NetworkCondition.good

    @ObservationIgnored private var meter = NetworkMeter()
    @ObservationIgnored private var models: [String: RouteModel] = [:]

    /// Creates an empty state.
    public init() {}

    /// A bridge's model.
    public subscript(bridge: BridgeIndex) -> BridgeStatusModel { bridges[bridge.rawValue] }

    /// Takes the next forecasts whatever their time, because the clock was set: they are not older, but of another clock.
    public func clockWasSet() { for bridge in bridges { bridge.forgetIssueTime() } }

    /// Applies an update.
    ///
    /// Routes keep their models, so observers stay attached; the list itself changes only if routes are added, removed
    /// or reordered.
    public func apply(_ update: AppStateUpdate) {
        for bridge in update.bridges { self[bridge.bridge].apply(bridge) }
        if !update.events.isEmpty {
            events = Array((update.events.reversed() + events).prefix(Self.maxEvents))
        }
        for feed in update.feeds { set(feed: feed) }
        if let phase = update.phase, phase != self.phase { self.phase = phase }
        guard let routes = update.routes else { return }
        apply(routes)
    }

    /// Applies updates as they arrive, until the sequence ends or the task is cancelled.
    public func follow(_ updates: some AsyncSequence<AppStateUpdate, Never>) async {
        for await update in updates { apply(update) }
    }

    private func apply(_ scores: [RouteScore]) {
        let ordered = scores.map { score in
            let model = models[score.route.id].flatMap { $0.route == score.route ? $0 : nil }
            let current =
                model
                ?? RouteModel(
                    route: score.route, bridgeStatuses: score.route.crossings.map { self[$0] })
            current.apply(score)
            return current
        }
        models = Dictionary(ordered.map { ($0.routeID, $0) }) { first, _ in first }
        if !ordered.elementsEqual(routes, by: ===) { routes = ordered }
    }

    /// Sets the phase, the last failure and whether a refresh is under way; equal values do not notify.
    public func set(phase: AppPhase, error: RefreshFailure?, isLoading: Bool) {
        if self.phase != phase { self.phase = phase }
        if self.error != error { self.error = error }
        if self.isLoading != isLoading { self.isLoading = isLoading }
    }

    /// Sets the status of a feed; an equal status does not notify.
    public func set(feed: FeedStatus) {
        if let index = feeds.firstIndex(where: { $0.id == feed.id }) {
            if feeds[index] != feed { feeds[index] = feed }
        } else {
            feeds.append(feed)
            feeds.sort { $0.id < $1.id }
        }
    }

    /// Refreshes from a source.
    ///
    /// `isLoading` is true meanwhile. A failure is kept in `error` and changes nothing else. A call during another
    /// refresh does nothing.
    ///
    /// - Parameter source: Fetches and forecasts, on any executor.
    public func refresh(
        from source: @Sendable () async throws(RefreshFailure) -> AppStateUpdate
    ) async {
        guard !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        do {
            apply(try await source())
            if error != nil { error = nil }
        } catch { self.error = error }
    }

    /// Refreshes from a source at an interval until the task is cancelled.
    ///
    /// It is sooner before a departure and later on a poor network, by ``AdaptiveRefresh``. After a failure that is retried it
    /// waits as long as that asks.
    /// - Parameters:
    ///   - interval: Seconds; nil refreshes once, and then only by ``refresh(from:)``.
    ///   - departure: When the person leaves next; nil if nothing is planned.
    /// - Throws: `CancellationError`.
    public func keepRefreshing(
        every interval: Double?, departure: () -> Timestamp? = { nil },
        clock: any WallClock = SystemWallClock(),
        from source: @Sendable () async throws(RefreshFailure) -> AppStateUpdate
    ) async throws {
        while true {
            let start = clock.monotonicSeconds
            await refresh(from: source)
            try Task.checkCancellation()
            let retrySeconds = error?.recovery.retrySeconds
            // A failure that cannot be retried is an answer: the network is not what failed.
            meter.record(seconds: retrySeconds == nil ? clock.monotonicSeconds - start : nil)
            if network != meter.condition { network = meter.condition }
            guard
                let seconds = AdaptiveRefresh.seconds(
                    interval: interval,
                    departure: departure().map { $0.minutes(since: clock.now) * 60 },
                    condition: network)
            else { return }
            try await clock.sleep(seconds: max(seconds, retrySeconds ?? 0))
        }
    }
}

/// Whether the state that is shown is current.
nonisolated public enum AppPhase: Sendable, Equatable {
    /// Nothing has been requested.
    case idle
    /// The first answer is pending.
    case loading
    /// Live states are recent.
    case ready
    /// The last live states are from this time, too old to be used.
    case stale(since: Timestamp)
    /// There have been no live states at all.
    case failed
}

/// What one refresh changes.
nonisolated public struct AppStateUpdate: Sendable {
    /// Forecasts by bridge.
    public var bridges: [BridgeUpdate]
    /// Scores in order, the best first; nil if this update does not change the routes.
    public var routes: [RouteScore]?
    /// New events, oldest first.
    public var events: [BridgeEvent]
    /// Feeds whose status has changed.
    public var feeds: [FeedStatus]
    /// Whether the state is current; nil if that has not changed.
    public var phase: AppPhase?

    /// Creates an update.
    public init(
        bridges: [BridgeUpdate], routes: [RouteScore]?, events: [BridgeEvent] = [],
        feeds: [FeedStatus] = [], phase: AppPhase? = nil
    ) {
        self.bridges = bridges
        self.routes = routes
        self.events = events
        self.feeds = feeds
        self.phase = phase
    }

    /// All forecasts of a table, and a ranking if there is one.
    ///
    /// - Parameter situation: The situation the table was made from.
    /// - Throws: ``ForecastTableError/otherMoment(table:situation:)`` for a situation of another time.
    public init(
        _ table: ForecastTable, _ situation: Situation, routes: RouteRanking? = nil
    ) throws(ForecastTableError) {
        guard table.issueTime == situation.issueTime else {
            throw .otherMoment(table: table.issueTime, situation: situation.issueTime)
        }
        self.init(
            bridges: BridgeIndex.all.map { BridgeUpdate($0, table, situation) },
            routes: routes?.scores)
    }
}

/// How a feed is doing.
nonisolated public struct FeedStatus: Sendable, Equatable, Identifiable {
    /// The feed's name.
    public var id: String
    /// When its last good answer came; nil before the first.
    public var fetchedAt: Timestamp?
    /// What is wrong with it now; nil if nothing is.
    public var problem: String?
    /// The problem without addresses and paths, for public answers; nil if nothing is wrong.
    public var publicProblem: String?

    /// Creates a status.
    ///
    /// - Parameter publicProblem: Without it, only that something is wrong.
    public init(id: String, fetchedAt: Timestamp?, problem: String?, publicProblem: String? = nil) {
        self.id = id
        self.fetchedAt = fetchedAt
        self.problem = problem
        self.publicProblem = problem.map { _ in publicProblem ?? "it failed" }
    }
}

/// A failed refresh; the previous state stays.
nonisolated public struct RefreshFailure: Error, Sendable, Equatable {
    /// What went wrong, for a person.
    public var reason: String
    /// What happens next.
    public var recovery: RecoveryResult

    /// Creates a failure.
    public init(reason: String, recovery: RecoveryResult) {
        self.reason = reason
        self.recovery = recovery
    }
}

/// Something that happened, as a sentence.
nonisolated public struct BridgeEvent: Sendable, Equatable, Identifiable {
    /// Increases from event to event.
    public var id: Int
    /// When it happened.
    public var at: Timestamp
    /// The bridge it happened to; nil if it is about a feed.
    public var bridge: BridgeIndex?
    /// What happened and what it means.
    public var text: String

    /// Creates an event.
    public init(id: Int, at: Timestamp, bridge: BridgeIndex?, text: String) {
        self.id = id
        self.at = at
        self.bridge = bridge
        self.text = text
    }
}
