// Days whose clock is an hour ahead or behind; a test of RecordsReview.
import BridgecastCore
import Foundation

/// Runs of days whose openings fit the rest's pattern by the minute of the day better an hour earlier or later.
///
/// Each opening is scored by the logarithm of how much likelier it is an hour off, under the pattern of all other
/// weeks. Times are Seattle's wall clock, which bridges and traffic keep through the changes in March and November.
/// In the shipped records the strongest run has 9; a week an hour off mostly has 40, and seldom less than 15.
enum ClockShift {
    private static let threshold = 12.0
    /// Fewer openings give no pattern to compare with.
    private static let fewestOpenings = 1000
    /// No opening says more than this; a tug has leave to pass at closed hours.
    private static let mostOfOne = 2.0
    /// Bridges have to agree: each with at least this much of the score.
    private static let leastOfBridge = 1.5
    private static let fewestBridges = 2
    /// What each day has to bring before it counts for a run, so that quiet days do not lengthen it.
    private static let leastOfDay = 0.5
    /// A weekend says little of the clock: so many days more are set aside on both sides.
    private static let marginDays = 2
    /// Days without any opening longer than this end a run.
    private static let longestPauseDays = 10

    /// The runs of days in each direction that chance does not explain.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let starts = BridgeIndex.all.flatMap { history.covered($0).map(StartPattern.Start.init) }
        guard starts.count >= fewestOpenings else { return [] }
        let pattern = StartPattern(starts)
        let weeks = Dictionary(grouping: starts) { [$0.week, $0.row] }
        return [-60, 60].flatMap { minutes in
            var scores: [Int: [Double]] = [:]
            for start in starts {
                let own = weeks[[start.week, start.row]] ?? []
                let moved = (start.minute + minutes + 1440) % 1440
                let gain =
                    pattern.logDensity(of: start, at: moved, without: own)
                    - pattern.logDensity(of: start, at: start.minute, without: own)
                let none = Array(repeating: 0.0, count: BridgeCatalogue.count)
                scores[start.day, default: none][start.bridge.rawValue] += min(
                    max(gain, -mostOfOne), mostOfOne)
            }
            return findings(scores, minutes, history.coverage)
        }
    }

    private static func findings(
        _ scores: [Int: [Double]], _ minutes: Int, _ coverage: Coverage
    ) -> [RecordsFinding] {
        var sums: [Double] = []
        var days: [Int] = []
        for day in scores.keys.sorted() {
            if let last = days.last, day - last > longestPauseDays {
                sums.append(-.infinity)
                days.append(day)
            }
            sums.append((scores[day] ?? []).reduce(-leastOfDay, +))
            days.append(day)
        }
        return BestRun.all(sums, above: threshold).compactMap { run in
            finding(run, Array(days[run.range]), scores, minutes, coverage)
        }
    }

    private static func finding(
        _ run: BestRun, _ days: [Int], _ scores: [Int: [Double]], _ minutes: Int,
        _ coverage: Coverage
    ) -> RecordsFinding? {
        guard let first = days.first, let last = days.last, first < last else { return nil }
        let agreeing = BridgeIndex.all.count { bridge in
            days.reduce(0) { $0 + (scores[$1]?[bridge.rawValue] ?? 0) } >= leastOfBridge
        }
        guard agreeing >= fewestBridges else { return nil }
        let period = SeattleTime.period(ofDays: first - marginDays...last + marginDays)
        let covered = coverage.clamped(to: period)
        let direction = minutes < 0 ? "ahead" : "behind"
        return RecordsFinding(
            kind: .clock, bridges: BridgeIndex.all.filter { !covered.periods[$0.rawValue].isEmpty },
            period: period, isSetAside: true,
            words:
                "the clock seems an hour \(direction): the openings fit the usual pattern far better "
                + "(score \(Int(run.score)), \(Int(threshold)) is too much) an hour "
                + (minutes < 0 ? "earlier" : "later")
        )
    }
}
