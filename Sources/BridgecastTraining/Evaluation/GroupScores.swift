// The scores of a group of rows.

/// Scores of a group of rows.
package struct GroupScores: Sendable, Codable, Equatable {
    /// Rows.
    package let rows: Int
    /// Share of rows that were blocked.
    package let blockedRate: Double
    /// Log-loss skill over climatology, 1 - loss / climatology's loss, by forecaster.
    package let skill: [String: Estimate]
    /// The same of the model's Brier score.
    package let brierSkill: Estimate
    /// Ranked-probability skill of the model's delay forecast over climatology, by traffic.
    package let delaySkill: [String: Estimate]
    /// Scores of "blocked" by forecaster.
    package let blocked: [String: EventScores]
    /// Scores of the delay by traffic and forecaster.
    package let delay: [String: [String: DelayScores]]

    /// The model's log-loss skill.
    package var modelSkill: Estimate { skill[Forecaster.model.rawValue] ?? .none }
}
