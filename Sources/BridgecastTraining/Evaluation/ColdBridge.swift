// The scores of a bridge that a fit never saw; RefitEvaluation makes them.
package import BridgecastCore

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
    /// The confidence that the model's forecasts for the bridge carry when it is first seen.
    package let confidence: Confidence
    /// The scores by the days since it was first seen.
    package let stages: [ColdStage]

    /// Scores a bridge's rows, as ``ColdStart`` has them; nil if there are none at leads above 0.
    init?(_ bridge: BridgeIndex, _ parts: [ScoredRows], confidence: Confidence) {
        let rows = ScoredRows.joined(parts)
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        let scorer = GroupScorer(rows)
        let forecasts = counted.map { Double(rows.probabilities[.model]?[$0] ?? 0) }
        self.bridge = BridgeCatalogue[bridge].name
        self.rows = counted.count
        blockedRate = Double(counted.count { rows.blocked[$0] }) / Double(counted.count)
        meanForecast = forecasts.reduce(0, +) / Double(counted.count)
        skillOverOwnRate = scorer.logLossSkill(of: counted, over: .baseRate)
        skillOverOwnRateByLead = scorer.logLossSkillByLead(of: counted, over: .baseRate)
            .mapValues(\.value)
        skillOverOwnClimatology = scorer.logLossSkill(of: counted).value
        self.confidence = confidence
        stages = ColdStart.stages([parts])
    }
}
