// Where a store's records contradict themselves, told after an ingest; nothing of it makes `ingest` fail.
import BridgecastCore
import BridgecastTraining

/// What a review of all records in the store comes to.
enum IngestReview {
    /// Openings that are reviewed at once; more would hold up every ingest.
    static let mostOpenings = 30_000

    /// What is odd, a line each; or why it is not known.
    ///
    /// - Parameters:
    ///   - most: Of more openings nothing is said but that they were not reviewed.
    ///   - history: Reads the store; what it throws becomes a line.
    static func lines(
        most: Int = mostOpenings, of history: () throws -> OpeningHistory
    ) -> [String] {
        do {
            let history = try history()
            guard history.count <= most else {
                return [
                    "records: not reviewed, for the store has \(history.count) openings and `ingest` "
                        + "reviews \(most) at most; `train` reviews them all"
                ]
            }
            return RecordsReviewText.lines(
                RecordsReview(history).findings,
                fate: "training sets it aside, or refuses records of which that is over a quarter")
        } catch {
            return ["records: not reviewed: \(CommandFailure(error).message)"]
        }
    }
}
