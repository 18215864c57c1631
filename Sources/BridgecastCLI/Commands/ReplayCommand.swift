// `bridgecast replay`: the past as if it were live, at any speed, without a network.
package import ArgumentParser
import BridgecastCore
package import BridgecastData
package import BridgecastLive
import Foundation
package import Logging

/// Replays from the records alone; with `--bridges-url` the program for the network does it.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = ReplayOptions.configuration

    @OptionGroup var replay: ReplayOptions

    func run() async throws {
        try await reportingFailures {
            if replay.bridgesURL == nil {
                try await replay.run()
            } else {
                try ServerProgram.start(Console.current.arguments)
            }
        }
    }
}

/// What to replay, and how fast; shared by both programs.
package struct ReplayOptions: ParsableArguments {
    /// The command's name and words in help.
    package static let configuration = CommandConfiguration(
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

    @Option(
        name: .long,
        help: "Opening records: a store, or a file of CSV or JSON. Default: the shipped records.")
    var records: String?

    @Option(name: .long, help: "Store that keeps what is seen. Default: none.")
    var store: String?

    @Option(
        name: .long,
        help: "Ask this address instead, which answers for the moment in X-Replay-Time.")
    package var bridgesURL: String?

    @OptionGroup var options: LiveOptions

    /// Creates the usual options.
    package init() {}

    /// A live feed that is asked over a network, and how it is closed.
    package typealias NetworkFeed = (feed: any BridgeFeed, close: @Sendable () async -> Void)

    /// Replays until the period's end.
    ///
    /// - Parameter ask: Makes the feed behind `--bridges-url`; without it the records are the feed.
    package func run(
        asking ask: ((String, ReplayClock, Logger) -> NetworkFeed)? = nil
    ) async throws {
        let (start, end) = (try PeriodText.start(from), try PeriodText.end(to))
        guard start < end else { throw CommandFailure(.usage, "--to lies before --from") }
        guard let rate = speed == "max" ? .infinity : Double(speed), rate > 0 else {
            throw CommandFailure(.usage, "--speed: '\(speed)' is no number above zero, nor max")
        }
        let all = try history()
        if bridgesURL == nil { try check(all.coverage, start..<end) }
        let kept = try store.map { try HistoryStore(URL(fileURLWithPath: $0), .writing) }
        let clock = ReplayClock(from: start, speed: rate)
        let what = "replay, \(speed) times as fast"
        try await options.run("replay", what, until: end) { log in
            let source: NetworkFeed =
                if let bridgesURL, let ask {
                    ask(bridgesURL, clock, log)
                } else {
                    (ReplayFeed(all, clock: clock), {})
                }
            var parts = LiveParts(
                bridges: source.feed,
                records: { all.before(SeattleTime.startOfDay(SeattleTime.civil(at: $0).date)) },
                log: log)
            parts.store = kept
            parts.clock = clock
            return (parts, source.close)
        }
    }

    /// The records are the feed: there must be some of the period.
    private func check(_ coverage: Coverage, _ period: Range<Timestamp>) throws {
        guard coverage.clamped(to: period).isEmpty else { return }
        let periods = coverage.periods.flatMap { $0 }
        let first = periods.map(\.lowerBound).min().map(TimeText.rfc3339)
        let last = periods.map(\.upperBound).max().map(TimeText.rfc3339)
        let known = first.flatMap { first in last.map { "they lie between \(first) and \($0)" } }
        throw CommandFailure(
            .data, "no covered records from \(from) to \(to): \(known ?? "there are none at all")")
    }

    private func history() throws -> OpeningHistory {
        guard let records else { return try LoadedRecords.shipped().history }
        let url = URL(fileURLWithPath: records)
        if try HistoryStore.isDatabase(url) {
            let store = try HistoryStore(url, .reading)
            defer { store.close() }
            return try store.history()
        }
        let loaded = LoadedRecords(
            [try RecordFile(url, now: .now)], stated: [],
            OpeningConsolidation.defaultGapSeconds, [])
        for line in loaded.notes { note("bridgecast: note: \(line)") }
        return loaded.history
    }
}
