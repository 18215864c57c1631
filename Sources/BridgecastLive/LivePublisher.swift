// Puts forecasts and events into the models and into the log; used by LiveService.
internal import Bridgecast
internal import Logging

/// Writes to an ``AppStateModel`` and logs what it wrote; belongs to one service.
@MainActor
final class LivePublisher {
    private let app: AppStateModel
    private let log: Logger
    private let listener: (@Sendable (LiveNews) -> Void)?
    private var eventCount = 0
    private var shown: LiveUpdate?
    private var told: [FeedStatus] = []

    nonisolated init(_ app: AppStateModel, _ parts: LiveParts) {
        (self.app, log, listener) = (app, parts.log, parts.listener)
    }

    /// How things stand while something is shown.
    struct Condition: Sendable {
        var feed: FeedStatus
        var phase: AppPhase
        var failure: RefreshFailure?
    }

    /// Shows how things stand.
    func publish(_ condition: Condition) {
        show(condition)
        tell()
    }

    private func show(_ condition: Condition) {
        app.set(feed: condition.feed)
        app.set(phase: condition.phase, error: condition.failure, isLoading: false)
    }

    /// Tells the listener how the feeds stand, if that has changed: those besides the bridges answer in between.
    func tellFeeds() {
        if app.feeds != told { tell() }
    }

    private func tell(
        isForecastNew: Bool = false, _ changes: [BridgeChange] = [], _ events: [BridgeEvent] = []
    ) {
        told = app.feeds
        listener?(
            LiveNews(
                update: shown, isForecastNew: isForecastNew, changes: changes, events: events,
                feeds: app.feeds, phase: app.phase))
    }

    /// Shows a forecast, what changed and how old it is, all in one turn: nobody sees a part of it.
    func publish(
        _ update: LiveUpdate, _ changes: [BridgeChange], before: LiveUpdate?,
        _ condition: Condition?
    ) {
        if let condition { show(condition) }
        shown = update
        let narrator = ChangeNarrator(before: before, after: update)
        let isBeginning = changes.count > 1 && changes.allSatisfy { $0.before == .unknown }
        let events =
            isBeginning
            ? [event(update.issueTime, nil, narrator.beginning(changes))]
            : changes.map { event($0.at, $0.bridge, narrator.sentence($0)) }
        app.apply(AppStateUpdate(bridges: update.bridges, routes: nil, events: events))
        tell(isForecastNew: true, changes, events)
        for event in events { write(event) }
        for bridge in update.bridges {
            log.debug(
                "bridge updated",
                metadata: [
                    "bridge_id": "\(BridgeCatalogue[bridge.bridge].id)",
                    "issue_time": "\(TimeText.rfc3339(update.issueTime))",
                    "state": "\(bridge.state)",
                    "probability": "\(bridge.delay.probabilityDelayed)",
                ])
        }
    }

    /// Shows routes ranked with a forecast.
    func publish(_ ranking: RouteRanking) {
        app.apply(AppStateUpdate(bridges: [], routes: ranking.scores))
        for score in ranking {
            log.debug(
                "route updated",
                metadata: [
                    "route_id": "\(printable(score.route.id))",
                    "issue_time": "\(TimeText.rfc3339(ranking.issueTime))",
                    "score_min": "\(score.score)",
                ])
        }
    }

    /// Shows something that happened to a feed.
    func report(_ now: Timestamp, _ text: String) {
        let event = event(now, nil, text)
        app.apply(AppStateUpdate(bridges: [], routes: nil, events: [event]))
        tell(isForecastNew: false, [], [event])
        write(event)
    }

    private func event(_ at: Timestamp, _ bridge: BridgeIndex?, _ text: String) -> BridgeEvent {
        eventCount += 1
        return BridgeEvent(id: eventCount, at: at, bridge: bridge, text: text)
    }

    private func write(_ event: BridgeEvent) {
        var metadata: Logger.Metadata = [
            "event_id": "\(event.id)", "at": "\(TimeText.rfc3339(event.at))",
        ]
        if let bridge = event.bridge { metadata["bridge_id"] = "\(BridgeCatalogue[bridge].id)" }
        log.info("\(event.text)", metadata: metadata)
    }
}
