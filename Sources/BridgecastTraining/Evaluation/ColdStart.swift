// A model's forecasts for a bridge without history, by the days since the bridge was first seen.
package import BridgecastCore
package import BridgecastEngine

/// A bridge whose records begin with an interval, as a model sees it that has none from before.
package struct ColdStart: Sendable {
    private let bridge: BridgeIndex
    private let seen: OpeningHistory
    private let scored: EvaluationProtocol
    private let interval: Range<Timestamp>

    /// Hides a bridge's records from before an interval; nil if it has none within it, or none before to know its
    /// long-run rate by.
    package init?(
        of bridge: BridgeIndex, history: OpeningHistory, scoring interval: Range<Timestamp>
    ) {
        let covered = history.coverage.clamped(to: interval).periods[bridge.rawValue]
        guard let first = covered.first?.lowerBound else { return nil }
        let scored = EvaluationProtocol(history: history, interval: interval)
        guard scored.bridges.contains(bridge) else { return nil }
        (self.bridge, self.scored) = (bridge, scored)
        self.interval = first..<interval.upperBound
        seen = history.hiding(bridge, before: interval.lowerBound)
    }

    /// The rows of a model that has no history of the bridge, one set for each of ``ColdStage/ends`` but the first;
    /// what lies after the last of them belongs to it.
    package func rows(of model: LoadedModel) -> [ScoredRows] {
        zip(ColdStage.ends, ColdStage.ends.dropFirst()).map { from, to in
            let isLast = to == ColdStage.ends.last
            let start = interval.lowerBound.adding(minutes: Double(from) * 1440)
            let end = interval.lowerBound.adding(minutes: Double(to) * 1440)
            let part = start..<(isLast ? max(start, interval.upperBound) : end)
            return scored.rows(of: model, seeing: seen, during: part).of(bridge)
        }
    }

    /// Scores these rows, those of one bridge or of several together.
    package static func stages(_ rows: [[ScoredRows]]) -> [ColdStage] {
        zip(ColdStage.ends, ColdStage.ends.dropFirst()).enumerated().compactMap { index, days in
            ColdStage(
                ScoredRows.joined(rows.map { $0[index] }), days: days.0..<days.1,
                isLast: index == ColdStage.ends.count - 2)
        }
    }

    /// What the forecasts for the bridge carry when it is first seen.
    package func confidence(of model: LoadedModel) -> Confidence {
        Confidence(
            bridge, leadMinutes: 10,
            in: SituationReader(seen).situation(at: interval.lowerBound),
            coveredDays: Double(model.climatology.coveredDays[bridge.rawValue]))
    }
}
