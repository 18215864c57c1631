// What is served: live feeds, or a period of the records; made of a plan, used by ServeRun.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastLive
import BridgecastStore
import Foundation
import Logging

/// Feeds, records and clock of a service.
struct ServeSource {
    /// The parts of the live pipeline.
    let live: LiveParts
    /// All openings that are known now.
    let openings: @Sendable () throws -> OpeningHistory

    /// The place of the store of a plan; nil if nothing is kept.
    ///
    /// - Throws: ``CommandFailure`` if none is named and the environment has no home for one.
    static func store(of plan: ServePlan) throws -> URL? {
        if plan.noStore { return nil }
        if !plan.store.isEmpty { return URL(fileURLWithPath: plan.store) }
        // What a replay shows has happened long ago: it is kept only where that is asked for.
        return plan.replay.isEmpty ? try StoreOptions.usualURL() : nil
    }

    /// A period of the records.
    static func replay(
        _ plan: ServePlan, _ log: Logger, _ store: HistoryStore?
    ) throws -> ServeSource {
        let records = try ReplayRecords(plan.records.isEmpty ? nil : plan.records)
        let period = try records.covered(try period(plan.replay), "of \(printable(plan.replay))")
        let replay = ReplayClock(from: period.lowerBound, speed: plan.speed)
        let clock = EndingClock(replay, until: period.upperBound)
        var live = LiveParts(
            bridges: ReplayFeed(records.history, clock: clock),
            records: { records.known(at: $0) }, log: log)
        (live.store, live.clock) = (store, clock)
        log.info(
            "replay",
            metadata: [
                "from": "\(TimeText.rfc3339(period.lowerBound))",
                "to": "\(TimeText.rfc3339(period.upperBound))", "speed": "\(plan.speed)",
            ])
        return ServeSource(live: live) { records.history.before(clock.now) }
    }

    /// The feeds.
    static func feeds(
        _ plan: ServePlan, _ client: FeedClient, _ log: Logger, _ store: HistoryStore?
    ) throws -> ServeSource {
        var live = LiveParts(
            bridges: CityBridgeFeed(url: plan.bridgesURL, client: client),
            records: { _ in try LoadedRecords.known(to: store) }, log: log)
        live.store = store
        live.interval = RefreshInterval(plan.refresh) ?? .live
        if !plan.travelTimesURL.isEmpty {
            let map = try TravelTimeMap(of: plan.travelTime, freeFlowMilesPerHour: plan.freeFlowMph)
            live.traffic.append(TravelTimesFeed(url: plan.travelTimesURL, map: map, client: client))
        }
        if !plan.trafficFile.isEmpty {
            live.traffic.append(TrafficFileFeed(path: plan.trafficFile))
        }
        return ServeSource(live: live) { try LoadedRecords.known(to: store) }
    }

    /// The period that a text names: a day, a time to the end of its day, or both ends.
    ///
    /// - Throws: ``CommandFailure`` or an error of the time for what is none.
    static func period(_ text: String) throws -> Range<Timestamp> {
        let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(ends.count) else {
            throw CommandFailure(.usage, "--replay: '\(printable(text))' is no day, nor FROM/TO")
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
