// An origin that is still to be scored: used by `origins run` and `origins score`.
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

/// What is ready for the scores of one origin.
struct OriginWork {
    let origin: RollingOrigin
    let making: OriginScores.Making
    private let scorer: OriginScorer

    /// Prepares the scoring of an origin.
    ///
    /// - Throws: ``CommandFailure`` if the records do not cover it.
    init(
        _ origin: RollingOrigin, _ history: OpeningHistory, making: OriginScores.Making
    ) throws {
        guard let scorer = OriginScorer(origin, history: history) else {
            throw CommandFailure(
                .data,
                "\(origin.name): no covered records before \(TimeText.rfc3339(origin.fittedBefore)), or none "
                    + "in the \(origin.days) days that are scored")
        }
        (self.origin, self.making, self.scorer) = (origin, making, scorer)
    }

    /// Scores a model and writes what it came to.
    ///
    /// - Parameter fp32: The same weights in fp32, if they are at hand.
    /// - Throws: ``CommandFailure``.
    func score(
        _ model: LoadedModel, fp32: LoadedModel?, recipe: String, to folder: OriginFolder
    ) async throws {
        guard
            let scores = await scorer.scores(of: model, recipe: recipe, making: making, fp32: fp32)
        else {
            throw CommandFailure(
                .data, "\(origin.name): no covered rows in the \(origin.days) days that are scored")
        }
        try folder.write(scores, of: origin)
        let (loss, usual) = scores.rows.reduce((0.0, 0.0)) {
            ($0.0 + $1.loss, $0.1 + $1.climatologyLoss)
        }
        try Console.print(
            "\(origin.name): skill \(fixed(1 - loss / usual, 4)), \(folder.scores(origin).path)")
    }
}
