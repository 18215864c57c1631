// How long raised spans stay up: what is told at the start of an opening and later in it, against what came.
import BridgecastCore
import BridgecastEngine
private import Foundation

/// Scores the told length of openings that are under way.
struct RaisedSpanScorer {
    /// When in an opening it is asked, minutes after its start.
    static let elapsedMinutes = [0, 5, 10, 15, 20]

    private let history: OpeningHistory

    init(_ history: OpeningHistory) { self.history = history }

    /// Scores the openings that begin within an interval, each as long as it is up: one cell for each age.
    func cells(
        of model: LoadedModel, in interval: Range<Timestamp>
    ) -> [OriginScores.RaisedCell] {
        let reader = SituationReader(history)
        let builder = FeatureBuilder(climatology: model.climatology)
        var workspace = Workspace()
        return Self.elapsedMinutes.compactMap { elapsed in
            var batch = FeatureBatch()
            var delays: [Double] = []
            for bridge in BridgeIndex.all {
                for opening in history.openings[bridge.rawValue]
                where interval.contains(opening.start) {
                    let issueTime = opening.start.adding(minutes: Double(elapsed))
                    guard history.coverage.contains(issueTime, of: bridge) else { continue }
                    let situation = reader.situation(at: issueTime)
                    // Down, or up by then in another opening: this one is over.
                    guard situation[bridge].state == .raised(since: opening.start) else {
                        continue
                    }
                    builder.append(bridge, leadMinutes: 0, density: 0, in: situation, to: &batch)
                    delays.append(
                        history.delaySeconds(arrivingAt: issueTime, of: bridge, density: 0))
                }
            }
            return delays.isEmpty ? nil : cell(elapsed, model, batch, delays, &workspace)
        }
    }

    private func cell(
        _ elapsed: Int, _ model: LoadedModel, _ batch: FeatureBatch, _ delays: [Double],
        _ workspace: inout Workspace
    ) -> OriginScores.RaisedCell {
        var output: [Float] = []
        model.predict(batch, into: &output, workspace: &workspace)
        var cell = OriginScores.RaisedCell(elapsedMinutes: elapsed)
        for (row, delay) in delays.enumerated() {
            guard delay > 0, let told = DelayDistribution(row: row, of: output) else { continue }
            let delayed = max(told.probabilityDelayed, 1e-7)
            // The end of a record of whole minutes lay anywhere in its last minute: the middle stands for it.
            let isWholeMinutes = delay.truncatingRemainder(dividingBy: 60) == 0
            let ended = isWholeMinutes ? delay - 30 : delay
            let level = (told.cumulative(atSeconds: ended) - told[0]) / delayed
            cell.openings += 1
            cell.below80 += level <= 0.8 ? 1 : 0
            cell.below95 += level <= 0.95 ? 1 : 0
            let share = told[DelayBins.bin(ofSeconds: delay)] / delayed
            cell.loss -= log(max(share, 1e-7))
        }
        return cell
    }
}
