// The board on a terminal: each line watches what it shows and is drawn again when that changes.
import Bridgecast
import BridgecastCore
import Observation

/// Shows an ``AppStateModel`` until it is told to stop.
@MainActor
final class BoardView {
    private let app: AppStateModel
    private let clock: any WallClock
    private let what: String
    private let terminal: Terminal
    private let (wakes, wake) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Lines that are still right, by what they show.
    private var cache: [String: StyledLine] = [:]
    private var isFrameWatched = false
    /// Lines made again because what they show had changed; for tests of what a change costs.
    private(set) var linesMade = 0

    /// Creates a board.
    ///
    /// - Parameter what: What is shown, for the title: "live", or a replay's speed.
    init(_ app: AppStateModel, clock: any WallClock, what: String, terminal: Terminal) {
        (self.app, self.clock, self.what, self.terminal) = (app, clock, what, terminal)
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
            // Many changes in a moment are one drawing.
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
        var lines = [BoardText.title(app, now, what), StyledLine(), BoardText.header(width: width)]
        for bridge in app.bridges {
            // An age that is shown is part of the key: the line is made anew when it grows.
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

    /// Wakes the board when something around the bridges' lines changes.
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

    /// A line from the cache, or made now and watched: what it has read of the models wakes the board.
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
        return BoardText.age(now.minutes(since: since))
    }
}
