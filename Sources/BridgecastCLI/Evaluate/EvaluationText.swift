// The evaluation report as text.
import BridgecastBench
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

enum EvaluationText {
    static func text(_ output: EvaluationOutput) -> String {
        let report = output.report
        var parts = [
            heading(report), asLive(report), byLead(report, .raised), byLead(report, .stopped),
            baselines(report),
            byBridge(report), byTime(report),
            delay(report), reliability(report), byConfidence(report),
        ]
        if let comparison = output.comparison { parts.append(Self.comparison(comparison)) }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func heading(_ report: EvaluationReport) -> String {
        var lines = [
            "\(report.model) (\(report.weightFormat.rawValue)) on \(report.from) to \(report.to)",
            "\(report.total.rows) rows of \(report.days) days, leads 2 to 60 min, "
                + "span raised on arrival in \(percent(report.total.raised.rate)), stopped in "
                + percent(report.total.stopped.rate),
        ]
        if report.isInSample {
            lines.append(
                "NOT A TEST: the model was fitted to records of this period; the figures are too good"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// The skill by what was known; empty if only complete knowledge was scored.
    private static func asLive(_ report: EvaluationReport) -> String {
        guard !report.asLive.isEmpty else { return "" }
        var table = TextTable(
            ["known", "raised: skill", "95 % interval", "ECE", "stopped: skill", "95 % interval"],
            [.left, .right, .right, .right, .right, .right])
        for (name, scores) in knowledges(report) {
            table.add([
                name, fixed(scores.raised.modelSkill.value, 3), interval(scores.raised.modelSkill),
                "\(fixed((scores.raised.model?.calibrationError ?? 0) * 100, 2)) pp",
                fixed(scores.stopped.modelSkill.value, 3), interval(scores.stopped.modelSkill),
            ])
        }
        return "By what is known at issue time; all that follows is of complete knowledge\n"
            + table.text()
    }

    /// The total scores by what was known: as live, then complete.
    static func knowledges(_ report: EvaluationReport) -> [(name: String, scores: GroupScores)] {
        report.asLive.map { ($0.knowledge.title, $0.total) }
            + [(Knowledge.complete.title, report.total)]
    }

    private static func byLead(_ report: EvaluationReport, _ event: ScoredEvent) -> String {
        var table = TextTable(
            [
                "lead", "skill", "95 % interval", "log loss", "climatology", "Brier skill", "ECE",
                "AUC",
            ],
            [.left, .right, .right, .right, .right, .right, .right, .right])
        table.add(row("total", report.total[event]))
        for lead in report.byLead where lead.leadMinutes > 0 {
            table.add(row("\(Int(lead.leadMinutes)) min", lead.scores[event]))
        }
        for lead in report.byLead where lead.leadMinutes == 0 {
            table.add(row("(0 min)", lead.scores[event]))
        }
        let meaning =
            event == .raised
            ? "Raised on arrival: the span is up"
            : "Stopped: time is lost, to the span or to the queue behind an opening, at the profile's traffic"
        return "\(meaning); log-loss skill over climatology, by lead\n" + table.text()
    }

    private static func row(_ name: String, _ scores: EventGroupScores) -> [String] {
        let model = scores.model
        return [
            name, fixed(scores.modelSkill.value, 3), interval(scores.modelSkill),
            fixed(model?.logLoss ?? 0, 4), fixed(scores.scores["climatology"]?.logLoss ?? 0, 4),
            fixed(scores.brierSkill.value, 3),
            "\(fixed((model?.calibrationError ?? 0) * 100, 2)) pp",
            model?.auc.map { fixed($0, 3) } ?? "-",
        ]
    }

    static func interval(_ estimate: Estimate) -> String {
        "\(fixed(estimate.low, 3)) .. \(fixed(estimate.high, 3))"
    }

    private static func baselines(_ report: EvaluationReport) -> String {
        let leads = report.byLead.filter { $0.leadMinutes > 0 }
        var table = TextTable(
            ["forecast", "total", "95 % interval"] + leads.map { "\(Int($0.leadMinutes)) min" },
            [.left, .right, .right] + leads.map { _ in .right })
        for forecaster in Forecaster.allCases {
            guard let total = report.total.raised.skill[forecaster.rawValue] else { continue }
            table.add(
                [forecaster.title, fixed(total.value, 3), interval(total)]
                    + leads.map { lead in
                        lead.scores.raised.skill[forecaster.rawValue].map { fixed($0.value, 3) }
                            ?? "-"
                    })
        }
        return
            "Raised on arrival: log-loss skill of the baselines, fitted to the records before the period\n"
            + table.text()
    }

    private static func byBridge(_ report: EvaluationReport) -> String {
        let leads = report.byLead.map(\.leadMinutes).filter { $0 > 0 }
        var table = TextTable(
            ["bridge"] + eventColumns + leads.map { "raised, \(Int($0)) min" },
            [.left] + eventColumns.map { _ in .right } + leads.map { _ in .right })
        for bridge in report.byBridge {
            table.add(
                [bridge.bridge] + eventCells(bridge.scores)
                    + leads.map { lead in
                        bridge.skillByLead["\(Int(lead))"].map { fixed($0.value, 3) } ?? "-"
                    })
        }
        return "By bridge: log-loss skill\n" + table.text()
    }

    private static func byTime(_ report: EvaluationReport) -> String {
        var table = TextTable(
            ["arrival", "rows"] + eventColumns, [.left, .right] + eventColumns.map { _ in .right })
        for time in report.byDayType + report.byHour {
            let name = Int(time.name).map { "\($0):00 to \($0 + 1):00" } ?? time.name
            table.add([name, String(time.scores.rows)] + eventCells(time.scores))
        }
        return "By day type and hour of arrival: log-loss skill\n" + table.text()
    }

    private static let eventColumns = [
        "raised", "skill", "95 % interval", "stopped", "skill", "95 % interval",
    ]

    private static func eventCells(_ scores: GroupScores) -> [String] {
        ScoredEvent.allCases.flatMap { event in
            let skill = scores[event].modelSkill
            return [percent(scores[event].rate), fixed(skill.value, 3), interval(skill)]
        }
    }

    private static func delay(_ report: EvaluationReport) -> String {
        let levels = ["0.5", "0.8", "0.95"]
        var columns = ["rho", "forecast", "RPS", "RPS skill", "95 % interval"]
        columns += levels.map { "pinball \($0)" }
        columns += ["mean abs. error"] + levels.map { "below q\($0)" } + ["if delayed: q0.8"]
        let alignment = columns.indices.map { $0 < 2 ? TextTable.Alignment.left : .right }
        var table = TextTable(columns, alignment)
        for traffic in DelayTraffic.allCases {
            for forecaster in [Forecaster.model, .climatology] {
                guard let scores = report.total.delay[traffic.rawValue]?[forecaster.rawValue] else {
                    continue
                }
                let skill = forecaster == .model ? report.total.delaySkill[traffic.rawValue] : nil
                var row = [forecaster == .model ? traffic.rawValue : "", forecaster.title]
                row.append(fixed(scores.rankedProbabilityScore, 4))
                row.append(skill.map { fixed($0.value, 3) } ?? "")
                row.append(skill.map { interval($0) } ?? "")
                row += levels.map { "\(fixed(scores.pinballSeconds[$0] ?? 0, 2)) s" }
                row.append("\(fixed(scores.meanAbsoluteErrorSeconds, 1)) s")
                row += levels.map { percent(scores.coverage[$0] ?? 0) }
                row.append(scores.coverageIfDelayed.map { percent($0["0.8"] ?? 0) } ?? "-")
                table.add(row)
            }
        }
        return
            "Delay by degree of saturation (rho), leads 2 to 60 min; below qP: share of outcomes "
            + "below the forecast's quantile P\n" + table.text()
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
        return "Reliability of the chance of being stopped in ten equal-count bins\n" + table.text()
    }

    private static func byConfidence(_ report: EvaluationReport) -> String {
        "The chance of being stopped by confidence, leads 2 to 60 min (\(ConfidenceText.measure))\n"
            + ConfidenceText.table(report.byConfidence)
    }

    /// Two markers on one scale: = for the forecast, # for the outcome, X for both.
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
            + "(\(fixed(comparison.relativeLossPercent, 3)) % less here; difference "
            + "\(fixed(comparison.skillDifference.value, 5)), "
            + "\(fixed(comparison.skillDifference.low, 5)) .. "
            + "\(fixed(comparison.skillDifference.high, 5))); "
            + "the chance that the span is raised differs by at most \(fixed(comparison.largestDifference, 5)), "
            + "\(fixed(comparison.meanDifference, 6)) on average"
    }
}

extension Forecaster {
    /// The name in tables and pictures.
    var title: String {
        switch self {
        case .model: "model"
        case .climatology: "climatology"
        case .baseRate: "base rate"
        case .poisson: "Poisson, weekday and hour"
        case .persistence: "persistence"
        case .bridgelocks: "bridgelocks rule"
        case .logistic: "logistic regression"
        }
    }
}

// MARK: - Bridges left out

/// `--leave-out` as text: the skill for bridges that a fit never saw.
enum ColdStartText {
    /// A table of the bridges, and one of the days since each was first seen.
    static func text(_ bridges: [ColdBridge], together: [ColdStage], leads: [String]) -> String {
        overall(bridges, leads) + "\n\n" + stages(bridges, together)
    }

    private static func overall(_ bridges: [ColdBridge], _ leads: [String]) -> String {
        var table = TextTable(
            ["bridge", "raised", "forecast", "skill", "95 % interval"]
                + leads.map { "\($0) min" } + ["over own climatology", "confidence"],
            [.left] + Array(repeating: .right, count: leads.count + 6))
        for bridge in bridges {
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

    private static func stages(_ bridges: [ColdBridge], _ together: [ColdStage]) -> String {
        var table = TextTable(
            ["bridge", "days seen", "raised", "forecast", "skill", "95 % interval"],
            [.left] + Array(repeating: .right, count: 5))
        let named =
            bridges.map { ($0.bridge, $0.stages) } + (together.isEmpty ? [] : [("all", together)])
        for (name, stages) in named {
            for stage in stages {
                let hasInterval = stage.days >= ColdStage.minDaysForInterval
                table.add([
                    name, stage.toDay.map { "\(stage.fromDay) to \($0)" } ?? "\(stage.fromDay) on",
                    percent(stage.blockedRate),
                    percent(stage.meanForecast), fixed(stage.skillOverOwnRate.value, 3),
                    hasInterval ? EvaluationText.interval(stage.skillOverOwnRate) : "-",
                ])
            }
        }
        return "The same by the days since the bridge was first seen\n" + table.text()
    }
}

// MARK: - Confidence

enum ConfidenceText {
    /// The measures of the table.
    static let measure =
        "error: mean |forecast - happened| over ten bins; confidences are compared by its share of the "
        + "mean forecast, since their chances differ; slope: best 1, below it too extreme"

    /// The table for a terminal.
    static func table(_ lines: [ConfidenceScores]) -> String {
        var table = TextTable(columns, [.left] + columns.dropFirst().map { _ in .right })
        for line in lines { table.add(cells(line)) }
        return table.text()
    }

    /// The table in Markdown.
    static func markdown(_ lines: [ConfidenceScores]) -> String {
        ([columns, columns.map { _ in "---" }] + lines.map(cells))
            .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static let columns = [
        "confidence", "rows", "happened", "forecast", "error", "error / forecast", "95 % interval",
        "slope",
        "95 % interval", "skill", "95 % interval",
    ]

    private static func cells(_ line: ConfidenceScores) -> [String] {
        let relative = line.relativeCalibrationError
        return [
            name(line), String(line.rows), percent(line.rate), percent(line.meanForecast),
            "\(fixed(line.calibrationError.value * 100, 2)) pp", fixed(relative.value, 3),
            EvaluationText.interval(relative),
            line.calibrationSlope.map { fixed($0.value, 3) } ?? "-",
            line.calibrationSlope.map { EvaluationText.interval($0) } ?? "-",
            fixed(line.skill.value, 3), EvaluationText.interval(line.skill),
        ]
    }

    private static func name(_ line: ConfidenceScores) -> String {
        switch line.knowledge {
        case .asForecast: line.confidence.rawValue
        case .stateHidden: "\(line.confidence.rawValue): HIGH's rows, state hidden"
        case .bridgeLeftOut: "\(line.confidence.rawValue): bridges left out"
        }
    }
}

// MARK: - Routes

enum RouteBacktestText {
    static func text(_ report: RouteBacktestReport, model: String) -> String {
        var table = TextTable(
            [
                "following", "min a trip", "regret", "95 % interval", "stopped",
                "regret saved by bridgecast",
            ],
            [.left, .right, .right, .right, .right, .left])
        for figures in report.policies {
            let regret = figures.regretMinutes
            table.add([
                label(figures.policy), fixed(figures.meanMinutes, 2), fixed(regret.value, 3),
                "\(fixed(regret.low, 3)) .. \(fixed(regret.high, 3))", percent(figures.stopped),
                report.saved[figures.policy].map {
                    "\(fixed($0.value * 100, 1)) % (\(fixed($0.low * 100, 1)) .. \(fixed($0.high * 100, 1)))"
                } ?? "",
            ])
        }
        let dependence = report.dependence
        let correlation = dependence.residualCorrelation
        return """
            \(report.trips) trips by car between \(report.pairs) pairs of places, \(report.days) days; model \(model)
            Regret: minutes longer than the best route in hindsight (\(fixed(report.hindsightMinutes, 2)) min a trip)

            \(table.text(indent: "  "))

            bridgecast and climatology choose different routes on \(percent(report.differs)) of trips, which gains \
            \(fixed(report.gainWhereDifferent, 2)) min on each of these
            Two bridges of one waterway, 10 minutes apart, \(dependence.cases) cases: stopped at both \
            \(fixed(dependence.bothStopped.value * 100, 2)) % \
            (\(fixed(dependence.bothStopped.low * 100, 2)) .. \(fixed(dependence.bothStopped.high * 100, 2))); \
            if independent given the forecast \(fixed(dependence.bothStoppedIfIndependent * 100, 2)) %
            at either \(fixed(dependence.anyStopped * 100, 2)) %, forecast \(fixed(dependence.anyStoppedIfIndependent * 100, 2)) %; \
            correlation of the residuals \(fixed(correlation.value, 3)) (\(fixed(correlation.low, 3)) .. \(fixed(correlation.high, 3)))
            """
    }

    private static func label(_ policy: RoutePolicy) -> String {
        switch policy {
        case .bridgecast: "bridgecast"
        case .climatology: "climatology"
        case .shortest: "always the shortest"
        case .fixedBridge: "always a fixed bridge"
        }
    }
}
