// Records in which nearly every opening stands twice, always the same time apart; a test of RecordsReview.
import BridgecastCore

/// Long stretches of records in which nearly every opening has its like at one short distance, to the second and with
/// the same length.
///
/// Rows that are the same in all are one opening long before; these are rows that were put in once more with another
/// time. Which of two is the true one cannot be told. At longer distances a stretch was copied to another place, and
/// ``Repetition`` tells which. In the shipped records the strongest stretch has under 4 of the hundred, of all bridges
/// together and of each.
enum DoubledRows {
    /// A stretch has at least so many openings with their like, half of those without taken off.
    private static let fewest = 100
    /// Less than 1, for of three at uneven distances one has no like at each.
    private static let weightWithoutLike = 0.5
    /// The distance is at most this share of the stretch, so that originals and copies are mixed nearly all over it.
    private static let mostShareOfStretch = 0.1
    /// A bridge belongs to it if at least this share of its openings has its like.
    private static let leastShareOfBridge = 0.5
    /// Likes further away than this are not looked for, seconds.
    private static let mostSeconds = 400 * 86_400
    /// Openings of a bridge whose likes are looked for, spread evenly over all of them.
    private static let anchors = 300
    /// So many of the distances that are found most often are tried.
    private static let mostDistances = 8

    private struct Row: Hashable {
        let bridge: BridgeIndex
        /// Seconds on the wall clock since 1970-01-01.
        let clock: Int
        let length: Int

        init(_ opening: Opening) {
            (bridge, clock) = (opening.bridge, opening.clockSeconds)
            length = opening.lengthSeconds
        }

        private init(_ row: Row, movedBy seconds: Int) {
            (bridge, clock, length) = (row.bridge, row.clock + seconds, row.length)
        }

        func moved(by seconds: Int) -> Row { Row(self, movedBy: seconds) }

        var day: Int { clock / 86_400 }
    }

    /// The longest stretch that chance does not explain: of all bridges if they share it, else of each bridge that has
    /// one, else of some together.
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
        let own = lists.compactMap { longest([$0]) }
        return own.isEmpty ? common : own
    }

    private static func longest(_ lists: [[Row]]) -> RecordsFinding? {
        let rows = lists.flatMap(\.self).sorted { ($0.clock, $0.bridge) < ($1.clock, $1.bridge) }
        guard rows.count >= fewest else { return nil }
        let all = Set(rows)
        var best: (run: BestRun, seconds: Int)?
        for seconds in distances(lists) {
            let run = BestRun(rows.map { hasLike($0, seconds, all) ? 1 : -weightWithoutLike })
            guard let run, run.score > best?.run.score ?? Double(fewest - 1) else { continue }
            let length = rows[run.range.upperBound - 1].clock - rows[run.range.lowerBound].clock
            if Double(seconds) <= mostShareOfStretch * Double(length) { best = (run, seconds) }
        }
        guard let (run, seconds) = best else { return nil }
        return finding(rows[run.range], seconds, all)
    }

    private static func hasLike(_ row: Row, _ seconds: Int, _ all: Set<Row>) -> Bool {
        all.contains(row.moved(by: seconds)) || all.contains(row.moved(by: -seconds))
    }

    /// The distances at which openings of one bridge and length lie most often, in seconds, above 0.
    private static func distances(_ lists: [[Row]]) -> [Int] {
        var counts: [Int: Int] = [:]
        for list in lists {
            let groups = Dictionary(grouping: list, by: \.length)
            for row in stride(from: 0, to: list.count, by: max(1, list.count / anchors)) {
                let anchor = list[row]
                let group = groups[anchor.length] ?? []
                let first = group.partitioningIndex { $0.clock > anchor.clock }
                for other in group[first...].prefix(while: {
                    $0.clock - anchor.clock <= mostSeconds
                }) { counts[other.clock - anchor.clock, default: 0] += 1 }
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostDistances)
            .map(\.key)
    }

    private static func finding(
        _ stretch: ArraySlice<Row>, _ seconds: Int, _ all: Set<Row>
    ) -> RecordsFinding? {
        guard let first = stretch.first, let last = stretch.last else { return nil }
        let bridges = BridgeIndex.all.filter { bridge in
            let own = stretch.filter { $0.bridge == bridge }
            let doubled = own.count { hasLike($0, seconds, all) }
            return doubled > 0 && Double(doubled) >= leastShareOfBridge * Double(own.count)
        }
        guard !bridges.isEmpty else { return nil }
        let doubled = stretch.count { hasLike($0, seconds, all) }
        return RecordsFinding(
            kind: .repetition, bridges: bridges,
            period: SeattleTime.period(ofDays: first.day...last.day), isSetAside: true,
            words: "openings stand there twice: \(doubled) of \(stretch.count) have their like "
                + "\(distance(seconds)) before or after, with the same length")
    }

    /// A distance in words, in the largest unit that it is a multiple of.
    static func distance(_ seconds: Int) -> String {
        let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        let (size, name) = units.first { seconds % $0.0 == 0 } ?? (1, "second")
        return "\(seconds / size) \(name)\(seconds == size ? "" : "s")"
    }
}
