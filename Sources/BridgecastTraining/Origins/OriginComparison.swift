// One recipe against another over the origins that both have: differences and ratios of skill with paired intervals.

/// How the skills of two recipes differ, on the same days.
package struct OriginComparison: Encodable, Sendable {
    /// Means over origins of some of the rows.
    package struct Figures: Encodable, Sendable {
        /// Which rows: "total", a lead such as "2 min", or a bridge.
        package let rows: String
        /// Mean skill of the recipe.
        package let skill: Double
        /// Mean skill of the other.
        package let otherSkill: Double
        /// By how much the first exceeds the second.
        package let difference: OriginEstimate
        /// The first divided by the second.
        package let ratio: OriginEstimate
    }

    /// The recipe.
    package let recipe: String
    /// The one that it is compared with.
    package let against: String
    /// The origins that both have.
    package let origins: [String]
    /// All rows.
    package let total: Figures
    /// By lead.
    package let byLead: [Figures]
    /// By bridge, over the origins that have it.
    package let byBridge: [Figures]

    /// Compares the scores of one recipe with those of another.
    ///
    /// - Throws: ``OriginScoresError`` if no origin is common, or if they were not scored on the same rows.
    init(_ scores: [OriginScores], against others: [OriginScores]) throws(OriginScoresError) {
        let byOrigin = Dictionary(others.map { ($0.origin, $0) }) { first, _ in first }
        let pairs = scores.compactMap { mine in byOrigin[mine.origin].map { (mine, $0) } }
        guard let first = pairs.first else {
            throw .nothingInCommon(scores.first?.recipe ?? "", others.first?.recipe ?? "")
        }
        for (mine, other) in pairs { try mine.checkRows(against: other) }
        (recipe, against) = (first.0.recipe, first.1.recipe)
        origins = pairs.map(\.0.origin)
        func figures(
            _ name: String, where isCounted: (OriginScores.Cell) -> Bool = { _ in true }
        ) -> Figures {
            Figures(
                name, pairs.map { DailyLosses($0.0, where: isCounted) },
                pairs.map { DailyLosses($0.1, where: isCounted) })
        }
        total = figures("total")
        let cells = pairs.flatMap(\.0.rows)
        byLead = Set(cells.map(\.leadMinutes)).sorted().map { lead in
            figures("\(lead) min") { $0.leadMinutes == lead }
        }
        byBridge = Set(cells.map(\.bridge)).sorted().map { bridge in
            figures(bridge) { $0.bridge == bridge }
        }
    }
}

extension OriginComparison.Figures {
    fileprivate init(_ name: String, _ mine: [DailyLosses], _ others: [DailyLosses]) {
        rows = name
        skill = DailyLosses.meanSkill(mine).value
        otherSkill = DailyLosses.meanSkill(others).value
        difference = OriginEstimate(mine) { days in
            DailyLosses.meanSkill(mine, days) - DailyLosses.meanSkill(others, days)
        }
        ratio = OriginEstimate(mine) { days in
            let other = DailyLosses.meanSkill(others, days)
            return other == 0 ? 0 : DailyLosses.meanSkill(mine, days) / other
        }
    }
}
