// Makes boards and events of what the live pipeline publishes; used by LivePipeline.
internal import Bridgecast
internal import BridgecastAnswers
internal import BridgecastLive
internal import BridgecastObservation
private import Synchronization

/// Turns news into boards and events.
final class BoardMaker: Sendable {
    private let state: ServiceState
    private let shown = Mutex<(feeds: [FeedStatus], phase: AppPhase)>(([], .idle))

    init(_ state: ServiceState) { self.state = state }

    /// Shows a board of the news, then tells those who listen what has changed.
    func take(_ news: LiveNews) {
        guard let update = news.update else { return }
        let isFeedNew = shown.withLock { shown in
            defer { shown = (news.feeds, news.phase) }
            return shown.phase != news.phase || !Self.same(shown.feeds, news.feeds)
        }
        let board = Board(
            madeAt: state.now, update: update, feeds: news.feeds,
            phase: news.phase, pace: state.parts.live.clock.pace)
        state.show(board)
        for change in news.changes {
            state.events.send(.state, StateEvent(change, news.events, board).jsonBytes())
        }
        if news.isForecastNew { state.events.send(.forecast, ForecastEvent(board).jsonBytes()) }
        if isFeedNew { state.events.send(.feed, FeedEvent(board).jsonBytes()) }
    }

    /// Whether feeds stand as they stood, but for when they last answered.
    private static func same(_ before: [FeedStatus], _ after: [FeedStatus]) -> Bool {
        before.count == after.count
            && zip(before, after).allSatisfy { $0.id == $1.id && $0.problem == $1.problem }
    }
}
