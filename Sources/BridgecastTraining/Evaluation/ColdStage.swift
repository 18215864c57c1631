// How good forecasts of a new bridge are so many days after it is first seen; ColdStart makes them.

/// The scores of the days since a bridge was first seen, from one to another.
package struct ColdStage: Sendable, Codable, Equatable {
    /// Day since the bridge was first seen that the stage begins with.
    package let fromDay: Int
    /// Day that the stage ends before; nil for the last, which goes on to the end of the period.
    package let toDay: Int?
    /// Civil days with rows.
    package let days: Int
    /// Rows scored, leads 2 to 60 minutes.
    package let rows: Int
    /// Share of these rows that were blocked, 0...1.
    package let blockedRate: Double
    /// Mean forecast of the model.
    package let meanForecast: Double
    /// Log-loss skill over the bridge's own long-run rate, which the model does not know.
    package let skillOverOwnRate: Estimate

    /// The stages' ends, days since the bridge was first seen.
    package static let ends = [0, 1, 3, 7, 14, 30]
    /// Fewer civil days than this give no interval worth the name.
    package static let leastDaysForInterval = 4

    /// Scores the rows of a stage; nil if there are none at leads above 0.
    init?(_ rows: ScoredRows, days: Range<Int>, isLast: Bool = false) {
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        (fromDay, toDay) = (days.lowerBound, isLast ? nil : days.upperBound)
        self.days = Set(counted.map { rows.days[$0] }).count
        self.rows = counted.count
        blockedRate = Double(counted.count { rows.blocked[$0] }) / Double(counted.count)
        let forecasts = counted.map { Double(rows.probabilities[.model]?[$0] ?? 0) }
        meanForecast = forecasts.reduce(0, +) / Double(counted.count)
        skillOverOwnRate = GroupScorer(rows).logLossSkill(of: counted, over: .baseRate)
    }
}
