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
    /// - Parameter quiet: Whether to say only what is set aside.
    /// - Throws: `RecordsReviewError` if that is more than a quarter of the covered time.
    func accepted(_ history: OpeningHistory, quiet: Bool) throws -> OpeningHistory {
        let review = RecordsReview(history)
        if !quiet {
            let table = RecordsReviewText.table(of: history, review)
            for line in table.split(separator: "\n") { note(String(line)) }
        }
        let usable = keepAllRecords ? history : try review.accepted()
        let told = review.findings.filter { $0.isSetAside || !quiet }
        remark(RecordsReviewText.lines(told, fate: keepAllRecords ? "kept" : "set aside"))
        return usable
    }
}
