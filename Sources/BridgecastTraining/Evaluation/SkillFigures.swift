// The four figures of a group of rows with their intervals, as `/skill` and models/bridgecast.skill.json have them.
private import BridgecastCore

/// How good the model's P(blocked) is on a group of rows, every figure with its day-block interval.
package struct SkillFigures: Sendable, Equatable {
    /// Rows.
    package let rows: Int
    /// Share of rows that were blocked.
    package let blockedRate: Double
    /// 1 - log loss / log loss of climatology.
    package let logLossSkill: Estimate
    /// 1 - Brier score / Brier score of climatology.
    package let brierSkill: Estimate
    /// Expected calibration error over ten bins of equally many rows; the bins stay when days are drawn again.
    package let calibrationError: Estimate
    /// Area under the ROC curve; nil if the event always or never happened.
    package let auc: Estimate?

    /// Scores a group.
    ///
    /// - Parameter group: Indices of rows, at least one.
    init(_ rows: ScoredRows, _ group: [Int], _ scores: GroupScores) {
        self.rows = scores.rows
        blockedRate = scores.blockedRate
        (logLossSkill, brierSkill) = (scores.modelSkill, scores.brierSkill)
        let byDay = DayRows(rows, group)
        calibrationError = byDay.calibrationError()
        auc = byDay.auc()
    }
}
