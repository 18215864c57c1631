// Forecasts for a bridge without history: a model is fitted without it, and scored by the days since its first record.
package import BridgecastCore
package import BridgecastEngine

/// Fits models by one recipe to parts of the records and scores them on the rest.
package struct RefitEvaluation: Sendable {
    private let history: OpeningHistory
    private let recipe: TrainingPlan

    /// - Parameter recipe: Its history and periods are replaced by those of each fit.
    package init(history: OpeningHistory, recipe: TrainingPlan) {
        self.history = history
        self.recipe = recipe
    }

    /// Fits without a bridge and scores its forecasts over an interval in which its records begin; nil if it has
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

/// A bridge whose records begin with an interval, for a model that was fitted without it.
package struct ColdStart: Sendable {
    private let bridge: BridgeIndex
    private let seen: OpeningHistory
    private let scored: EvaluationProtocol
    private let interval: Range<Timestamp>

    /// Hides a bridge's records from before an interval; nil if it has none within it, or none before to know its
    /// long-run rate by.
    package init?(
        of bridge: BridgeIndex, history: OpeningHistory, scoring interval: Range<Timestamp>
    ) {
        let covered = history.coverage.clamped(to: interval).periods[bridge.rawValue]
        guard let first = covered.first?.lowerBound else { return nil }
        let scored = EvaluationProtocol(history: history, interval: interval)
        guard scored.bridges.contains(bridge) else { return nil }
        self.bridge = bridge
        self.scored = scored
        self.interval = first..<interval.upperBound
        seen = history.hiding(bridge, before: interval.lowerBound)
    }

    /// The rows of a model that has no history of the bridge, one set for each stage between ``ColdStage/ends``; what
    /// is after the last end belongs to the last stage.
    package func rows(of model: LoadedModel) -> [ScoredRows] {
        zip(ColdStage.ends, ColdStage.ends.dropFirst()).map { from, to in
            let isLast = to == ColdStage.ends.last
            let start = interval.lowerBound.adding(minutes: Double(from) * 1440)
            let end = interval.lowerBound.adding(minutes: Double(to) * 1440)
            let part = start..<(isLast ? max(start, interval.upperBound) : end)
            return scored.rows(of: model, seeing: seen, during: part, at: bridge)
        }
    }

    /// Scores these rows, those of one bridge or of several together.
    package static func stages(_ rows: [[ScoredRows]]) -> [ColdStage] {
        zip(ColdStage.ends, ColdStage.ends.dropFirst()).enumerated().compactMap { index, days in
            ColdStage(
                ScoredRows.joined(rows.map { $0[index] }), days: days.0..<days.1,
                isLast: index == ColdStage.ends.count - 2)
        }
    }

    /// The confidence of the forecasts for the bridge at the start of the interval.
    package func confidence(of model: LoadedModel) -> Confidence {
        Confidence(
            bridge, leadMinutes: 10, in: SituationReader(seen).situation(at: interval.lowerBound),
            model.climatology)
    }
}

/// A bridge whose history the fit never saw.
package struct ColdBridge: Sendable, Codable, Equatable {
    package let bridge: String
    package let rows: Int
    package let blockedRate: Double
    package let meanForecast: Double
    /// Log-loss skill over the bridge's own long-run rate, which is unknown to the model.
    package let skillOverOwnRate: Estimate
    /// The same by lead in minutes.
    package let skillOverOwnRateByLead: [String: Double]
    /// Log-loss skill over the bridge's own climatology.
    package let skillOverOwnClimatology: Double
    /// The confidence of the model's forecasts for the bridge when its records begin.
    package let confidence: Confidence
    /// The scores by the days since its records began.
    package let stages: [ColdStage]

    /// Scores a bridge's rows, as ``ColdStart`` has them; nil if there are none at leads above 0.
    init?(_ bridge: BridgeIndex, _ parts: [ScoredRows], confidence: Confidence) {
        let rows = ScoredRows.joined(parts)
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        let scorer = EventScorer(rows)
        let forecasts = counted.map { Double(rows.probabilities[.model]?[$0] ?? 0) }
        self.bridge = BridgeCatalogue[bridge].name
        self.rows = counted.count
        blockedRate = Double(counted.count { rows.happened[$0] }) / Double(counted.count)
        meanForecast = forecasts.reduce(0, +) / Double(counted.count)
        skillOverOwnRate = scorer.logLossSkill(of: counted, over: .baseRate)
        skillOverOwnRateByLead = scorer.logLossSkillByLead(of: counted, over: .baseRate)
            .mapValues(\.value)
        skillOverOwnClimatology = scorer.logLossSkill(of: counted).value
        self.confidence = confidence
        stages = ColdStart.stages([parts])
    }
}

/// The scores of some of the days since a bridge's records began.
package struct ColdStage: Sendable, Codable, Equatable {
    /// First day of the stage, counted from 0.
    package let fromDay: Int
    /// Day after the last of the stage; nil for the last stage, which has no end.
    package let toDay: Int?
    package let days: Int
    package let rows: Int
    package let blockedRate: Double
    package let meanForecast: Double
    /// Log-loss skill over the bridge's own long-run rate, which is unknown to the model.
    package let skillOverOwnRate: Estimate

    /// The bounds of the stages, days since the bridge's records began.
    package static let ends = [0, 1, 3, 7, 14, 30]
    /// Fewer civil days than this give no useful interval.
    package static let minDaysForInterval = 4

    /// Scores the rows of a stage; nil if there are none at leads above 0.
    init?(_ rows: ScoredRows, days: Range<Int>, isLast: Bool = false) {
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        fromDay = days.lowerBound
        toDay = isLast ? nil : days.upperBound
        self.days = Set(counted.map { rows.days[$0] }).count
        self.rows = counted.count
        blockedRate = Double(counted.count { rows.happened[$0] }) / Double(counted.count)
        let forecasts = counted.map { Double(rows.probabilities[.model]?[$0] ?? 0) }
        meanForecast = forecasts.reduce(0, +) / Double(counted.count)
        skillOverOwnRate = EventScorer(rows).logLossSkill(of: counted, over: .baseRate)
    }
}
