// Evaluations that fit models of their own: at other times, and for bridges without history.
package import BridgecastCore
private import BridgecastEngine

/// Fits models by one recipe to parts of the records and scores them on the rest.
package struct RefitEvaluation: Sendable {
    /// One cut date of a rolling-origin evaluation.
    package struct Origin: Sendable, Codable, Equatable {
        /// The fit used records before this moment, RFC 3339.
        package let fittedBefore: String
        /// Civil days scored.
        package let days: Int
        /// Rows scored, leads 2 to 60 minutes.
        package let rows: Int
        /// Log-loss skill over climatology, leads 2 to 60 minutes together.
        package let skill: Estimate
        /// Log-loss skill by lead in minutes.
        package let skillByLead: [String: Double]
        /// Expected calibration error of the model's P(blocked), 0...1; 0 is best.
        package let calibrationError: Double
    }

    /// A bridge whose history the fit never saw.
    package struct ColdBridge: Sendable, Codable, Equatable {
        /// The bridge's name in the catalogue.
        package let bridge: String
        /// Rows of the bridge scored, leads 2 to 60 minutes.
        package let rows: Int
        /// Share of these rows that were blocked, 0...1.
        package let blockedRate: Double
        /// Mean forecast of the model.
        package let meanForecast: Double
        /// Log-loss skill over the bridge's own long-run rate, which the model does not know.
        package let skillOverOwnRate: Estimate
        /// The same by lead in minutes.
        package let skillOverOwnRateByLead: [String: Double]
        /// Log-loss skill over the bridge's own climatology.
        package let skillOverOwnClimatology: Double
        /// The confidence that the model's forecasts for the bridge carry.
        package let confidence: Confidence
    }

    private let history: OpeningHistory
    private let recipe: TrainingPlan

    /// - Parameter recipe: Its history and periods are replaced by those of each fit.
    package init(history: OpeningHistory, recipe: TrainingPlan) {
        self.history = history
        self.recipe = recipe
    }

    /// Fits to the records before a moment and scores the days after it; nil without covered rows.
    package func origin(
        at cut: Timestamp, days: Int
    ) async throws -> (origin: Origin, rows: ScoredRows)? {
        let interval = cut..<cut.adding(minutes: Double(days) * 1440)
        let scored = EvaluationProtocol(history: history, interval: interval)
        guard !scored.bridges.isEmpty, !history.coverage.clamped(to: interval).isEmpty else {
            return nil
        }
        let rows = scored.rows(of: try await model(fittedTo: history, before: cut))
        let counted = rows.leads.indices.filter { rows.leads[$0] > 0 }
        guard !counted.isEmpty else { return nil }
        let scorer = GroupScorer(rows)
        let origin = Origin(
            fittedBefore: TimeText.rfc3339(cut), days: Set(rows.days).count, rows: counted.count,
            skill: scorer.logLossSkill(of: counted),
            skillByLead: scorer.logLossSkillByLead(of: counted).mapValues(\.value),
            calibrationError: EventScores(
                counted.map { rows.probabilities[.model]?[$0] ?? 0 },
                counted.map { rows.blocked[$0] }
            ).calibrationError)
        return (origin, rows)
    }

    /// The skill over all origins together.
    package static func pooledSkill(_ parts: [ScoredRows]) -> Estimate {
        let rows = ScoredRows.joined(parts)
        return GroupScorer(rows).logLossSkill(
            of: rows.leads.indices.filter { rows.leads[$0] > 0 })
    }

    /// Fits without a bridge and scores its forecasts over an interval in which its state is first
    /// seen; nil if it has no covered rows.
    package func withoutHistory(
        of bridge: BridgeIndex, scoring interval: Range<Timestamp>
    ) async throws -> ColdBridge? {
        guard !history.coverage.clamped(to: interval).periods[bridge.rawValue].isEmpty else {
            return nil
        }
        let scored = EvaluationProtocol(history: history, interval: interval)
        let model = try await model(
            fittedTo: history.hiding(bridge, before: nil), before: interval.lowerBound)
        let rows = scored.rows(
            of: model, seeing: history.hiding(bridge, before: interval.lowerBound))
        let counted = rows.leads.indices.filter { rows.leads[$0] > 0 && rows.bridges[$0] == bridge }
        guard !counted.isEmpty else { return nil }
        let scorer = GroupScorer(rows)
        let forecasts = counted.map { Double(rows.probabilities[.model]?[$0] ?? 0) }
        let end = interval.lowerBound
        return ColdBridge(
            bridge: BridgeCatalogue[bridge].name, rows: counted.count,
            blockedRate: Double(counted.count { rows.blocked[$0] }) / Double(counted.count),
            meanForecast: forecasts.reduce(0, +) / Double(counted.count),
            skillOverOwnRate: scorer.logLossSkill(of: counted, over: .baseRate),
            skillOverOwnRateByLead: scorer.logLossSkillByLead(of: counted, over: .baseRate)
                .mapValues(\.value),
            skillOverOwnClimatology: scorer.logLossSkill(of: counted).value,
            confidence: Confidence(
                bridge, leadMinutes: 10, in: SituationReader(history).situation(at: end),
                coveredDays: Double(model.climatology.coveredDays[bridge.rawValue])))
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
