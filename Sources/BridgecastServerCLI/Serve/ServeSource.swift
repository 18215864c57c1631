// Where a service has its feeds and records from: the feeds themselves, or a period of the past that is replayed.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastLive
import BridgecastStore
internal import BridgecastSupport
import Foundation
import Logging

/// The records of a replay, and the part of the named period that they cover.
struct ServeReplay {
    let records: ReplayRecords
    let period: Range<Timestamp>
}

/// Feeds, records and clock of a service.
struct ServeSource {
    /// The parts of the live pipeline.
    let live: LiveParts
    /// All openings that are known now.
    let openings: @Sendable () throws -> OpeningHistory
    /// Those that forecasts are scored by: without the shipped records, if the feeds are live.
    let outcomes: @Sendable () throws -> OpeningHistory

    /// A service reads and writes little at a time, and has others to serve while a database hangs, seconds.
    private static let maxReplySeconds = 20.0

    /// The location of the store of a plan; nil if nothing is kept.
    ///
    /// - Throws: ``CommandFailure`` if none is named and the environment has no home for one, or ``DatabaseAddressError``.
    static func store(of plan: ServePlan) throws -> StoreLocation? {
        if plan.isOn(.noStore) { return nil }
        if let text = plan.store {
            var location = try StoreLocation(text, passwordFile: plan.storePasswordFile)
            location.change { $0.maxReplySeconds = maxReplySeconds }
            return location
        }
        // What a replay shows happened long ago: it is kept only on request.
        return plan.replay == nil ? .file(try StoreOptions.userURL()) : nil
    }

    /// The URL of the archive of a plan; nil if forecasts are not archived.
    ///
    /// - Throws: As ``store(of:)``.
    static func archive(of plan: ServePlan) throws -> URL? {
        if plan.isOn(.noArchive) { return nil }
        if let path = plan.archive {
            let url = URL(fileURLWithPath: path)
            try ForecastArchive.checkApart(url, fromStore: try store(of: plan)?.neighbour())
            return url
        }
        guard plan.replay == nil else { return nil }
        return try store(of: plan).map { ForecastArchive.url(nextTo: try $0.neighbour()) }
    }

    /// What a plan replays; nil for the live feeds.
    static func replay(of plan: ServePlan) throws -> ServeReplay? {
        guard let named = plan.replay else { return nil }
        let records = try ReplayRecords(plan.records)
        return ServeReplay(
            records: records,
            period: try records.covered(try period(named), "of \(printable(named))"))
    }

    private init(
        live: LiveParts, openings: @escaping @Sendable () throws -> OpeningHistory,
        outcomes: @escaping @Sendable () throws -> OpeningHistory
    ) {
        self.live = live
        self.openings = openings
        self.outcomes = outcomes
    }

    /// A period of the records.
    init(
        replaying replay: ServeReplay, of plan: ServePlan, into store: HistoryStore?, log: Logger
    ) {
        let records = replay.records
        let period = replay.period
        let clock = ReplayClock(
            from: period.lowerBound, speed: plan.speed, until: period.upperBound)
        var live = LiveParts(
            bridges: ReplayFeed(records.history, clock: clock),
            records: { records.known(at: $0) }, log: log)
        live.store = store
        live.clock = clock
        log.info(
            "replay",
            metadata: [
                "from": "\(TimeText.rfc3339(period.lowerBound))",
                "to": "\(TimeText.rfc3339(period.upperBound))", "speed": "\(plan.speed)",
            ])
        self.init(
            live: live, openings: { records.history.before(clock.now) },
            outcomes: { records.history.before(clock.now) })
    }

    /// The feeds.
    init(
        feedsOf plan: ServePlan, through client: FeedClient, into store: HistoryStore?, log: Logger
    ) throws {
        var live = LiveParts(
            bridges: CityBridgeFeed(url: plan.bridgesURL, client: client),
            records: { _ in try LoadedRecords.known(to: store) }, log: log)
        live.store = store
        live.diagnostics = try Self.store(of: plan).map {
            DiagnosticLog(DiagnosticLog.url(nextTo: try $0.neighbour()))
        }
        live.interval = RefreshInterval(plan.refresh) ?? .live
        if let url = plan.travelTimesURL {
            let map = try TravelTimeMap(of: plan.travelTime, freeFlowMilesPerHour: plan.freeFlowMph)
            live.traffic.append(TravelTimesFeed(url: url, map: map, client: client))
        }
        if let path = plan.trafficFile { live.traffic.append(TrafficFileFeed(path: path)) }
        self.init(live: live, openings: { try LoadedRecords.known(to: store) }) {
            try store?.history() ?? OpeningHistory.none
        }
    }

    /// The period that a text names: a day, a time to the end of its day, or both ends.
    ///
    /// - Throws: ``CommandFailure`` or an error of the time for another text.
    private static func period(_ text: String) throws -> Range<Timestamp> {
        let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(ends.count) else {
            throw CommandFailure(
                .usage, "--replay: '\(printable(text))' is neither a day nor FROM/TO")
        }
        let start = try PeriodText.start(ends[0])
        let day = SeattleTime.civil(at: start).date
        let end =
            ends.count == 2
            ? try PeriodText.end(ends[1]) : SeattleTime.startOfDay(day.adding(days: 1))
        guard start < end else {
            throw CommandFailure(.usage, "--replay: '\(printable(text))' ends before it begins")
        }
        return start..<end
    }
}
