// Openings that are those of another time once more; a test of RecordsReview.
import BridgecastCore
import Foundation

/// Stretches of records that repeat others a whole number of hours away, to the second and with the same lengths.
///
/// A single opening finds its like somewhere; a dozen in a row with the same distance, and half of all, do not.
enum Repetition {
    private static let fewest = 12
    private static let leastShare = 0.5
    /// Copies further away than this are not looked for, hours.
    private static let mostHours = 400 * 24
    /// A stretch goes on over pauses of so many seconds.
    private static let longestPauseSeconds = 2 * 86_400
    /// How much more of one side has to be repeated for it to be the one that was copied.
    private static let clearDifference = 0.15
    /// A bridge belongs to a repetition if at least this share of its openings does.
    private static let leastShareOfBridge = 0.25

    /// Where more openings than this have their like, so many are alike that nothing follows from it.
    private static let mostCopies = 4_000_000

    private struct Copy {
        let hours: Int
        /// Seconds on the wall clock since 1970-01-01, of the earlier and the later opening.
        let (earlier, later): (Int, Int)
        let bridge: BridgeIndex
    }

    /// The longest repetition that chance does not explain.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let lists = BridgeIndex.all.map { bridge in
            history.covered(bridge).map { (clock: clock($0.start), seconds: seconds($0)) }
        }
        let copies = BridgeIndex.all.flatMap { Self.copies(of: $0, in: lists[$0.rawValue]) }
            .sorted { ($0.hours, $0.later, $0.bridge) < ($1.hours, $1.later, $1.bridge) }
        var best: ArraySlice<Copy> = []
        var start = 0
        for index in copies.indices {
            let ends =
                index + 1 == copies.count || copies[index + 1].hours != copies[index].hours
                || copies[index + 1].later - copies[index].later > longestPauseSeconds
            guard ends else { continue }
            let run = copies[start...index]
            if run.count > max(best.count, fewest - 1), isOdd(run, lists) { best = run }
            start = index + 1
        }
        return finding(best, lists, history).map { [$0] } ?? []
    }

    private static func copies(
        of bridge: BridgeIndex, in list: [(clock: Int, seconds: Int)]
    ) -> [Copy] {
        let groups = Dictionary(grouping: list) { [$0.clock % 3600, $0.seconds] }.values
        guard groups.reduce(0, { $0 + $1.count * $1.count / 2 }) <= mostCopies else { return [] }
        return groups.flatMap { group in
            group.indices.flatMap { first in
                group[(first + 1)...].prefix { $0.clock - group[first].clock <= mostHours * 3600 }
                    .map {
                        Copy(
                            hours: ($0.clock - group[first].clock) / 3600,
                            earlier: group[first].clock, later: $0.clock, bridge: bridge)
                    }
            }
        }
    }

    /// The shares of a run's openings among all of its bridges, where it comes from and where it leads.
    private static func shares(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> (earlier: Double, later: Double) {
        guard let first = run.first, let last = run.last else { return (0, 0) }
        let bridges = Set(run.map(\.bridge))
        func share(_ from: Int, _ to: Int) -> Double {
            let all = bridges.reduce(0) { sum, bridge in
                sum + lists[bridge.rawValue].count { (from...to).contains($0.clock) }
            }
            return Double(run.count) / Double(max(all, 1))
        }
        return (share(first.earlier, last.earlier), share(first.later, last.later))
    }

    private static func isOdd(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> Bool {
        let shares = shares(run, lists)
        return max(shares.earlier, shares.later) >= leastShare
    }

    private static func finding(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]], _ history: OpeningHistory
    ) -> RecordsFinding? {
        guard let first = run.first, let last = run.last else { return nil }
        let shares = shares(run, lists)
        // What has openings of its own beside the repeated ones is where they were copied to.
        let isLater = shares.later <= shares.earlier + clearDifference
        let (from, to) = isLater ? (first.later, last.later) : (first.earlier, last.earlier)
        let bridges = BridgeIndex.all.filter { bridge in
            let count = run.count { $0.bridge == bridge }
            let all = lists[bridge.rawValue].count { (from...to).contains($0.clock) }
            return count > 1 && Double(count) >= leastShareOfBridge * Double(all)
        }
        guard !bridges.isEmpty else { return nil }
        let period =
            SeattleTime.startOfDay(
                CivilDate(dayNumber: from / 86_400))..<SeattleTime.startOfDay(
                CivilDate(dayNumber: to / 86_400 + 1))
        let distance =
            first.hours % 24 == 0 ? "\(first.hours / 24) days" : "\(first.hours) hours"
        return RecordsFinding(
            kind: .repetition, bridges: bridges, period: period, isSetAside: true,
            words:
                "\(run.count) openings repeat those of \(distance) \(isLater ? "before" : "after"), "
                + "to the minute and with the same lengths")
    }

    private static func clock(_ moment: Timestamp) -> Int {
        let civil = SeattleTime.civil(at: moment)
        return civil.date.dayNumber * 86_400 + civil.secondOfDay
    }

    private static func seconds(_ opening: Opening) -> Int {
        Int(((opening.minutes ?? 0) * 60).rounded())
    }
}
