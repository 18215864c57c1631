internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastLive
internal import BridgecastSupport
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import Foundation
private import Logging
internal import ServiceLifecycle
private import Synchronization

/// Reloads the timetable when its file changes, and polls the realtime feeds.
package final class TransitUpdater: Service {
    private let parts: TransitParts
    private let clock: any WallClock
    private let log: Logger
    private let fileMeters: FileMeters
    private let meters: TransitMeters
    private let poller: TransitPoller
    private let shown: Mutex<Shown>
    private struct Shown {
        var timetable: LiveTimetable
        var status: TransitStatus
    }

    /// The file as of the last check, and as it was read.
    private let stamps: Mutex<(last: FeedStamp?, loaded: FeedStamp?)>

    /// Seconds between two checks of the file; it is read once it is unchanged from one check to the next.
    private static let checkSeconds = 2.0

    /// Prepares the timetable, which takes up to a second for a large one.
    init(
        _ parts: TransitParts, live: LiveParts, registry: MetricsRegistry,
        send: @escaping @Sendable (ServiceEvent) -> Void,
        listener: (@Sendable (TransitNews) -> Void)? = nil
    ) {
        self.parts = parts
        clock = live.clock
        log = live.log
        let timetable = LiveTimetable(parts.feed, at: live.clock.now)
        let status = TransitStatus(loadedAt: live.clock.now)
        shown = Mutex(Shown(timetable: timetable, status: status))
        let stamp = parts.url.flatMap { FeedStamp($0) }
        stamps = Mutex((stamp, stamp))
        let meters = TransitMeters(registry)
        self.meters = meters
        fileMeters = FileMeters("bridgecast_transit_timetable", in: registry)
        let sender = TransitEventSender(clock: live.clock, send: send)
        poller = TransitPoller(
            timetable, sources: parts.sources, clock: FollowingClock(live.clock),
            intervalSeconds: parts.intervalSeconds,
            describe: { [log = live.log] error in
                log.warning(
                    "realtime feed failed",
                    metadata: ["reason": "\(printable("\(error)", maxLength: 500))"])
                return Self.publicDescription(of: error)
            },
            listener: { news in
                sender.send(news)
                meters.record(news)
                listener?(news)
            })
        record(status)
    }

    var timetable: LiveTimetable { shown.withLock { $0.timetable } }
    var hasRealtime: Bool { !parts.sources.isEmpty }
    var status: TransitStatus { shown.withLock { $0.status } }

    func sources(at now: Timestamp) -> [SourceStatus] {
        [status.source] + timetable.snapshot.sources.map { SourceStatus($0, at: now) }
    }

    func recordAges() { meters.recordAges(of: timetable.snapshot.sources, at: clock.now) }

    /// Polls the feeds and checks the file until the service stops.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingDiscardingTaskGroup { group in
                if !self.parts.sources.isEmpty { group.addTask { try await self.poller.run() } }
                group.addTask { try await self.checkRegularly() }
            }
        }
    }

    /// Requests the realtime feeds now, unless that was less than ``TransitPoller/minIntervalSeconds`` ago; for tests.
    func refresh() async { await poller.refresh() }

    /// Reads now what the replica that polls has of the realtime feeds.
    func readShared() async { await poller.refreshNow() }

    @concurrent private func checkRegularly() async throws {
        while true {
            try await Task.sleep(for: .seconds(Self.checkSeconds))
            await look()
        }
    }

    /// Loads a newer timetable, once its file is complete.
    @concurrent func look() async {
        guard let url = parts.url else { return }
        let found = FeedStamp(url)
        let isNew = stamps.withLock { stamps in
            defer { stamps.last = found }
            guard found != stamps.loaded, found == stamps.last else { return false }
            stamps.loaded = found
            return true
        }
        guard isNew else { return }
        do {
            await take(try parts.read(url))
        } catch { refuse(error) }
    }

    private func take(_ feed: TransitFeed) async {
        let timetable = LiveTimetable(feed, at: clock.now)
        // With the contents of the realtime feeds, before it is used.
        await poller.use(timetable)
        fileMeters.countReload()
        show { shown in
            shown.timetable = timetable
            shown.status.loadedAt = clock.now
            shown.status.refusal = nil
            shown.status.reloads += 1
        }
        log.info("timetable loaded", metadata: ["name": "\(printable(feed.name))"])
    }

    private func refuse(_ error: any Error) {
        fileMeters.countRefusal()
        show { shown in
            shown.status.refusal = "its newer file is refused: \(Self.publicDescription(of: error))"
            shown.status.refusals += 1
        }
        log.error(
            "timetable refused, the old one stays in use",
            metadata: ["reason": "\(printable("\(error)", maxLength: 500))"])
    }

    private func record(_ status: TransitStatus) {
        fileMeters.record(isRefused: status.refusal != nil, loadedAt: status.loadedAt)
    }

    private func show(_ change: (inout Shown) -> Void) {
        // The old timetable is released after the lock: a large one would make readers wait.
        let (status, old) = shown.withLock { shown in
            let old = shown.timetable
            change(&shown)
            return (shown.status, old)
        }
        record(status)
        withExtendedLifetime(old) {}
    }

    /// The public description of a failure, without addresses and paths.
    private static func publicDescription(of error: any Error) -> String {
        // The location may contain a path; the problem does not.
        if let error = error as? DocumentProblem { return printable(error.problem, maxLength: 160) }
        return FeedError.publicDescription(of: error)
    }
}

/// The state of the timetable's file since the service began.
struct TransitStatus: Sendable, Equatable {
    var loadedAt: Timestamp
    var reloads = 0
    var refusals = 0
    /// Why the current file is not the one in use, without a path; nil if it is.
    var refusal: String?

    /// The timetable as a source of an answer; it has no age.
    var source: SourceStatus {
        SourceStatus(
            id: "timetable", fetchedAt: loadedAt, ageSeconds: nil, isStale: refusal != nil,
            problem: refusal)
    }
}

final class TransitEventSender: Sendable {
    private let clock: any WallClock
    private let send: @Sendable (ServiceEvent) -> Void
    private let reported = Mutex<[String: String]>([:])

    init(clock: any WallClock, send: @escaping @Sendable (ServiceEvent) -> Void) {
        self.clock = clock
        self.send = send
    }

    /// Sends an event if a feed was refreshed, or its problem has changed.
    func send(_ news: TransitNews) {
        let problems = Dictionary(
            news.snapshot.sources.compactMap { source in source.problem.map { (source.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        let isChanged = reported.withLock { reported in
            defer { reported = problems }
            return reported != problems
        }
        guard isChanged || !news.refreshed.isEmpty else { return }
        send(ServiceEvent(.transit, TransitEvent(news: news, now: clock.now).jsonBytes()))
    }
}

struct TransitEvent: JSONObjectAnswer {
    let news: TransitNews
    let now: Timestamp

    func writeFields(into json: inout JSONWriter) {
        let snapshot = news.snapshot
        let zone = snapshot.feed.zone
        json.field("generated_at", zone.rfc3339(now))
        json.field("as_of", zone.rfc3339(snapshot.asOf))
        json.list("refreshed", news.refreshed)
        json.field("realtime_runs", snapshot.runs.count)
        json.field("vehicles", snapshot.vehicles.count)
        json.field("alerts", snapshot.alerts.count)
        json.list("sources", snapshot.sources.map { SourceStatus($0, at: now) })
    }
}
