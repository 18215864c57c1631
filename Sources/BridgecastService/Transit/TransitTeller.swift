// Tells listeners that realtime feeds have something new, or fail, or answer again; used by TransitWatch.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
private import Synchronization

/// Turns news of realtime feeds into events.
final class TransitTeller: Sendable {
    private let events: EventHub
    private let clock: any WallClock
    /// What was wrong with each feed when it was last told.
    private let told = Mutex<[String: String]>([:])

    init(_ events: EventHub, clock: any WallClock) { (self.events, self.clock) = (events, clock) }

    /// Sends an event if something is new in a snapshot, or wrong, or right again.
    func tell(_ news: TransitNews) {
        let problems = Dictionary(
            news.snapshot.sources.compactMap { source in source.problem.map { (source.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        let isOther = told.withLock { told in
            defer { told = problems }
            return told != problems
        }
        guard isOther || !news.refreshed.isEmpty else { return }
        let event = TransitEvent(news, at: clock.now)
        events.send(.transit, event.jsonBytes())
    }
}
