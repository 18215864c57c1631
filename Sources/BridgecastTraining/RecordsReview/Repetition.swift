// Openings that are those of another time once more; a test of RecordsReview.
import BridgecastCore
import Foundation

/// Stretches of records that repeat others a whole number of hours away, to the second and with the same lengths.
///
/// A single opening finds its like somewhere; a dozen in a row with the same distance, and half of all, do not. Where a
/// stretch was copied onto itself, an opening is one of the half if it stands before its like or behind it.
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
    /// Ends in which fewer than an eleventh of the openings are repeated are likes by chance, and no part of it.
    private static let weightWithoutLike = 0.1

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
            history.covered(bridge).map { (clock: $0.clockSeconds, seconds: $0.lengthSeconds) }
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
        return finding(best, lists).map { [$0] } ?? []
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

    /// The share of the openings of a run's bridges in a range of seconds that stand before or behind their like.
    private static func share(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]], in range: Range<Int>
    ) -> Double {
        var (alike, all) = (0, 0)
        for (bridge, own) in Dictionary(grouping: run, by: \.bridge) {
            let clocks = Set(own.flatMap { [$0.earlier, $0.later] })
            for row in lists[bridge.rawValue] where range.contains(row.clock) {
                all += 1
                alike += clocks.contains(row.clock) ? 1 : 0
            }
        }
        return Double(alike) / Double(max(all, 1))
    }

    private static func isOdd(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> Bool {
        guard let first = run.first, let last = run.last else { return false }
        return share(run, lists, in: first.earlier..<last.earlier + 1) >= leastShare
            || share(run, lists, in: first.later..<last.later + 1) >= leastShare
    }

    private static func finding(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> RecordsFinding? {
        guard let first = run.first, let last = run.last else { return nil }
        // What has openings of its own beside the repeated ones is where they were copied to; that shows outside of
        // what originals and copies share.
        let earlier = share(run, lists, in: first.earlier..<min(last.earlier + 1, first.later))
        let later = share(run, lists, in: max(first.later, last.earlier + 1)..<last.later + 1)
        let isLater = later <= earlier + clearDifference
        let rows = target(run, lists, isLater: isLater)
        guard let best = BestRun(rows.map { $0.isRepeated ? 1 : -weightWithoutLike }) else {
            return nil
        }
        let stretch = rows[best.range]
        let bridges = BridgeIndex.all.filter { bridge in
            let own = stretch.filter { $0.bridge == bridge }
            let count = own.count { $0.isRepeated }
            return count > 1 && Double(count) >= leastShareOfBridge * Double(own.count)
        }
        guard !bridges.isEmpty, let start = stretch.first, let end = stretch.last else {
            return nil
        }
        let period = SeattleTime.period(ofDays: start.clock / 86_400...end.clock / 86_400)
        let distance = DoubledRows.distance(first.hours * 3_600)
        return RecordsFinding(
            kind: .repetition, bridges: bridges, period: period, isSetAside: true,
            words:
                "\(stretch.count { $0.isRepeated }) openings repeat those of \(distance) "
                + "\(isLater ? "before" : "after"), to the minute and with the same lengths")
    }

    /// The openings of a run's bridges where it leads to, in order.
    private static func target(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]], isLater: Bool
    ) -> [(clock: Int, bridge: BridgeIndex, isRepeated: Bool)] {
        let clocks = run.map { isLater ? $0.later : $0.earlier }
        guard let from = clocks.min(), let to = clocks.max() else { return [] }
        return Dictionary(grouping: zip(run, clocks), by: \.0.bridge).flatMap { bridge, own in
            let repeated = Set(own.map(\.1))
            return lists[bridge.rawValue].filter { (from...to).contains($0.clock) }.map {
                (clock: $0.clock, bridge: bridge, isRepeated: repeated.contains($0.clock))
            }
        }.sorted { ($0.clock, $0.bridge) < ($1.clock, $1.bridge) }
    }
}
