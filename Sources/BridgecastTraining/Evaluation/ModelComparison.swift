// Two models on the same rows: what quantisation, or any other change, costs.

/// How the forecasts of two models differ over leads 2 to 60 minutes.
package struct ModelComparison: Sendable, Codable, Equatable {
    /// Log-loss skill of the first over climatology.
    package let skill: Double
    /// The same of the second.
    package let otherSkill: Double
    /// By how many percent the first's skill is less than the second's.
    package let relativeLossPercent: Double
    /// Largest difference in P(blocked).
    package let largestDifference: Double
    /// Mean absolute difference in P(blocked).
    package let meanDifference: Double

    /// Compares two sets of rows of the same evaluation.
    package init(_ rows: ScoredRows, _ others: ScoredRows) {
        precondition(rows.count == others.count, "the rows must be those of one evaluation")
        let mine = rows.probabilities[.model] ?? []
        let theirs = others.probabilities[.model] ?? []
        let usual = rows.probabilities[.climatology] ?? []
        var losses = (mine: 0.0, theirs: 0.0, usual: 0.0)
        var (largest, sum, count) = (0.0, 0.0, 0.0)
        for row in rows.leads.indices where rows.leads[row] > 0 {
            losses.mine += EventScores.logLoss(mine[row], rows.blocked[row])
            losses.theirs += EventScores.logLoss(theirs[row], rows.blocked[row])
            losses.usual += EventScores.logLoss(usual[row], rows.blocked[row])
            let difference = Double(abs(mine[row] - theirs[row]))
            largest = max(largest, difference)
            sum += difference
            count += 1
        }
        skill = 1 - losses.mine / losses.usual
        otherSkill = 1 - losses.theirs / losses.usual
        relativeLossPercent = (otherSkill - skill) / abs(otherSkill) * 100
        largestDifference = largest
        meanDifference = sum / max(count, 1)
    }
}
