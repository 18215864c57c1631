// Options of `replay`, and the run itself; `bridgecast-server` adds the states of a server.
package import ArgumentParser
import BridgecastCore
package import BridgecastData
package import BridgecastLive
import BridgecastStore
import Foundation
package import Logging

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

    /// Makes the feed behind an address, hands it on, and closes it afterwards whatever happens.
    package typealias Asking = (
        _ url: String, _ clock: ReplayClock, _ log: Logger,
        _ body: (any BridgeFeed) async throws -> Void
    ) async throws -> Void

    /// Replays until the period's end.
    ///
    /// - Parameter ask: Asks what is behind `--bridges-url`; without it the records are the feed.
    package func run(asking ask: Asking? = nil) async throws {
        var (start, end) = (try PeriodText.start(from), try PeriodText.end(to))
        guard start < end else {
            throw CommandFailure(.usage, "--to lies before --from, or at it")
        }
        guard let rate = speed == "max" ? .infinity : Double(speed), rate > 0,
            speed == "max" || (0.001...1e6).contains(rate)
        else {
            throw CommandFailure(
                .usage, "--speed: '\(speed)' is no number above zero (0.001 to 1000000), nor max")
        }
        let past = try ReplayRecords(records)
        if bridgesURL == nil {
            let known = try past.covered(start..<end, "from \(from) to \(to)")
            (start, end) = (known.lowerBound, known.upperBound)
        }
        let kept = try store.map { try HistoryStore(URL(fileURLWithPath: $0), .writing) }
        let clock = ReplayClock(from: start, speed: rate)
        let what = "replay, \(speed) times as fast"
        let setting = try options.prepare("replay")
        func show(_ feed: any BridgeFeed) async throws {
            var parts = LiveParts(
                bridges: feed,
                records: { past.known(at: $0) }, log: setting.log)
            parts.store = kept
            parts.clock = clock
            try await setting.show(parts, what, until: end)
        }
        if let bridgesURL, let ask {
            try await ask(bridgesURL, clock, setting.log, show)
        } else {
            try await show(ReplayFeed(past.history, clock: clock))
        }
    }
}
