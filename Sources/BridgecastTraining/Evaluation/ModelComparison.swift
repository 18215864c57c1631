// Two models on the same rows: what quantisation, or any other change, costs.

/// How the forecasts of two models differ over leads 2 to 60 minutes.
package struct ModelComparison: Sendable, Codable, Equatable {
    /// What the second is called.
    package let name: String
    /// Log-loss skill of the first over climatology.
    package let skill: Double
    /// The same of the second.
    package let otherSkill: Double
    /// By how many percent the first's skill is less than the second's.
    package let relativeLossPercent: Double
    /// By how much the first's skill exceeds the second's.
    package let skillDifference: Estimate
    /// Largest difference in P(blocked).
    package let largestDifference: Double
    /// Mean absolute difference in P(blocked).
    package let meanDifference: Double

    /// Compares two sets of rows of the same evaluation.
    package init(_ rows: ScoredRows, _ others: ScoredRows, name: String) {
        precondition(rows.count == others.count, "the rows must be those of one evaluation")
        self.name = name
        let mine = rows.probabilities[.model] ?? []
        let theirs = others.probabilities[.model] ?? []
        let usual = rows.probabilities[.climatology] ?? []
        var losses: [Int32: (mine: Double, theirs: Double, usual: Double)] = [:]
        var (largest, sum, count) = (0.0, 0.0, 0.0)
        for row in rows.leads.indices where rows.leads[row] > 0 {
            var day = losses[rows.days[row]] ?? (0, 0, 0)
            day.mine += EventScores.logLoss(mine[row], rows.blocked[row])
            day.theirs += EventScores.logLoss(theirs[row], rows.blocked[row])
            day.usual += EventScores.logLoss(usual[row], rows.blocked[row])
            losses[rows.days[row]] = day
            let difference = Double(abs(mine[row] - theirs[row]))
            largest = max(largest, difference)
            sum += difference
            count += 1
        }
        let days = losses.sorted { $0.key < $1.key }.map(\.value)
        let usualLoss = days.reduce(0) { $0 + $1.usual }
        skill = 1 - days.reduce(0) { $0 + $1.mine } / usualLoss
        otherSkill = 1 - days.reduce(0) { $0 + $1.theirs } / usualLoss
        relativeLossPercent = (otherSkill - skill) / abs(otherSkill) * 100
        skillDifference = DayBlockBootstrap.skillDifference(
            days.map(\.mine), over: days.map(\.theirs), reference: days.map(\.usual))
        largestDifference = largest
        meanDifference = sum / max(count, 1)
    }
}
