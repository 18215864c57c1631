// Tests for openings that are recorded twice: every row of a stretch, or a whole stretch at another time.
import BridgecastCore
import Foundation

/// Long stretches of records in which nearly every opening has a copy at one short distance, to the second and with
/// the same length.
///
/// Equal rows have become one opening before; these are rows that were entered again with another time. Which of the
/// two is true is unknown. At longer distances a stretch was copied elsewhere, and ``Repetition`` finds where to.
/// In the shipped records the strongest stretch scores less than 4 of the 100, of all bridges together and of each.
enum DoubledRows {
    /// The minimal score of a stretch: openings with a copy, less a share of those without.
    private static let minScore = 100
    /// That of one bridge's stretch in which only pairs count; in the shipped records the strongest scores less than 3.
    private static let minScoreOfPairs = 12
    /// Less than 1, since of three rows at uneven distances one has no copy at each.
    private static let unmatchedWeight = 0.5
    /// The distance is at most this share of the stretch, so that originals and copies are mixed over most of it.
    private static let maxShareOfStretch = 0.1
    /// A bridge belongs to the stretch if at least this share of its openings has a copy.
    private static let minShareOfBridge = 0.5
    /// The longest distance, seconds.
    private static let maxSeconds = 400 * 86_400
    /// Openings of a bridge whose distances to others are counted, spread evenly over all of them.
    private static let anchors = 300
    /// How many of the most frequent distances are tried.
    private static let maxDistances = 8

    private struct Row: Hashable {
        let bridge: BridgeIndex
        /// Seconds on the wall clock since 1970-01-01.
        var clock: Int
        let length: Int

        init(_ opening: Opening) {
            bridge = opening.bridge
            clock = opening.clockSeconds
            length = opening.lengthSeconds
        }

        func moved(by seconds: Int) -> Row {
            var row = self
            row.clock += seconds
            return row
        }

        var day: Int { clock / 86_400 }
    }

    /// The longest stretch of all bridges if they share it, else that of each bridge that has one, else of some
    /// together.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let lists = BridgeIndex.all.map { history.covered($0).map(Row.init) }
        let common = longest(lists).map { [$0] } ?? []
        let isShared = common.contains { finding in
            BridgeIndex.all.allSatisfy { bridge in
                finding.bridges.contains(bridge)
                    || !history.covered(bridge).contains { finding.period.contains($0.start) }
            }
        }
        if isShared { return common }
        let own = lists.compactMap { longest([$0]) ?? longest([$0], ofPairs: true) }
        return own.isEmpty ? common : own
    }

    /// - Parameter ofPairs: Whether an opening with a copy on both sides is without one: it is one of a regular series,
    ///   of which a few weeks could be taken for a fault.
    private static func longest(_ lists: [[Row]], ofPairs: Bool = false) -> RecordsFinding? {
        let minScore = ofPairs ? minScoreOfPairs : Self.minScore
        let rows = lists.flatMap(\.self).sorted { ($0.clock, $0.bridge) < ($1.clock, $1.bridge) }
        guard rows.count >= minScore else { return nil }
        let all = Set(rows)
        var best: (run: BestRun, seconds: Int)?
        for seconds in distances(lists) {
            let run = BestRun(
                rows.map { row in
                    let isMatched =
                        ofPairs
                        ? hasOneCopy(row, at: seconds, in: all) : hasCopy(row, at: seconds, in: all)
                    return isMatched ? 1 : -unmatchedWeight
                })
            guard let run, run.score > best?.run.score ?? Double(minScore - 1) else { continue }
            let length = rows[run.range.upperBound - 1].clock - rows[run.range.lowerBound].clock
            if Double(seconds) <= maxShareOfStretch * Double(length) { best = (run, seconds) }
        }
        guard let (run, seconds) = best else { return nil }
        return finding(rows[run.range], distance: seconds, in: all)
    }

    private static func hasCopy(_ row: Row, at seconds: Int, in all: Set<Row>) -> Bool {
        all.contains(row.moved(by: seconds)) || all.contains(row.moved(by: -seconds))
    }

    private static func hasOneCopy(_ row: Row, at seconds: Int, in all: Set<Row>) -> Bool {
        all.contains(row.moved(by: seconds)) != all.contains(row.moved(by: -seconds))
    }

    /// The most frequent distances between openings of one bridge and length, in seconds, above 0.
    private static func distances(_ lists: [[Row]]) -> [Int] {
        var counts: [Int: Int] = [:]
        for list in lists {
            let groups = Dictionary(grouping: list, by: \.length)
            for row in stride(from: 0, to: list.count, by: max(1, list.count / anchors)) {
                let anchor = list[row]
                let group = groups[anchor.length] ?? []
                let first = group.partitioningIndex { $0.clock > anchor.clock }
                for other in group[first...].prefix(while: {
                    $0.clock - anchor.clock <= maxSeconds
                }) { counts[other.clock - anchor.clock, default: 0] += 1 }
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(maxDistances)
            .map(\.key)
    }

    private static func finding(
        _ stretch: ArraySlice<Row>, distance seconds: Int, in all: Set<Row>
    ) -> RecordsFinding? {
        guard let first = stretch.first, let last = stretch.last else { return nil }
        let bridges = BridgeIndex.all.filter { bridge in
            let own = stretch.filter { $0.bridge == bridge }
            let doubled = own.count { hasCopy($0, at: seconds, in: all) }
            return doubled > 0 && Double(doubled) >= minShareOfBridge * Double(own.count)
        }
        guard !bridges.isEmpty else { return nil }
        let doubled = stretch.count { hasCopy($0, at: seconds, in: all) }
        return RecordsFinding(
            kind: .repetition, bridges: bridges,
            period: SeattleTime.period(ofDays: first.day...last.day), isSetAside: true,
            message: "openings appear twice: \(doubled) of \(stretch.count) have a copy "
                + "\(distanceText(seconds)) before or after, with the same length")
    }

    /// A distance in the largest unit that it is a multiple of, such as "20 minutes".
    static func distanceText(_ seconds: Int) -> String {
        let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        let (size, name) = units.first { seconds % $0.0 == 0 } ?? (1, "second")
        return "\(seconds / size) \(name)\(seconds == size ? "" : "s")"
    }
}

/// Stretches of records that repeat others a whole number of hours away, to the second and with the same lengths.
///
/// A single opening has a twin somewhere by chance; a dozen in a row with the same distance, and half of all, do not.
/// Where a stretch was copied onto itself, an opening counts towards the half if its twin is earlier or later.
enum Repetition {
    private static let minCopies = 12
    private static let minShare = 0.5
    /// The longest distance, hours.
    private static let maxHours = 400 * 24
    /// Longer pauses end a stretch.
    private static let maxPauseSeconds = 2 * 86_400
    /// How much more of one side has to be repeated for it to be the one that was copied.
    private static let clearDifference = 0.15
    /// A bridge belongs to a repetition if at least this share of its openings does.
    private static let minShareOfBridge = 0.25
    /// Ends in which fewer than an eleventh of the openings are repeated are chance, and not part of it.
    private static let unmatchedWeight = 0.1
    /// With more pairs than this openings are so much alike that nothing follows from it.
    private static let maxPairs = 4_000_000

    private struct Copy {
        /// The distance.
        let hours: Int
        /// Start of the earlier opening, seconds on the wall clock since 1970-01-01.
        let earlier: Int
        let later: Int
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
                || copies[index + 1].later - copies[index].later > maxPauseSeconds
            guard ends else { continue }
            let run = copies[start...index]
            if run.count > max(best.count, minCopies - 1), isRepetition(run, lists) { best = run }
            start = index + 1
        }
        return finding(best, lists).map { [$0] } ?? []
    }

    private static func copies(
        of bridge: BridgeIndex, in list: [(clock: Int, seconds: Int)]
    ) -> [Copy] {
        let groups = Dictionary(grouping: list) { [$0.clock % 3600, $0.seconds] }.values
        guard groups.reduce(0, { $0 + $1.count * $1.count / 2 }) <= maxPairs else { return [] }
        return groups.flatMap { group in
            group.indices.flatMap { first in
                group[(first + 1)...].prefix { $0.clock - group[first].clock <= maxHours * 3600 }
                    .map {
                        Copy(
                            hours: ($0.clock - group[first].clock) / 3600,
                            earlier: group[first].clock, later: $0.clock, bridge: bridge)
                    }
            }
        }
    }

    /// The share of the openings of a run's bridges in a range of seconds that have a copy in the run.
    private static func share(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]], in range: Range<Int>
    ) -> Double {
        var alike = 0
        var all = 0
        for (bridge, own) in Dictionary(grouping: run, by: \.bridge) {
            let clocks = Set(own.flatMap { [$0.earlier, $0.later] })
            for row in lists[bridge.rawValue] where range.contains(row.clock) {
                all += 1
                alike += clocks.contains(row.clock) ? 1 : 0
            }
        }
        return Double(alike) / Double(max(all, 1))
    }

    private static func isRepetition(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> Bool {
        guard let first = run.first, let last = run.last else { return false }
        return share(run, lists, in: first.earlier..<last.earlier + 1) >= minShare
            || share(run, lists, in: first.later..<last.later + 1) >= minShare
    }

    private static func finding(
        _ run: ArraySlice<Copy>, _ lists: [[(clock: Int, seconds: Int)]]
    ) -> RecordsFinding? {
        guard let first = run.first, let last = run.last else { return nil }
        // The target of the copy has openings of its own between the repeated ones; that shows outside of what
        // originals and copies share.
        let earlier = share(run, lists, in: first.earlier..<min(last.earlier + 1, first.later))
        let later = share(run, lists, in: max(first.later, last.earlier + 1)..<last.later + 1)
        let isLater = later <= earlier + clearDifference
        let rows = target(run, lists, isLater: isLater)
        guard let best = BestRun(rows.map { $0.isRepeated ? 1 : -unmatchedWeight }) else {
            return nil
        }
        let stretch = rows[best.range]
        let bridges = BridgeIndex.all.filter { bridge in
            let own = stretch.filter { $0.bridge == bridge }
            let count = own.count { $0.isRepeated }
            return count > 1 && Double(count) >= minShareOfBridge * Double(own.count)
        }
        guard !bridges.isEmpty, let start = stretch.first, let end = stretch.last else {
            return nil
        }
        let period = SeattleTime.period(ofDays: start.clock / 86_400...end.clock / 86_400)
        let distance = DoubledRows.distanceText(first.hours * 3_600)
        return RecordsFinding(
            kind: .repetition, bridges: bridges, period: period, isSetAside: true,
            message: "\(stretch.count { $0.isRepeated }) openings repeat those of \(distance) "
                + "\(isLater ? "before" : "after"), to the minute and with the same lengths")
    }

    /// The openings of a run's bridges in the period that holds the copies, by time.
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
