// What a command knows for a departure: the model and the records that were named, or those that are shipped.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine

extension ForecastContext {
    /// Puts together what is known for a departure at an issue time.
    ///
    /// - Throws: ``CommandFailure``, ``RankingError``.
    init(
        departure: Timestamp, issueTime: Timestamp, askedAt now: Timestamp, model: LoadedModel,
        source: SituationSource, traffic: TrafficDensity
    ) throws {
        guard departure >= .earliestPlausible else {
            throw CommandFailure(
                .usage, "the departure lies before 2001, of which no record tells anything")
        }
        try self.init(
            leaving: departure, known: source.situation(at: issueTime), traffic: traffic,
            model: model, by: TrafficInference(model),
            sources: source.statuses(at: issueTime), askedAt: now)
    }
}
