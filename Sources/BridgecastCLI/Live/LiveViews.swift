// The views of a live command: board, lines or JSON.
import ArgumentParser
import Bridgecast
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
internal import BridgecastSupport
import Foundation
import Glibc
import Observation

/// `--format` and `--no-color` of a live command.
struct ViewOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "board, lines or ndjson. Default: board on a terminal, lines if output is piped.")
    var format: WatchFormat?

    @OptionGroup var colours: ColourOptions

    var chosen: WatchFormat {
        format ?? (Terminal.isTerminal(STDOUT_FILENO) ? .board : .lines)
    }
}

/// `--format` of `watch` and `replay`.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    case board, lines, ndjson
}

// MARK: - Board

/// Shows an ``AppStateModel`` on a terminal until it is stopped.
@MainActor
final class BoardView {
    private let app: AppStateModel
    private let clock: any WallClock
    private let title: String
    private let terminal: Terminal
    private let (wakes, wake) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Lines that are up to date, by bridge or route.
    private var cache: [String: StyledLine] = [:]
    private var isFrameWatched = false
    /// Lines made again after a change; for tests of the cost of a change.
    private(set) var linesMade = 0

    /// - Parameter title: "live", or a replay's speed.
    init(_ app: AppStateModel, clock: any WallClock, title: String, terminal: Terminal) {
        self.app = app
        self.clock = clock
        self.title = title
        self.terminal = terminal
    }

    /// Draws whenever a model, the size of the terminal or an age has changed.
    func run() async {
        let ticker = Task { [wake] in
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                wake.yield()
            }
        }
        defer { ticker.cancel() }
        draw()
        for await _ in wakes {
            if Task.isCancelled { return }
            draw()
            // Many changes at once are drawn together.
            try? await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Draws soon, for a resized terminal.
    nonisolated func wakeUp() { wake.yield() }

    /// Ends ``run()``.
    nonisolated func stop() { wake.finish() }

    func draw() {
        terminal.show(lines(width: terminal.size.columns, rows: terminal.size.rows))
    }

    /// All lines of the board.
    func lines(width: Int, rows: Int) -> [StyledLine] {
        let now = clock.now
        watchFrame()
        var lines = [
            BoardText.title(app, title, at: now), StyledLine(), BoardText.header(width: width),
        ]
        for bridge in app.bridges {
            // The age is part of the key: the line is made again when it grows.
            let key = "bridge \(bridge.id) \(width) \(ageText(bridge, now))"
            lines.append(line(key) { BoardText.bridge(bridge, now, width: width) })
        }
        lines.append(StyledLine())
        for (rank, route) in app.routes.enumerated().prefix(8) {
            lines.append(
                line("route \(route.routeID) \(rank)") { BoardText.route(route, rank: rank + 1) })
        }
        if !app.routes.isEmpty { lines.append(StyledLine()) }
        let left = max(3, rows - lines.count - app.feeds.count - 1)
        lines += app.events.prefix(left).map { BoardText.event($0) }
        lines.append(StyledLine())
        return lines + app.feeds.map { BoardText.feed($0, now) }
    }

    /// Wakes the board when a line other than the bridges' changes.
    private func watchFrame() {
        guard !isFrameWatched else { return }
        isFrameWatched = true
        withObservationTracking {
            _ = (app.phase, app.feeds, app.events, app.routes.count)
        } onChange: { [weak self, wake] in
            Task { @MainActor in
                self?.isFrameWatched = false
                wake.yield()
            }
        }
    }

    /// A line from the cache, or made now and observed: changes of the models it has read wake the board.
    private func line(_ key: String, _ make: () -> StyledLine) -> StyledLine {
        if let line = cache[key] { return line }
        if cache.count > 500 { cache = [:] }
        linesMade += 1
        let line = withObservationTracking {
            make()
        } onChange: { [weak self, wake] in
            Task { @MainActor in
                self?.cache[key] = nil
                wake.yield()
            }
        }
        cache[key] = line
        return line
    }

    private func ageText(_ bridge: BridgeStatusModel, _ now: Timestamp) -> String {
        guard case .raised(let since?) = bridge.state else { return "" }
        return TimeText.roughDuration(minutes: now.minutes(since: since))
    }
}

/// The lines of the board.
@MainActor
enum BoardText {
    static let chartWidth = 13

    static func title(_ app: AppStateModel, _ title: String, at now: Timestamp) -> StyledLine {
        let civil = SeattleTime.civil(at: now)
        var line = StyledLine("Bridgecast  ", .bold)
        line.append("\(civil.date) \(TimeText.clock(now)) in Seattle  ")
        switch app.phase {
        case .idle, .loading: line.append("waiting for the bridges' states", .yellow)
        case .ready: line.append(title, .green)
        case .stale(let since):
            line.append(
                "NOT LIVE: the last reading is of \(TimeText.clock(since)), "
                    + TimeText.roughDuration(minutes: now.minutes(since: since)) + " ago", .red)
        case .failed: line.append("NO LIVE STATES", .red)
        }
        return line
    }

    static func header(width: Int) -> StyledLine {
        var line = StyledLine()
        line.append("bridge", .dim, width: 18)
        line.append("state", .dim, width: 18)
        line.append("now", .dim, width: 7, right: true)
        line.append("  chance, 60 min ", .dim)
        line.append("10 min", .dim, width: 8, right: true)
        line.append("30 min", .dim, width: 8, right: true)
        if width >= 96 { line.append("  delay, 60 min  ", .dim) }
        if width >= 104 { line.append("mean", .dim, width: 6, right: true) }
        return line
    }

    static func bridge(_ model: BridgeStatusModel, _ now: Timestamp, width: Int) -> StyledLine {
        var line = StyledLine()
        line.append(model.name, width: 18)
        switch model.state {
        case .raised(let since):
            let text =
                since.map { "RAISED \(TimeText.roughDuration(minutes: now.minutes(since: $0)))" }
                ?? "RAISED"
            line.append(text, .red, width: 18)
        case .lowered: line.append("lowered", .green, width: 18)
        case .unknown:
            let hasSensor = BridgeCatalogue[model.bridge].hasLiveSensor
            line.append(hasSensor ? "unknown" : "unknown, no sensor", .dim, width: 18)
        }
        guard let chance = model.openProbability else { return line }
        line.append(percent(chance), width: 7, right: true)
        line.append("  ")
        let outlook = model.outlook
        line.append(
            chart(outlook.map(\.probability), steps: [0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.7]),
            style(outlook.map(\.probability).max() ?? 0))
        line.append("  ")
        line.append(at(10, outlook).map { percent($0.probability) } ?? "", width: 8, right: true)
        line.append(at(30, outlook).map { percent($0.probability) } ?? "", width: 8, right: true)
        if width >= 96 {
            line.append("  ")
            line.append(
                chart(outlook.map(\.expectedDelaySeconds), steps: [2, 5, 10, 20, 40, 80, 160]))
            line.append("  ")
        }
        if width >= 104, !outlook.isEmpty {
            let mean = outlook.map(\.expectedDelaySeconds).reduce(0, +) / Double(outlook.count)
            line.append(minutesAndSeconds(mean), width: 6, right: true)
        }
        return line
    }

    static func route(_ model: RouteModel, rank: Int) -> StyledLine {
        var line = StyledLine("\(rank)  ", .dim)
        line.append(printable(model.route.name, maxLength: 60), width: 46)
        guard let score = model.latest else { return line }
        line.append(minutesAndSeconds(score.expectedMinutes * 60), width: 8, right: true)
        line.append(
            score.crossings.isEmpty ? "-" : percent(score.probabilityStopped), width: 9, right: true
        )
        return line
    }

    static func event(_ event: BridgeEvent) -> StyledLine {
        var line = StyledLine(TimeText.clock(event.at) + "  ", .dim)
        line.append(printable(event.text, maxLength: 300))
        return line
    }

    static func feed(_ feed: FeedStatus, _ now: Timestamp) -> StyledLine {
        var line = StyledLine("\(feed.id): ", .dim)
        let fetched =
            feed.fetchedAt.map { "\(TimeText.roughDuration(minutes: now.minutes(since: $0))) ago" }
            ?? "never"
        line.append("as of \(fetched)", feed.problem == nil ? .dim : .yellow)
        if let problem = feed.problem {
            line.append("; \(printable(problem, maxLength: 200))", .yellow)
        }
        return line
    }

    /// A bar for each value: the highest step it reaches.
    static func chart(_ values: [Double], steps: [Double]) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let text = values.map { value in bars[steps.count { value >= $0 }] }
        return String(text).padding(toLength: chartWidth, withPad: " ", startingAt: 0)
    }

    private static func style(_ highest: Double) -> StyledLine.Style {
        highest >= 0.3 ? .red : highest >= 0.1 ? .yellow : .plain
    }

    private static func at(_ lead: Double, _ outlook: [OutlookPoint]) -> OutlookPoint? {
        outlook.first { $0.leadMinutes == lead }
    }
}

// MARK: - JSON and lines

/// Writes all that is published, from its first to its last.
@MainActor
struct NewsView {
    private let news: AsyncStream<LiveNews>
    private let text: @MainActor (LiveNews) -> [String]

    private init(_ news: AsyncStream<LiveNews>, _ text: @escaping @MainActor (LiveNews) -> [String])
    {
        self.news = news
        self.text = text
    }

    /// Each update as JSON, as `GET /bridges` of the service has it.
    static func documents(_ news: AsyncStream<LiveNews>) -> NewsView {
        NewsView(news) { news in
            guard let update = news.update, news.isForecastNew || !news.events.isEmpty else {
                return []
            }
            return [String(decoding: document(news, update).jsonBytes(), as: UTF8.self)]
        }
    }

    /// The bridges once, then a line for each event.
    static func lines(_ news: AsyncStream<LiveNews>) -> NewsView {
        var isFirst = true
        return NewsView(news) { news in
            var lines: [StyledLine] = []
            if isFirst, news.phase == .ready, let update = news.update {
                isFirst = false
                lines = states(of: update, at: news.publishedAt)
            }
            return (lines + news.events.map { BoardText.event($0) }).map {
                $0.text(width: 1_000, hasColour: false).trimmingTrailingBlanks()
            }
        }
    }

    /// Writes until the news end.
    ///
    /// - Throws: ``CommandFailure`` if output cannot be written.
    func run() async throws {
        for await news in news {
            for line in text(news) { try Console.print(line) }
        }
    }

    private static func states(of update: LiveUpdate, at now: Timestamp) -> [StyledLine] {
        let app = AppStateModel()
        app.apply(AppStateUpdate(bridges: update.bridges, routes: nil))
        let width = 100
        return [BoardText.header(width: width)]
            + app.bridges.map { BoardText.bridge($0, now, width: width) }
    }

    private static func document(_ news: LiveNews, _ update: LiveUpdate) -> BridgesDocument {
        let view = BridgeView(
            update.situation, update.table, traffic: update.traffic,
            climatology: update.model.climatology)
        let envelope = Envelope(
            generatedAt: news.publishedAt, issueTime: update.issueTime, validAt: update.issueTime,
            model: update.model.header,
            sources: news.feeds.map { SourceStatus($0, at: news.publishedAt) },
            known: KnownStates(update.situation), warnings: news.phase.warnings)
        return BridgesDocument(view, envelope, update: .init(news.phase, news.events))
    }
}
