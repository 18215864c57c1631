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

    /// What was found, a line each.
    ///
    /// - Parameter fate: What becomes of what contradicts the rest.
    static func lines(_ findings: [RecordsFinding], fate: String) -> [String] {
        findings.map { "records: \($0)\($0.isSetAside ? "; " + fate : "")" }
    }
}
