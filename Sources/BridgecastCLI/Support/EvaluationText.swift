// The evaluation report as text.
import BridgecastEngine
import BridgecastTraining
import Foundation

enum EvaluationText {
    /// The whole report.
    static func text(_ report: EvaluationReport, _ comparison: ModelComparison?) -> String {
        var parts = [heading(report), byLead(report), byBridge(report), delay(report)]
        parts.append(reliability(report))
        if let comparison { parts.append(Self.comparison(comparison)) }
        return parts.joined(separator: "\n\n")
    }

    private static func heading(_ report: EvaluationReport) -> String {
        var lines = [
            "\(report.model) (\(report.weightFormat.rawValue)) on \(report.from) to \(report.to)",
            "\(report.total.rows) rows of \(report.days) days, leads 2 to 60 min, "
                + "blocked in \(percent(report.total.blockedRate))",
        ]
        if report.isInSample {
            lines.append(
                "NOT A TEST: the model was fitted to records of this period; the figures flatter it"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static func byLead(_ report: EvaluationReport) -> String {
        var table = TextTable(
            [
                "lead", "skill", "95 % interval", "Poisson", "log loss", "climatology",
                "Brier skill",
                "ECE", "AUC",
            ],
            [.left, .right, .right, .right, .right, .right, .right, .right, .right])
        table.add(row("total", report.total))
        for lead in report.byLead where lead.leadMinutes > 0 {
            table.add(row("\(Int(lead.leadMinutes)) min", lead.scores))
        }
        for lead in report.byLead where lead.leadMinutes == 0 {
            table.add(row("(0 min)", lead.scores))
        }
        return "Blocked on arrival: log-loss skill over climatology, by lead\n" + table.text()
    }

    private static func row(_ name: String, _ scores: GroupScores) -> [String] {
        let model = scores.blocked["model"]
        let skill = scores.logLossSkill
        return [
            name, fixed(skill.value, 3), "\(fixed(skill.low, 3)) .. \(fixed(skill.high, 3))",
            fixed(scores.poissonLogLossSkill, 3), fixed(model?.logLoss ?? 0, 4),
            fixed(scores.blocked["climatology"]?.logLoss ?? 0, 4),
            fixed(scores.brierSkill.value, 3),
            "\(fixed((model?.calibrationError ?? 0) * 100, 2)) pp",
            model?.auc.map { fixed($0, 3) } ?? "-",
        ]
    }

    private static func byBridge(_ report: EvaluationReport) -> String {
        let leads = report.byLead.map(\.leadMinutes).filter { $0 > 0 }
        var table = TextTable(
            ["bridge", "blocked", "skill", "95 % interval"] + leads.map { "\(Int($0)) min" },
            [.left, .right, .right, .right] + leads.map { _ in .right })
        for bridge in report.byBridge {
            let skill = bridge.scores.logLossSkill
            table.add(
                [
                    bridge.bridge, percent(bridge.scores.blockedRate), fixed(skill.value, 3),
                    "\(fixed(skill.low, 3)) .. \(fixed(skill.high, 3))",
                ]
                    + leads.map { lead in
                        bridge.logLossSkillByLead["\(Int(lead))"].map { fixed($0, 3) } ?? "-"
                    })
        }
        return "The same by bridge\n" + table.text()
    }

    private static func delay(_ report: EvaluationReport) -> String {
        var table = TextTable(
            ["forecast", "RPS", "pinball 0.5", "0.8", "0.95", "mean abs. error"],
            [.left, .right, .right, .right, .right, .right])
        for name in ["model", "climatology"] {
            guard let scores = report.total.delay[name] else { continue }
            let pinball = ["0.5", "0.8", "0.95"].map {
                "\(fixed(scores.pinballSeconds[$0] ?? 0, 2)) s"
            }
            table.add(
                [name, fixed(scores.rankedProbabilityScore, 4)] + pinball
                    + ["\(fixed(scores.meanAbsoluteErrorSeconds, 1)) s"])
        }
        let skill = report.total.delaySkill
        return "Delay at the profile's traffic density, leads 2 to 60 min\n" + table.text()
            + "\nRPS skill \(fixed(skill.value, 3)) "
            + "(\(fixed(skill.low, 3)) .. \(fixed(skill.high, 3)))"
    }

    private static func reliability(_ report: EvaluationReport) -> String {
        var table = TextTable(
            ["forecast", "happened", "rows", "forecast = , happened #"],
            [.right, .right, .right, .left])
        let highest = report.reliability.map { max($0.meanForecast, $0.frequency) }.max() ?? 1
        for bin in report.reliability {
            table.add([
                "\(fixed(bin.meanForecast * 100, 2)) %", "\(fixed(bin.frequency * 100, 2)) %",
                String(bin.rows), bar(bin, highest: max(highest, 1e-9)),
            ])
        }
        return "Reliability of P(blocked) in ten equal-count bins\n" + table.text()
    }

    /// Two markers on one scale: = where the forecast lies, # where the outcome does, X for both.
    private static func bar(_ bin: ReliabilityBin, highest: Double) -> String {
        var cells = Array(repeating: Character("."), count: 41)
        let forecast = Int((bin.meanForecast / highest * 40).rounded())
        let happened = Int((bin.frequency / highest * 40).rounded())
        cells[forecast] = "="
        cells[happened] = forecast == happened ? "X" : "#"
        return String(cells)
    }

    private static func comparison(_ comparison: ModelComparison) -> String {
        "Against the other model: skill \(fixed(comparison.skill, 5)) here, "
            + "\(fixed(comparison.otherSkill, 5)) there "
            + "(\(fixed(comparison.relativeLossPercent, 3)) % less here); "
            + "P(blocked) differs by at most \(fixed(comparison.largestDifference, 5)), "
            + "\(fixed(comparison.meanDifference, 6)) on average"
    }
}
