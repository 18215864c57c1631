// What a live service shows now, and how that reaches the listener, the log and the models of a screen.
public import Bridgecast
internal import BridgecastSupport
private import Foundation
internal import Logging
private import Synchronization

/// What was published at one time.
public struct LiveNews: Sendable {
    /// When it was published.
    public let publishedAt: Timestamp
    /// The forecast that is shown now; nil before the first.
    public let update: LiveUpdate?
    /// Whether that forecast is a new one.
    public let isForecastNew: Bool
    /// Bridges that went up, down or out of sight.
    public let changes: [BridgeChange]
    /// What happened, in sentences; the oldest first.
    public let events: [BridgeEvent]
    /// How each feed is doing.
    public let feeds: [FeedStatus]
    /// Whether what is shown is recent.
    public let phase: AppPhase
    /// What the next reading is compared with.
    package let tracker: BridgeTracker
    /// How many events there have been.
    package let eventCount: Int
}

/// How the bridge feed is doing when something is published.
struct LiveCondition: Sendable {
    var feed: FeedStatus
    var phase: AppPhase
    var failure: RefreshFailure?
}

/// What a live service shows now.
struct ShownState: Sendable {
    /// The forecast; nil before the first.
    private(set) var update: LiveUpdate?
    /// Whether it is shown as one without live states, because the last reading is too old.
    private(set) var isStale = false
    private(set) var feeds: [FeedStatus] = []
    private(set) var phase = AppPhase.idle
    /// Why the last refresh failed; nil if it did not.
    private(set) var failure: RefreshFailure?
    /// The feeds as the listener knows them.
    fileprivate var reportedFeeds: [FeedStatus] = []
    fileprivate var eventCount = 0

    /// A new forecast is made at least this often, seconds.
    static let maxAgeSeconds: Int64 = 60

    init() {}

    /// What another service showed when it published its last news.
    init(_ news: LiveNews) {
        update = news.update
        feeds = news.feeds
        reportedFeeds = news.feeds
        phase = news.phase
        eventCount = news.eventCount
        if case .stale = news.phase { isStale = true }
    }

    mutating func show(_ update: LiveUpdate) { self.update = update }

    mutating func show(phase: AppPhase, _ failure: RefreshFailure?) {
        self.phase = phase
        self.failure = failure
    }

    mutating func show(_ condition: LiveCondition) {
        show(feed: condition.feed)
        show(phase: condition.phase, condition.failure)
    }

    mutating func show(feed: FeedStatus) {
        if let index = feeds.firstIndex(where: { $0.id == feed.id }) {
            feeds[index] = feed
        } else {
            feeds.append(feed)
            feeds.sort { $0.id < $1.id }
        }
    }

    /// Sets whether live states are too old to count.
    ///
    /// - Returns: Whether that is a change.
    mutating func turn(isStale: Bool) -> Bool {
        defer { self.isStale = isStale }
        return isStale != self.isStale
    }

    /// Whether the forecast is too old at a time, or there is none.
    func isDue(at now: Timestamp) -> Bool {
        guard let update else { return true }
        return now.secondsSinceEpoch - update.issueTime.secondsSinceEpoch >= Self.maxAgeSeconds
    }

    /// Whether the forecast was issued after a time: the clock was set back.
    func isAhead(of now: Timestamp) -> Bool { update.map { now < $0.issueTime } ?? false }

    /// A new event, with the next number.
    fileprivate mutating func event(
        _ text: String, at time: Timestamp, _ bridge: BridgeIndex? = nil
    ) -> BridgeEvent {
        eventCount += 1
        return BridgeEvent(id: eventCount, at: time, bridge: bridge, text: text)
    }

    /// Bridges whose state was known in the forecast that was shown and is not in a newer one.
    static func lost(
        _ before: LiveUpdate?, _ after: LiveUpdate, at now: Timestamp
    ) -> [BridgeChange] {
        guard let before else { return [] }
        return BridgeIndex.all.compactMap { bridge in
            let old = before.situation[bridge].state
            let new = after.situation[bridge].state
            guard old != .unknown, new == .unknown else { return nil }
            return BridgeChange(bridge: bridge, at: now, before: old, after: new)
        }
    }
}

// MARK: - Publishing

/// Streams of what is published.
final class NewsStreams: Sendable {
    private struct State {
        var newest: LiveNews?
        var count = 0
        var continuations: [Int: AsyncStream<LiveNews>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func publish(_ news: LiveNews) {
        let continuations = state.withLock { state in
            state.newest = news
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.yield(news) }
    }

    func stream(bufferingNewest limit: Int) -> AsyncStream<LiveNews> {
        let (stream, continuation) = AsyncStream<LiveNews>.makeStream(
            bufferingPolicy: .bufferingNewest(limit))
        let number = state.withLock { state in
            state.count += 1
            state.continuations[state.count] = continuation
            if let newest = state.newest { continuation.yield(newest) }
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    deinit {
        for continuation in state.withLock({ $0.continuations.values }) { continuation.finish() }
    }
}

extension LiveService {
    /// What is published, from the newest that there is on, for any number of readers on any actor.
    ///
    /// A reader that is slow holds nothing up: it loses the oldest that it has not read. The stream ends when the service is
    /// released; one that fails for good publishes the phase `failed`.
    /// ```swift
    /// for await news in service.news() {
    ///     guard let update = news.update, news.isForecastNew else { continue }
    ///     print(update.bridges.map(\.delay.probabilityDelayed), news.events.map(\.text))
    /// }
    /// ```
    /// - Parameter limit: How many are kept for this reader.
    public nonisolated func news(bufferingNewest limit: Int = 64) -> AsyncStream<LiveNews> {
        streams.stream(bufferingNewest: limit)
    }

    /// Shows the phase, without notifying the listener.
    func show(phase: AppPhase, _ failure: RefreshFailure?, isLoading: Bool = false) async {
        shown.show(phase: phase, failure)
        await updateModels { $0.set(phase: phase, error: failure, isLoading: isLoading) }
    }

    /// Shows how a feed is doing; the listener is notified by the next ``notifyOfFeeds()`` or publication.
    func show(feed: FeedStatus) async {
        shown.show(feed: feed)
        await updateModels { $0.set(feed: feed) }
    }

    func publish(_ condition: LiveCondition) async {
        shown.show(condition)
        notify()
        await updateModels { $0.set(condition) }
    }

    /// Publishes a forecast, what changed and how old it is, all at once.
    func publish(
        _ update: LiveUpdate, _ changes: [BridgeChange], before: LiveUpdate?,
        _ condition: LiveCondition?
    ) async {
        if let condition { shown.show(condition) }
        let events = events(for: changes, before: before, after: update)
        notify(isForecastNew: true, changes, events)
        log(update, events)
        await updateModels { app in
            if let condition { app.set(condition) }
            app.apply(AppStateUpdate(bridges: update.bridges, routes: nil, events: events))
        }
    }

    private func events(
        for changes: [BridgeChange], before: LiveUpdate?, after: LiveUpdate
    ) -> [BridgeEvent] {
        let description = ChangeDescription(before: before, after: after)
        if changes.count > 1, changes.allSatisfy({ $0.before == .unknown }) {
            return [shown.event(description.firstReading(changes), at: after.issueTime)]
        }
        if changes.count > 1, changes.allSatisfy({ $0.after == .unknown }) {
            return [shown.event(description.loss(changes), at: after.issueTime)]
        }
        return changes.map { shown.event(description.sentence($0), at: $0.at, $0.bridge) }
    }

    func publish(_ ranking: RouteRanking) async {
        for score in ranking {
            parts.log.debug(
                "route updated",
                metadata: [
                    "route_id": "\(printable(score.route.id))",
                    "issue_time": "\(TimeText.rfc3339(ranking.issueTime))",
                    "score_min": "\(score.score)",
                ])
        }
        await updateModels { $0.apply(AppStateUpdate(bridges: [], routes: ranking.scores)) }
    }

    /// Publishes something that happened to a feed.
    func report(_ text: String, at now: Timestamp) async {
        let event = shown.event(text, at: now)
        notify([], [event])
        log(event)
        await updateModels { $0.apply(AppStateUpdate(bridges: [], routes: nil, events: [event])) }
    }

    /// Notifies the listener if the feeds have changed since it was last notified: those besides the bridges answer in
    /// between.
    func notifyOfFeeds() { if shown.feeds != shown.reportedFeeds { notify() } }

    func notify(
        isForecastNew: Bool = false, _ changes: [BridgeChange] = [], _ events: [BridgeEvent] = []
    ) {
        shown.reportedFeeds = shown.feeds
        let news = LiveNews(
            publishedAt: parts.clock.now, update: shown.update, isForecastNew: isForecastNew,
            changes: changes, events: events, feeds: shown.feeds, phase: shown.phase,
            tracker: tracker, eventCount: shown.eventCount)
        parts.listener?(news)
        streams.publish(news)
        if isForecastNew, let archiver = parts.archiver, let update = shown.update,
            let model = parts.archivedModel(update.model)
        {
            archiver.offer(update, by: model)
        }
    }

    /// Changes the models of the screen, if there is one, in one turn of the main actor: it never shows a part.
    func updateModels(_ change: @MainActor @Sendable (AppStateModel) -> Void) async {
        if let app { await change(app) }
    }

    private func log(_ update: LiveUpdate, _ events: [BridgeEvent]) {
        for event in events { log(event) }
        for bridge in update.bridges {
            parts.log.debug(
                "bridge updated",
                metadata: [
                    "bridge_id": "\(BridgeCatalogue[bridge.bridge].id)",
                    "issue_time": "\(TimeText.rfc3339(update.issueTime))",
                    "state": "\(bridge.state)", "probability": "\(bridge.delay.probabilityDelayed)",
                ])
        }
    }

    private func log(_ event: BridgeEvent) {
        var metadata: Logger.Metadata = [
            "event_id": "\(event.id)", "at": "\(TimeText.rfc3339(event.at))",
        ]
        if let bridge = event.bridge { metadata["bridge_id"] = "\(BridgeCatalogue[bridge].id)" }
        parts.log.info("\(event.text)", metadata: metadata)
    }
}

extension AppStateModel {
    @MainActor fileprivate func set(_ condition: LiveCondition) {
        set(feed: condition.feed)
        set(phase: condition.phase, error: condition.failure, isLoading: false)
    }
}

// MARK: - Sentences

/// Describes a change of a bridge in a sentence, by comparing the forecasts before and after it.
struct ChangeDescription {
    let before: LiveUpdate?
    let after: LiveUpdate

    /// A chance that moves by less is not mentioned.
    private static let minMove = 0.05
    private static let windowMinutes = 10.0

    /// "Ballard raised 14:05; Fremont's chance for 14:15-14:25 rose from 6 % to 31 %".
    func sentence(_ change: BridgeChange) -> String {
        let name = BridgeCatalogue[change.bridge].name
        let clock = TimeText.clock(change.at)
        let what: String
        switch (change.before, change.after) {
        case (.unknown, .raised): what = "\(name) is raised, for how long is unknown"
        case (.unknown, .lowered): what = "\(name) is lowered"
        case (_, .raised): what = "\(name) raised \(clock)"
        case (.raised(let since?), .lowered):
            what = "\(name) lowered \(clock) after \(duration(change.at.minutes(since: since)))"
        case (_, .lowered): what = "\(name) lowered \(clock)"
        case (_, .unknown): what = "\(name) is unknown from \(clock) on"
        }
        guard let consequence = consequence(of: change) else { return what }
        return "\(what); \(consequence)"
    }

    /// What the first reading shows, all bridges in one sentence.
    func firstReading(_ changes: [BridgeChange]) -> String {
        let raised = changes.filter { $0.after != .lowered }.map { BridgeCatalogue[$0.bridge].name }
        let states = raised.isEmpty ? "all lowered" : "raised: \(raised.joined(separator: ", "))"
        return "watching \(changes.count) bridges, \(states)"
    }

    /// Bridges that are lost at once, in one sentence: what changes for one is not the consequence of another's loss.
    func loss(_ changes: [BridgeChange]) -> String {
        let names = changes.map { BridgeCatalogue[$0.bridge].name }
        let raised = changes.filter(\.before.isRaised).map { BridgeCatalogue[$0.bridge].name }
        let last = raised.isEmpty ? "" : "; last seen raised: \(raised.joined(separator: ", "))"
        let clock = TimeText.clock(after.issueTime)
        return "\(names.joined(separator: ", ")) are unknown from \(clock) on\(last)"
    }

    /// The largest move of a neighbour's chance over the next hour.
    private func consequence(of change: BridgeChange) -> String? {
        guard let before else { return nil }
        let elapsed = after.issueTime.minutes(since: before.issueTime)
        var best: (bridge: BridgeIndex, lead: Double, old: Double, new: Double)?
        for bridge in BridgeIndex.all
        where bridge != change.bridge
            && BridgeCatalogue[bridge].waterway == BridgeCatalogue[change.bridge].waterway
        {
            for lead in windowStarts() {
                let new = chance(bridge, lead, after)
                let old = chance(bridge, lead + elapsed, before)
                if abs(new - old) > best.map({ abs($0.new - $0.old) }) ?? Self.minMove {
                    best = (bridge, lead, old, new)
                }
            }
        }
        guard let best else { return nil }
        let start = after.issueTime.adding(minutes: best.lead)
        let window =
            TimeText.clock(start) + "-" + TimeText.clock(start.adding(minutes: Self.windowMinutes))
        let verb = best.new > best.old ? "rose" : "fell"
        return "\(BridgeCatalogue[best.bridge].name)'s chance for \(window) \(verb) from "
            + "\(percent(best.old)) to \(percent(best.new))"
    }

    /// Leads of windows that begin at a full five minutes of the clock.
    private func windowStarts() -> [Double] {
        let civil = SeattleTime.civil(at: after.issueTime)
        let first = 5 - civil.minuteOfDay.truncatingRemainder(dividingBy: 5)
        return Array(stride(from: first, through: 60 - Self.windowMinutes, by: 5))
    }

    /// The mean chance of a stop over a window.
    private func chance(_ bridge: BridgeIndex, _ lead: Double, _ update: LiveUpdate) -> Double {
        let points = [0, Self.windowMinutes / 2, Self.windowMinutes].map {
            update.table.delayWithin(at: bridge, leadMinutes: lead + $0, queues: true)
                .probabilityDelayed
        }
        return points.reduce(0, +) / Double(points.count)
    }

    private func duration(_ minutes: Double) -> String {
        minutes < 1 ? "less than a minute" : "\(Int(minutes.rounded())) min"
    }

    private func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
