// What an evaluation says: scores by lead, by bridge and in total, with bootstrap intervals.
package import BridgecastCore
package import BridgecastEngine

/// A figure with its 95 % day-block bootstrap interval.
package struct Estimate: Sendable, Codable, Equatable {
    /// The figure.
    package let value: Double
    /// 2.5 % of resampled days give less.
    package let low: Double
    /// 2.5 % of resampled days give more.
    package let high: Double
}

/// Scores of a group of rows.
package struct GroupScores: Sendable, Codable, Equatable {
    /// Rows.
    package let rows: Int
    /// Share of rows that were blocked.
    package let blockedRate: Double
    /// Log-loss skill of the model over climatology: 1 - loss / climatology's loss.
    package let logLossSkill: Estimate
    /// The same for the Brier score.
    package let brierSkill: Estimate
    /// Log-loss skill of the Poisson rates over climatology.
    package let poissonLogLossSkill: Double
    /// Ranked-probability skill of the delay forecast over climatology.
    package let delaySkill: Estimate
    /// Scores of "blocked" by forecaster.
    package let blocked: [String: EventScores]
    /// Scores of the delay at the profile's density by forecaster.
    package let delay: [String: DelayScores]
}

/// An evaluation under the protocol of DESIGN.md section 4.
package struct EvaluationReport: Sendable, Codable, Equatable {
    /// Scores of one lead time.
    package struct LeadScores: Sendable, Codable, Equatable {
        package let leadMinutes: Double
        package let scores: GroupScores
    }

    /// Scores of one bridge, leads 2 to 60 minutes together.
    package struct BridgeScores: Sendable, Codable, Equatable {
        package let bridge: String
        package let id: BridgeID
        package let scores: GroupScores
        package let logLossSkillByLead: [String: Double]
    }

    /// Name of the model.
    package let model: String
    /// Number format of its weights.
    package let weightFormat: WeightFormat
    /// Issue times from here, RFC 3339.
    package let from: String
    /// Issue times before here, RFC 3339.
    package let to: String
    /// Whether the model was fitted to records of the period: then this is no test.
    package let isInSample: Bool
    /// Covered civil days with at least one row.
    package let days: Int
    /// Leads 2 to 60 minutes together.
    package let total: GroupScores
    /// Each lead, 0 included.
    package let byLead: [LeadScores]
    /// Each bridge.
    package let byBridge: [BridgeScores]
    /// Reliability diagram of the model's P(blocked), leads 2 to 60 minutes together.
    package let reliability: [ReliabilityBin]

    /// Scores rows; nil if there are none with a lead above 0.
    package init?(_ rows: ScoredRows, of model: LoadedModel, interval: Range<Timestamp>) {
        let scorer = GroupScorer(rows)
        let counted = rows.leads.indices.filter { rows.leads[$0] > 0 }
        guard !counted.isEmpty else { return nil }
        self.model = model.header.name
        weightFormat = model.header.weightFormat
        from = TimeText.rfc3339(interval.lowerBound)
        to = TimeText.rfc3339(interval.upperBound)
        isInSample = model.header.provenance.fittedBefore > interval.lowerBound
        days = Set(rows.days).count
        total = scorer.scores(of: counted)
        byLead = EvaluationProtocol.leadsMinutes.indices.compactMap { lead in
            let group = rows.leads.indices.filter { rows.leads[$0] == lead }
            guard !group.isEmpty else { return nil }
            return LeadScores(
                leadMinutes: EvaluationProtocol.leadsMinutes[lead],
                scores: scorer.scores(of: group))
        }
        byBridge = BridgeIndex.all.compactMap { bridge in
            let group = counted.filter { rows.bridges[$0] == bridge }
            guard !group.isEmpty else { return nil }
            let facts = BridgeCatalogue[bridge]
            return BridgeScores(
                bridge: facts.name, id: facts.id, scores: scorer.scores(of: group),
                logLossSkillByLead: scorer.skillByLead(of: group))
        }
        let forecasts = rows.probabilities[.model] ?? []
        reliability = EventScores.reliabilityBins(
            counted.map { forecasts[$0] }, counted.map { rows.blocked[$0] })
    }
}
