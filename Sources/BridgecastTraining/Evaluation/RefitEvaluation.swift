// Evaluations that fit models of their own: for bridges without history.
package import BridgecastCore
private import BridgecastEngine

/// Fits models by one recipe to parts of the records and scores them on the rest.
package struct RefitEvaluation: Sendable {
    private let history: OpeningHistory
    private let recipe: TrainingPlan

    /// - Parameter recipe: Its history and periods are replaced by those of each fit.
    package init(history: OpeningHistory, recipe: TrainingPlan) {
        self.history = history
        self.recipe = recipe
    }

    /// Fits without a bridge and scores its forecasts over an interval in which it is first seen; nil if it has
    /// no covered rows there, or none before to know its long-run rate by.
    ///
    /// - Returns: Its scores, and its rows as ``ColdStart`` has them.
    package func withoutHistory(
        of bridge: BridgeIndex, scoring interval: Range<Timestamp>
    ) async throws -> (bridge: ColdBridge, rows: [ScoredRows])? {
        guard let start = ColdStart(of: bridge, history: history, scoring: interval) else {
            return nil
        }
        let model = try await model(
            fittedTo: history.hiding(bridge, before: nil), before: interval.lowerBound)
        let rows = start.rows(of: model)
        return ColdBridge(bridge, rows, confidence: start.confidence(of: model)).map { ($0, rows) }
    }

    private func model(
        fittedTo history: OpeningHistory, before end: Timestamp
    ) async throws -> LoadedModel {
        var plan = recipe
        plan.history = history
        let trained = await ModelTraining(plan).fit(before: end, validates: false)
        let draft = ModelDraft(
            name: "refit", layers: trained.layers, normalisation: trained.normalisation,
            climatology: trained.climatology,
            provenance: ModelProvenance(
                sources: [], fittedFrom: end, fittedBefore: end, seed: plan.seed,
                commit: "unknown", settings: [:], scores: [:]))
        return try ModelFile.read(
            ModelFile.bytes(of: draft, as: .int8, calibration: trained.calibration))
    }
}
