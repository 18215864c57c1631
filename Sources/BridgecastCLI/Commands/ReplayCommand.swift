// `bridgecast replay`: the past as if it were live, at any speed, without a network.
import ArgumentParser
import Bridgecast
import BridgecastCore
import BridgecastData
import BridgecastLive
import Foundation

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Shows a period of the records as `watch` would have shown it.",
        discussion: """
            One clock drives everything: the feed says what was the case at its moment, forecasts know the \
            records up to the midnight before and what the feed has shown since. Nothing is stored, unless \
            --store names a store for it.
            """)

    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from = "2026-02-20T15:30"

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to = "2026-02-20T19:00"

    @Option(name: .long, help: "Seconds of the replay in a second, or max.")
    var speed = "60"

    @Option(name: .long, help: "Store that gives the records. Default: the shipped records.")
    var records: String?

    @Option(name: .long, help: "Store that keeps what is seen. Default: none.")
    var store: String?

    @Option(
        name: .long,
        help: "Ask this address instead, which answers for the moment in X-Replay-Time.")
    var bridgesURL: String?

    @OptionGroup var options: LiveOptions

    func run() async throws {
        try await reportingFailures {
            let (start, end) = (try PeriodText.start(from), try PeriodText.end(to))
            guard start < end else { throw CommandFailure(.usage, "--to lies before --from") }
            guard let rate = speed == "max" ? .infinity : Double(speed), rate > 0 else {
                throw CommandFailure(.usage, "--speed: '\(speed)' is no number above zero, nor max")
            }
            let all = try history()
            let kept = try store.map { try HistoryStore(URL(fileURLWithPath: $0), .writing) }
            let clock = ReplayClock(from: start, speed: rate)
            let what = "replay, \(speed) times as fast"
            try await options.run("replay", what, until: end) { log in
                let client = bridgesURL.map { _ in FeedClient(clock: clock, log: log) }
                let feed: any BridgeFeed =
                    if let bridgesURL, let client {
                        ReplayHTTPFeed(url: bridgesURL, client: client, clock: clock)
                    } else {
                        ReplayFeed(all, clock: clock)
                    }
                var parts = LiveParts(
                    bridges: feed,
                    records: { all.before(SeattleTime.startOfDay(SeattleTime.civil(at: $0).date)) },
                    log: log)
                parts.store = kept
                parts.clock = clock
                return (parts, client)
            }
        }
    }

    private func history() throws -> OpeningHistory {
        guard let records else { return try LoadedRecords.shipped().history }
        var options = StoreOptions()
        options.store = records
        let store = try options.existing()
        defer { store.close() }
        return try store.history()
    }
}
