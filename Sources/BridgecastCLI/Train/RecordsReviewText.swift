// What a review of records found, as text; for `train` and `ingest`.
import BridgecastCore
import BridgecastTraining

enum RecordsReviewText {
    /// The records by bridge: how much time, how many openings, how weeks differ, and what was set aside.
    static func table(of history: OpeningHistory, _ review: RecordsReview) -> String {
        var table = TextTable(
            [
                "records", "covered days", "openings", "a day", "in weeks", "median min",
                "<= 1 min", "odd days",
            ], [.left, .right, .right, .right, .right, .right, .right, .right])
        for bridge in BridgeIndex.all {
            let weeks = review.weeks.filter { $0.bridge == bridge }
            guard !weeks.isEmpty else { continue }
            let covered = weeks.reduce(0) { $0 + $1.coveredHours } / 24
            let openings = weeks.reduce(0) { $0 + $1.openings }
            // Weeks of which little is covered say little.
            let rates = weeks.filter { $0.coveredHours >= 72 }
                .map { Double($0.openings) * 24 / $0.coveredHours }
            let medians = weeks.compactMap(\.medianMinutes).sorted()
            let short = weeks.reduce(0) { $0 + $1.shortShare * Double($1.openings) }
            let odd =
                (history.coverage.minutes(of: bridge)
                    - review.usable.coverage.minutes(of: bridge)) / 1440
            table.add([
                bridge.description, fixed(covered, 0), "\(openings)",
                fixed(Double(openings) / covered, 1),
                rates.isEmpty
                    ? "" : "\(fixed(rates.min() ?? 0, 1)) to \(fixed(rates.max() ?? 0, 1))",
                medians.isEmpty ? "" : fixed(medians[medians.count / 2], 1),
                openings > 0 ? percent(short / Double(openings)) : "", fixed(odd, 0),
            ])
        }
        return table.text()
    }

    /// What contradicts the rest of records within days that are scored, a line each.
    ///
    /// The days before and after them are looked at too, since a fault has to stand out.
    static func scored(
        _ history: OpeningHistory, in intervals: [Range<Timestamp>]
    ) -> [String] {
        guard !intervals.isEmpty else { return [] }
        let odd = RecordsReview(history).findings.filter {
            $0.isSetAside && intervals.contains(where: $0.period.overlaps)
        }
        return lines(odd, fate: "it is scored all the same")
    }

    /// So many findings with the same words are told one by one, and so many are named where there are more.
    private static let mostAlike = 3

    /// What was found, a line each; what is found in the same words again and again is one line.
    ///
    /// - Parameter fate: What becomes of what contradicts the rest.
    static func lines(_ findings: [RecordsFinding], fate: String) -> [String] {
        struct Alike: Hashable { let words: String, isSetAside: Bool }
        let groups = Dictionary(grouping: findings) {
            Alike(words: $0.words, isSetAside: $0.isSetAside)
        }
        var told: Set<Alike> = []
        return findings.compactMap { finding in
            let key = Alike(words: finding.words, isSetAside: finding.isSetAside)
            let end = finding.isSetAside ? "; " + fate : ""
            guard let alike = groups[key], alike.count > mostAlike else {
                return "records: \(finding)\(end)"
            }
            guard told.insert(key).inserted else { return nil }
            let first = alike.prefix(mostAlike).map(\.place).joined(separator: "; ")
            return "records: \(alike.count) times \(finding.words): \(first); "
                + "and \(alike.count - mostAlike) more\(end)"
        }
    }
}
