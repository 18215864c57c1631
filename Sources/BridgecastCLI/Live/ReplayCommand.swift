// `bridgecast replay`: the past as if it were live, at any speed, without a network.
package import ArgumentParser
package import BridgecastCore
package import BridgecastData
package import BridgecastLive
import BridgecastStore
import Foundation
package import Logging

/// Replays from the records; with `--bridges-url` the other program does it.
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
    package static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Shows a period of the records as `watch` would have shown it.",
        discussion: """
            One clock drives everything: the feed has the states of its time, forecasts know the records up to \
            the midnight before and the states of the feed since. Nothing is stored, unless --store names a \
            store for it.
            """)

    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from = "2026-02-20T15:30"

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to = "2026-02-20T19:00"

    @Option(name: .long, help: "Seconds of the replay per second, or max.")
    var speed = "60"

    @Option(
        name: .long,
        help: "Opening records: a store, or a file of CSV or JSON. Default: the shipped records.")
    var records: String?

    @Option(name: .long, help: "Store that keeps what is seen. Default: none.")
    var store: String?

    @Option(
        name: .long, help: "Archive that keeps what is forecast, for replays only. Default: none.")
    var archive: String?

    @Option(
        name: .long,
        help: "Request this address instead, which answers for the time in X-Replay-Time.")
    package var bridgesURL: String?

    @OptionGroup var options: LiveOptions

    package init() {}

    /// Opens the feed of an address for a closure.
    package typealias Asking = (
        _ url: String, _ clock: ReplayClock, _ log: Logger,
        _ body: (any BridgeFeed) async throws -> Void
    ) async throws -> Void

    /// Replays until the period's end.
    ///
    /// - Parameter ask: Opens the feed of `--bridges-url`; without it the records are the feed.
    package func run(asking ask: Asking? = nil) async throws {
        var start = try PeriodText.start(from)
        var end = try PeriodText.end(to)
        guard start < end else {
            throw CommandFailure(.usage, "--to is before --from, or equal")
        }
        guard let rate = speed == "max" ? .infinity : Double(speed), rate > 0,
            speed == "max" || (0.001...1e6).contains(rate)
        else {
            throw CommandFailure(
                .usage, "--speed: '\(speed)' is neither a number from 0.001 to 1000000 nor max")
        }
        let past = try ReplayRecords(records)
        if bridgesURL == nil {
            let known = try past.covered(start..<end, "from \(from) to \(to)")
            start = known.lowerBound
            end = known.upperBound
        }
        if let archive {
            try ForecastArchive.checkApart(
                URL(fileURLWithPath: archive), fromStore: store.map { URL(fileURLWithPath: $0) })
        }
        let history = try store.map { try HistoryStore.open(try StoreLocation($0), .writing) }
        let clock = ReplayClock(from: start, speed: rate)
        let title = "replay, \(speed) times as fast"
        let setting = try options.prepare("replay")
        // A replay can be repeated, so it fails at once if its archive cannot be used.
        try archive.map { try ForecastArchive(URL(fileURLWithPath: $0), writing: .replay) }?.close()
        func show(_ feed: any BridgeFeed) async throws {
            var parts = LiveParts(
                bridges: feed,
                records: { past.known(at: $0) }, log: setting.log)
            parts.store = history
            parts.clock = clock
            parts.archiver = archive.map { path in
                .archiving(
                    to: URL(fileURLWithPath: path), .replay, reference: nil, clock: clock,
                    log: setting.log
                ) { past.history.before(clock.now) }
            }
            try await setting.show(parts, title: title, until: LiveEnd(time: end))
        }
        if let bridgesURL, let ask {
            try await ask(bridgesURL, clock, setting.log, show)
        } else {
            try await show(ReplayFeed(past.history, clock: clock))
        }
    }
}

// MARK: - Records

/// The records of a replay.
package struct ReplayRecords: Sendable {
    package let history: OpeningHistory

    /// Reads a store or a file of records; the shipped records if none is named.
    package init(_ records: String?) throws {
        guard let records else {
            history = try LoadedRecords.shipped().history
            return
        }
        let gap = OpeningConsolidation.defaultGapSeconds
        let source = try RecordSource(records, gapSeconds: gap)
        let coverage = source.coverage ?? .inferred(from: source.openings)
        let loaded = LoadedRecords([source], stated: [coverage], gapSeconds: gap)
        remark(loaded.notes)
        history = loaded.history
    }

    /// The records of the days before.
    package func known(at time: Timestamp) -> OpeningHistory {
        history.before(SeattleTime.startOfDay(SeattleTime.civil(at: time).date))
    }

    /// The part of a period that the records cover.
    ///
    /// - Parameter name: The period for the message.
    /// - Throws: ``CommandFailure`` if they cover none of it.
    package func covered(_ period: Range<Timestamp>, _ name: String) throws -> Range<Timestamp> {
        let coverage = history.coverage
        if let known = Self.span(coverage.clamped(to: period)) { return known.clamped(to: period) }
        let extent = Self.span(coverage).map {
            "they are between \(TimeText.rfc3339($0.lowerBound)) and "
                + "\(TimeText.rfc3339($0.upperBound)), with gaps"
        }
        throw CommandFailure(
            .data, "no covered records \(name): \(extent ?? "there are none at all")")
    }

    private static func span(_ coverage: Coverage) -> Range<Timestamp>? {
        let periods = coverage.periods.flatMap { $0 }
        guard let first = periods.map(\.lowerBound).min(),
            let last = periods.map(\.upperBound).max()
        else { return nil }
        return first..<last
    }
}
