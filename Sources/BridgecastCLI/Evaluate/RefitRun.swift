// `bridgecast evaluate --refit-at` and `--leave-out`: the recipe on trial instead of one model's file.
import BridgecastCore
import BridgecastTraining

/// Fits and scores as often as asked, and prints one line for each.
struct RefitRun {
    let origins: [String]
    let days: Int
    let bridges: [String]
    let period: PeriodOptions
    let records: RecordOptions
    let format: ReportFormat

    /// The JSON of it.
    private struct Output: Encodable {
        var origins: [RefitEvaluation.Origin] = []
        var pooledSkill: Estimate?
        var withoutHistory: [RefitEvaluation.ColdBridge] = []
    }

    /// A fit by the shipped recipe with half of its trees and a quarter of its rows: about two minutes.
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
        guard (1...366).contains(days) else {
            throw CommandFailure(.usage, "--refit-days: 1 to 366")
        }
        let interval = try period.interval()
        let cuts = try origins.map { try PeriodText.start($0) }.sorted()
        let bridges = try chosenBridges()
        let loaded = try records.load(before: cuts.first ?? interval.lowerBound)
        let evaluation = RefitEvaluation(
            history: loaded.history, recipe: recipe(loaded.history, interval))
        var output = Output()
        var parts: [ScoredRows] = []
        for cut in cuts {
            note("bridgecast: fitting to the records before \(TimeText.rfc3339(cut)) ...")
            guard let scored = try await evaluation.origin(at: cut, days: days) else {
                throw CommandFailure(
                    .data,
                    "no covered records before \(TimeText.rfc3339(cut)), or none in the \(days) days after"
                )
            }
            output.origins.append(scored.origin)
            parts.append(scored.rows)
        }
        if parts.count > 1 { output.pooledSkill = RefitEvaluation.pooledSkill(parts) }
        for bridge in bridges {
            note("bridgecast: fitting without \(BridgeCatalogue[bridge].name) ...")
            if let scored = try await evaluation.withoutHistory(of: bridge, scoring: interval) {
                output.withoutHistory.append(scored)
            } else {
                note("bridgecast: \(BridgeCatalogue[bridge].name) has no covered records to score")
            }
        }
        switch format {
        case .json: try Console.print(try json(output))
        case .table: try Console.print(text(output))
        }
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
        var parts: [String] = []
        let leads = EvaluationProtocol.leadsMinutes.filter { $0 > 0 }.map { "\(Int($0))" }
        if !output.origins.isEmpty { parts.append(originsText(output, leads)) }
        if !output.withoutHistory.isEmpty { parts.append(bridgesText(output, leads)) }
        return parts.joined(separator: "\n\n")
    }

    private func originsText(_ output: Output, _ leads: [String]) -> String {
        var table = TextTable(
            ["fitted before", "days", "rows", "skill", "95 % interval"]
                + leads.map { "\($0) min" } + ["ECE"],
            [.left] + Array(repeating: .right, count: leads.count + 5))
        for origin in output.origins {
            table.add(
                [
                    String(origin.fittedBefore.prefix(10)), "\(origin.days)", "\(origin.rows)",
                    fixed(origin.skill.value, 3), EvaluationText.interval(origin.skill),
                ] + leads.map { origin.skillByLead[$0].map { fixed($0, 3) } ?? "-" }
                    + ["\(fixed(origin.calibrationError * 100, 2)) pp"])
        }
        let pooled = output.pooledSkill.map {
            "\nTogether: \(fixed($0.value, 3)) (\(EvaluationText.interval($0)))"
        }
        return "Rolling origin: log-loss skill over climatology of a fit to what came before\n"
            + table.text() + (pooled ?? "")
    }

    private func bridgesText(_ output: Output, _ leads: [String]) -> String {
        var table = TextTable(
            ["bridge", "blocked", "forecast", "skill", "95 % interval"]
                + leads.map { "\($0) min" } + ["over own climatology", "confidence"],
            [.left] + Array(repeating: .right, count: leads.count + 6))
        for bridge in output.withoutHistory {
            table.add(
                [
                    bridge.bridge, percent(bridge.blockedRate), percent(bridge.meanForecast),
                    fixed(bridge.skillOverOwnRate.value, 3),
                    EvaluationText.interval(bridge.skillOverOwnRate),
                ] + leads.map { bridge.skillOverOwnRateByLead[$0].map { fixed($0, 3) } ?? "-" }
                    + [fixed(bridge.skillOverOwnClimatology, 3), bridge.confidence.rawValue])
        }
        return
            "Without history: log-loss skill, over the bridge's own long-run rate, of a fit that "
            + "never saw the bridge\n" + table.text()
    }
}
