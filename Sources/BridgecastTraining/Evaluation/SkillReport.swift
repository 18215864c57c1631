// An evaluation in short, with an interval for every figure: what models/bridgecast.skill.json is written from.
package import BridgecastCore

/// The figures of an evaluation by lead and bridge, leads 2 to 60 minutes together unless said otherwise.
package struct SkillReport: Sendable {
    /// All rows.
    package let total: SkillFigures
    /// By lead, minutes, 0 left out.
    package let byLead: [(leadMinutes: Double, figures: SkillFigures)]
    /// By bridge, each with what was said and what happened there.
    package let byBridge: [(bridge: BridgeIndex, figures: SkillFigures, bands: [ChanceBand])]
    /// What was said and what happened, by range of chances.
    package let bands: [ChanceBand]

    /// Scores rows; nil if there are none with a lead above 0.
    package init?(_ rows: ScoredRows) {
        let scorer = GroupScorer(rows)
        let counted = rows.rowsAhead
        guard !counted.isEmpty else { return nil }
        func figures(_ group: [Int]) -> SkillFigures? {
            group.isEmpty ? nil : SkillFigures(rows, group, scorer.scores(of: group))
        }
        total = SkillFigures(rows, counted, scorer.scores(of: counted))
        byLead = EvaluationProtocol.leadsMinutes.indices.dropFirst().compactMap { lead in
            figures(counted.filter { rows.leads[$0] == lead }).map {
                (EvaluationProtocol.leadsMinutes[lead], $0)
            }
        }
        byBridge = BridgeIndex.all.compactMap { bridge in
            let group = counted.filter { rows.bridges[$0] == bridge }
            return figures(group).map { (bridge, $0, ChanceBand.bands(rows, group)) }
        }
        bands = ChanceBand.bands(rows, counted)
    }
}
