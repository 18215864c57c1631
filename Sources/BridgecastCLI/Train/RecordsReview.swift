// `--keep-all-records`: the review of records before training.
import ArgumentParser
import BridgecastCore
import BridgecastTraining

/// `--keep-all-records`.
struct RecordsReviewOptions: ParsableArguments {
    @Flag(name: .long, help: "Use all records, even if they contradict each other.")
    var keepAllRecords = false

    /// Reports findings about records and leaves out those that contradict the rest.
    ///
    /// - Parameters:
    ///   - cut: Only records before this time are reviewed, since the fit knows no more; the rest stays.
    ///   - quiet: Whether to report only what is left out.
    /// - Throws: `RecordsReviewError` if that is more than a quarter of the covered time.
    func accepted(
        _ history: OpeningHistory, before cut: Timestamp = .latest, quiet: Bool
    ) throws -> OpeningHistory {
        let past = history.before(cut)
        let review = RecordsReview(past)
        if !quiet, !past.coverage.isEmpty {
            let table = RecordsReviewText.table(of: past, review)
            for line in table.split(separator: "\n") { note(String(line)) }
        }
        if !keepAllRecords { _ = try review.accepted() }
        let reported = review.findings.filter { $0.changesUse || !quiet }
        remark(
            RecordsReviewText.lines(reported, consequence: keepAllRecords ? "kept" : "set aside"))
        return keepAllRecords ? history : review.applied(to: history)
    }

    /// Reviews one part of the records after another; reports each finding once.
    ///
    /// - Parameter reported: Findings so far; with another cut the same silence has other numbers.
    /// - Throws: As ``accepted(_:before:quiet:)``.
    func accepted(
        _ part: OpeningHistory, reported: inout [RecordsFinding]
    ) throws -> OpeningHistory {
        let review = RecordsReview(part)
        let usable = keepAllRecords ? part : try review.accepted()
        let new = review.findings.filter { finding in
            finding.changesUse
                && !reported.contains {
                    $0.kind == finding.kind && $0.bridges == finding.bridges
                        && $0.period == finding.period
                }
        }
        remark(RecordsReviewText.lines(new, consequence: keepAllRecords ? "kept" : "set aside"))
        reported += new
        return usable
    }
}

// MARK: - Text

enum RecordsReviewText {
    /// The records by bridge: covered time, openings, range of weeks, and days set aside.
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
            // Weeks with little coverage have no reliable rate.
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

    /// The records as they are scored: starts on the edge of a job are not believed.
    static func withoutDoubtedStarts(_ history: OpeningHistory) -> OpeningHistory {
        history.doubtingStarts(EdgeStarts.findings(in: history))
    }

    /// Findings within days that are scored, a line each.
    ///
    /// The days before and after are reviewed too, to compare with.
    static func scored(
        _ history: OpeningHistory, in intervals: [Range<Timestamp>]
    ) -> [String] {
        guard !intervals.isEmpty else { return [] }
        let odd = RecordsReview(history).findings.filter {
            $0.changesUse && intervals.contains(where: $0.period.overlaps)
        }
        return lines(odd, consequence: "it is scored nevertheless")
    }

    /// Maximum findings with the same message that get a line each; of more this many are named.
    private static let maxAlike = 3

    private static let doubt = "training and scoring do not believe these starts"

    /// The findings, a line each; many with the same message are one line.
    ///
    /// - Parameter consequence: For findings that are set aside.
    static func lines(_ findings: [RecordsFinding], consequence: String) -> [String] {
        struct Alike: Hashable { let message: String, isSetAside: Bool }
        let groups = Dictionary(grouping: findings) {
            Alike(message: $0.message, isSetAside: $0.isSetAside)
        }
        var reported: Set<Alike> = []
        return findings.compactMap { finding in
            let key = Alike(message: finding.message, isSetAside: finding.isSetAside)
            let end =
                finding.edgeMinute != nil
                ? "; \(doubt)" : finding.isSetAside ? "; " + consequence : ""
            guard let alike = groups[key], alike.count > maxAlike else {
                return "records: \(finding)\(end)"
            }
            guard reported.insert(key).inserted else { return nil }
            let first = alike.prefix(maxAlike).map(\.scope).joined(separator: "; ")
            return "records: \(alike.count) times \(finding.message): \(first); "
                + "and \(alike.count - maxAlike) more\(end)"
        }
    }
}
