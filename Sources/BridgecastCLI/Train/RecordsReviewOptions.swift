// `--keep-all-records`: records looked at before anything learns from them; for commands that train.
import ArgumentParser
import BridgecastCore
import BridgecastTraining

/// `--keep-all-records`.
struct RecordsReviewOptions: ParsableArguments {
    @Flag(name: .long, help: "Use records also where they contradict themselves.")
    var keepAllRecords = false

    /// Says what is odd in records and leaves out what contradicts the rest of them.
    ///
    /// - Parameters:
    ///   - cut: Only what was recorded before this moment is looked at, for the fit knows no more; the rest stays.
    ///   - quiet: Whether to say only what is set aside.
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
        let told = review.findings.filter { $0.isSetAside || !quiet }
        remark(RecordsReviewText.lines(told, fate: keepAllRecords ? "kept" : "set aside"))
        return keepAllRecords ? history : review.applied(to: history)
    }

    /// Leaves out what contradicts the rest of records, one part of them after another; says each finding once.
    ///
    /// - Parameter told: What has been said; with another cut the same silence has other numbers.
    /// - Throws: As ``accepted(_:before:quiet:)``.
    func accepted(_ part: OpeningHistory, told: inout [RecordsFinding]) throws -> OpeningHistory {
        let review = RecordsReview(part)
        let usable = keepAllRecords ? part : try review.accepted()
        let new = review.findings.filter { finding in
            finding.isSetAside
                && !told.contains {
                    $0.kind == finding.kind && $0.bridges == finding.bridges
                        && $0.period == finding.period
                }
        }
        remark(RecordsReviewText.lines(new, fate: keepAllRecords ? "kept" : "set aside"))
        told += new
        return usable
    }
}
