// `bridgecast evaluate --leave-out`: fits that never saw a bridge, scored on it; EvaluateCommand runs it.
import BridgecastCore
import BridgecastTraining

/// Fits without each of some bridges in turn, and prints how good the forecasts for it are as it becomes known.
struct LeaveOutRun {
    let bridges: [String]
    let period: PeriodOptions
    let records: RecordOptions
    let format: ReportFormat

    /// The JSON of it.
    private struct Output: Encodable {
        /// One for each bridge that has covered records to score.
        var withoutHistory: [ColdBridge] = []
        /// All of them together by the days since each was first seen; empty for one.
        var withoutHistoryTogether: [ColdStage] = []
        /// All of their rows together; nil without rows.
        var lowConfidence: ConfidenceScores?
    }

    /// A quicker fit than the shipped one: half of its trees, from half of the rows, and an epoch less.
    private func recipe(_ history: OpeningHistory, _ interval: Range<Timestamp>) -> TrainingPlan {
        var plan = TrainingPlan(
            history: history, validationFrom: interval.lowerBound, validationTo: interval.upperBound
        )
        plan.boosting.trees /= 2
        plan.boostingPasses = 2
        plan.minutesBetweenIssueTimes = 4
        plan.settings.epochs = 4
        return plan
    }

    func run() async throws {
        let interval = try period.interval()
        let bridges = try chosenBridges()
        let loaded = try records.load(before: interval.lowerBound)
        let evaluation = RefitEvaluation(
            history: loaded.history, recipe: recipe(loaded.history, interval))
        var output = Output()
        var parts: [[ScoredRows]] = []
        for bridge in bridges {
            note("bridgecast: fitting without \(BridgeCatalogue[bridge].name) ...")
            if let scored = try await evaluation.withoutHistory(of: bridge, scoring: interval) {
                output.withoutHistory.append(scored.bridge)
                parts.append(scored.rows)
            } else {
                note("bridgecast: \(BridgeCatalogue[bridge].name) has no covered records to score")
            }
        }
        guard !parts.isEmpty else { throw nothingToScore(of: bridges) }
        output.lowConfidence = ConfidenceScores.leftOut(.joined(parts.flatMap(\.self)))
        if parts.count > 1 { output.withoutHistoryTogether = ColdStart.stages(parts) }
        switch format {
        case .json: try Console.print(try json(output))
        case .table: try Console.print(text(output))
        }
    }

    private func nothingToScore(of bridges: [BridgeIndex]) -> CommandFailure {
        let names = bridges.map { BridgeCatalogue[$0].name }.joined(separator: ", ")
        return CommandFailure(
            .data,
            "no covered records of \(names) from \(period.from) to \(period.to), or none before to know "
                + "the usual rate by: is --coverage missing?")
    }

    private func chosenBridges() throws -> [BridgeIndex] {
        if bridges.contains("all") { return BridgeIndex.all }
        return try bridges.map { name in
            guard let bridge = BridgeCatalogue.index(named: name) else {
                throw CommandFailure(.usage, "--leave-out: unknown bridge '\(name)'")
            }
            return bridge
        }
    }

    private func text(_ output: Output) -> String {
        let leads = EvaluationProtocol.leadsMinutes.filter { $0 > 0 }.map { "\(Int($0))" }
        let together = output.lowConfidence.map {
            "\n\nP(blocked) of these together (\(ConfidenceText.measure))\n"
                + ConfidenceText.table([$0])
        }
        return ColdStartText.text(
            output.withoutHistory, together: output.withoutHistoryTogether, leads)
            + (together ?? "")
    }
}
