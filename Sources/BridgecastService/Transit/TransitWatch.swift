// Keeps the timetable and what realtime feeds say of it up to date while the service runs.
// Belongs here: buses and trains as part of a running service; not: what is answered of them (Endpoints).
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastLive
internal import BridgecastTransit
internal import BridgecastTransitAnswers
private import Foundation
private import Logging
internal import ServiceLifecycle
private import Synchronization

/// The newest timetable and snapshot, and who keeps them new.
package final class TransitWatch: Service {
    private let parts: TransitParts
    private let clock: any WallClock
    private let log: Logger
    private let meters: TransitMeters
    private let poller: TransitPoller
    private let shown: Mutex<(desk: TransitDesk, status: TransitStatus)>
    /// The file as it was last looked at, and as it was read.
    private let sight: Mutex<(last: TransitFileIdentity?, taken: TransitFileIdentity?)>

    /// The file is looked at this often, seconds; it must have been at rest from one look to the next.
    private static let lookSeconds = 2.0

    /// Prepares the first desk, which takes up to a second for a large timetable.
    init(_ parts: TransitParts, _ live: LiveParts, _ registry: MetricsRegistry, _ events: EventHub)
    {
        (self.parts, clock, log) = (parts, live.clock, live.log)
        let desk = TransitDesk(parts.feed, at: live.clock.now)
        let status = TransitStatus(loadedAt: live.clock.now)
        shown = Mutex((desk, status))
        let identity = parts.url.flatMap { TransitFileIdentity($0) }
        sight = Mutex((identity, identity))
        let meters = TransitMeters(registry)
        meters.show(status)
        self.meters = meters
        let teller = TransitTeller(events, clock: live.clock)
        poller = TransitPoller(
            desk, parts.sources, clock: live.clock, intervalSeconds: parts.intervalSeconds,
            words: { [log = live.log] error in
                log.warning(
                    "realtime feed failed",
                    metadata: ["reason": "\(printable("\(error)", most: 500))"])
                return Self.words(error)
            },
            listener: { news in
                teller.tell(news)
                meters.show(news)
            })
    }

    /// What boards are read from.
    var desk: TransitDesk { shown.withLock { $0.desk } }
    /// Whether any realtime feed is asked.
    var hasRealtime: Bool { !parts.sources.isEmpty }
    /// How the timetable stands.
    var status: TransitStatus { shown.withLock { $0.status } }

    /// How the timetable and the realtime feeds stand at a moment.
    func sources(at now: Timestamp) -> [SourceStatus] {
        [status.source] + desk.snapshot.sources.map { SourceStatus($0, at: now) }
    }

    /// Takes down for metrics what changes by itself: ages.
    func measure() { meters.showAges(of: desk.snapshot.sources, at: clock.now) }

    /// Asks feeds and looks at the file until the service stops.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingDiscardingTaskGroup { group in
                if !self.parts.sources.isEmpty {
                    group.addTask { try await self.poller.run() }
                }
                group.addTask { try await self.lookAgainAndAgain() }
            }
        }
    }

    /// Asks the realtime feeds now, unless that was less than 20 s ago; for tests and the start.
    func refresh() async { await poller.refresh() }

    @concurrent
    private func lookAgainAndAgain() async throws {
        while true {
            try await Task.sleep(for: .seconds(Self.lookSeconds))
            await look()
        }
    }

    /// Takes a newer timetable over, once its file is at rest.
    @concurrent
    func look() async {
        guard let url = parts.url else { return }
        let found = TransitFileIdentity(url)
        let isNew = sight.withLock { sight in
            defer { sight.last = found }
            guard found != sight.taken, found == sight.last else { return false }
            sight.taken = found
            return true
        }
        guard isNew else { return }
        do {
            await take(try parts.read(url))
        } catch {
            refuse(error)
        }
    }

    private func take(_ feed: TransitFeed) async {
        let desk = TransitDesk(feed, at: clock.now)
        // With what realtime feeds have said, before anybody reads from it.
        await poller.use(desk)
        meters.countReload()
        show { shown in
            shown.desk = desk
            (shown.status.loadedAt, shown.status.refusal) = (clock.now, nil)
            shown.status.reloads += 1
        }
        log.info("timetable loaded", metadata: ["name": "\(printable(feed.name))"])
    }

    private func refuse(_ error: any Error) {
        meters.countRefusal()
        show { shown in
            shown.status.refusal = "its newer file is refused: \(Self.words(error))"
            shown.status.refusals += 1
        }
        log.error(
            "timetable refused, the old one stays in use",
            metadata: ["reason": "\(printable("\(error)", most: 500))"])
    }

    private func show(
        _ change: (inout (desk: TransitDesk, status: TransitStatus)) -> Void
    ) {
        // The old timetable is given back after the lock: a large one takes long enough to make readers wait.
        let (status, old) = shown.withLock { shown in
            let old = shown.desk
            change(&shown)
            return (shown.status, old)
        }
        meters.show(status)
        withExtendedLifetime(old) {}
    }

    /// What strangers are told of a failure, without addresses and paths.
    private static func words(_ error: any Error) -> String {
        // The place may be a path; what is wrong there is not.
        if let error = error as? DocumentProblem { return printable(error.problem, most: 160) }
        return FeedError.publicWords(of: error)
    }
}
