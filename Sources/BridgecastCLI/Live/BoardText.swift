// One line of the board for each bridge, and the lines around them, as styled text.
import Bridgecast
import BridgecastCore
import Foundation

/// The lines of the board.
@MainActor
enum BoardText {
    static let chartWidth = 13

    static func title(_ app: AppStateModel, _ now: Timestamp, _ what: String) -> StyledLine {
        let civil = SeattleTime.civil(at: now)
        var line = StyledLine("Bridgecast  ", .bold)
        line.append("\(civil.date) \(TimeText.clock(now)) in Seattle  ")
        switch app.phase {
        case .idle, .loading: line.append("asking for the bridges' states", .yellow)
        case .ready: line.append(what, .green)
        case .stale(let since):
            line.append(
                "NOT LIVE: the last reading is of \(TimeText.clock(since)), "
                    + age(now.minutes(since: since)) + " ago", .red)
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
            let text = since.map { "RAISED \(age(now.minutes(since: $0)))" } ?? "RAISED"
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
        line.append(printable(model.route.name, most: 60), width: 46)
        guard let score = model.latest else { return line }
        line.append(minutesAndSeconds(score.expectedMinutes * 60), width: 8, right: true)
        line.append(
            score.crossings.isEmpty ? "-" : percent(score.probabilityStopped), width: 9, right: true
        )
        return line
    }

    static func event(_ event: BridgeEvent) -> StyledLine {
        var line = StyledLine(TimeText.clock(event.at) + "  ", .dim)
        line.append(printable(event.text, most: 300))
        return line
    }

    static func feed(_ feed: FeedStatus, _ now: Timestamp) -> StyledLine {
        var line = StyledLine("\(feed.id): ", .dim)
        let fetched = feed.fetchedAt.map { "\(age(now.minutes(since: $0))) ago" } ?? "never"
        line.append("as of \(fetched)", feed.problem == nil ? .dim : .yellow)
        if let problem = feed.problem { line.append("; \(printable(problem, most: 200))", .yellow) }
        return line
    }

    /// A bar for each value: the highest step it reaches.
    static func chart(_ values: [Double], steps: [Double]) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let text = values.map { value in bars[steps.count { value >= $0 }] }
        return String(text).padding(toLength: chartWidth, withPad: " ", startingAt: 0)
    }

    /// An age in words: seconds below two minutes, minutes below two hours, then hours.
    static func age(_ minutes: Double) -> String {
        let seconds = max(0, minutes * 60)
        if seconds < 120 { return "\(Int(seconds)) s" }
        return minutes < 120 ? "\(Int(minutes)) min" : "\(Int(minutes / 60)) h"
    }

    private static func style(_ highest: Double) -> StyledLine.Style {
        highest >= 0.3 ? .red : highest >= 0.1 ? .yellow : .plain
    }

    private static func at(_ lead: Double, _ outlook: [OutlookPoint]) -> OutlookPoint? {
        outlook.first { $0.leadMinutes == lead }
    }
}
