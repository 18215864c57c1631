// What an evaluation says: scores by lead, bridge, day type and hour, with bootstrap intervals.
package import BridgecastCore
package import BridgecastEngine

/// An evaluation under ``EvaluationProtocol``.
package struct EvaluationReport: Sendable, Codable, Equatable {
    /// Scores of one lead time.
    package struct LeadScores: Sendable, Codable, Equatable {
        /// Lead time, minutes, 0...60.
        package let leadMinutes: Double
        /// Scores of the rows of that lead time.
        package let scores: GroupScores
    }

    /// Scores of one bridge, leads 2 to 60 minutes together.
    package struct BridgeScores: Sendable, Codable, Equatable {
        /// The bridge's name in the catalogue.
        package let bridge: String
        /// The bridge's identifier in the catalogue.
        package let id: BridgeID
        /// Scores of the bridge's rows.
        package let scores: GroupScores
        /// The model's log-loss skill by lead in minutes.
        package let skillByLead: [String: Estimate]
    }

    /// Scores of the arrivals of one day type or hour, leads 2 to 60 minutes together.
    package struct TimeScores: Sendable, Codable, Equatable {
        /// "weekday", "weekend or holiday", or the civil hour of the arrivals, "0"..."23".
        package let name: String
        /// Scores of the rows whose arrivals are at such times.
        package let scores: GroupScores
    }

    /// Rows with a forecast within one range of a histogram.
    package struct SharpnessBin: Sendable, Codable, Equatable {
        /// The range begins here; it ends where the next begins.
        package let from: Double
        /// Rows whose P(blocked) by the model is in the range.
        package let modelRows: Int
        /// Rows whose P(blocked) by climatology is in the range.
        package let climatologyRows: Int
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
    /// Weekdays; weekends with federal holidays.
    package let byDayType: [TimeScores]
    /// Arrivals of each civil hour.
    package let byHour: [TimeScores]
    /// Each confidence that occurs, and the rows of HIGH with the state hidden.
    package let byConfidence: [ConfidenceScores]
    /// Reliability diagram of the model's P(blocked), leads 2 to 60 minutes together.
    package let reliability: [ReliabilityBin]
    /// How often forecasts are low or high: what a sharp forecast has and climatology has not.
    package let sharpness: [SharpnessBin]

    /// Scores rows; nil if there are none with a lead above 0.
    ///
    /// - Parameter hidden: The same rows forecast with the state hidden, for ``byConfidence``.
    package init?(
        _ rows: ScoredRows, of model: LoadedModel, interval: Range<Timestamp>,
        hidden: ScoredRows? = nil
    ) {
        let scorer = GroupScorer(rows)
        let counted = rows.rowsAhead
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
                skillByLead: scorer.logLossSkillByLead(of: group))
        }
        func times<Key: Equatable>(_ keys: [(Key, String)], _ column: [Key]) -> [TimeScores] {
            keys.compactMap { key, name in
                let group = counted.filter { column[$0] == key }
                return group.isEmpty
                    ? nil : TimeScores(name: name, scores: scorer.scores(of: group))
            }
        }
        byDayType = times(
            [(.weekday, "weekday"), (.weekend, "weekend or holiday")], rows.dayTypes)
        byHour = times((0..<24).map { (UInt8($0), "\($0)") }, rows.hours)
        byConfidence = ConfidenceScores.table(rows, hidden: hidden)
        let forecasts = rows.probabilities[.model] ?? []
        let usual = rows.probabilities[.climatology] ?? []
        reliability = EventScores.reliabilityBins(
            counted.map { forecasts[$0] }, counted.map { rows.blocked[$0] })
        sharpness = Self.sharpness(counted.map { forecasts[$0] }, counted.map { usual[$0] })
    }

    private static let sharpnessEdges: [Float] = [
        0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
    ]

    private static func sharpness(_ model: [Float], _ climatology: [Float]) -> [SharpnessBin] {
        func histogram(_ forecasts: [Float]) -> [Int] {
            forecasts.reduce(into: sharpnessEdges.map { _ in 0 }) { counts, forecast in
                counts[sharpnessEdges.lastIndex { $0 <= forecast } ?? 0] += 1
            }
        }
        return zip(sharpnessEdges, zip(histogram(model), histogram(climatology))).map {
            SharpnessBin(from: Double($0), modelRows: $1.0, climatologyRows: $1.1)
        }
    }
}
