// `bridgecast evaluate`: scores a model on any records under the fixed protocol.
// The scores are in BridgecastTraining.
import ArgumentParser
import BridgecastAnswers
import BridgecastBench
import BridgecastCore
import BridgecastEngine
internal import BridgecastSupport
import BridgecastTraining
import Glibc

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract:
            "Scores a model against climatology and other baselines on a period of the records.",
        discussion: """
            Issue times are every 5 minutes of covered time, leads 2 to 60 minutes; lead 0 is shown \
            separately. "As live" is what watch knows a day or an hour after its start: the bridges with a sensor, read \
            every 20 seconds, and no records; everything else is scored with the complete records. Baselines and history come from the records before --from; the model is \
            not fitted again. Skill is 1 - log loss / log loss of climatology, with a 95 % interval from \
            resampled days.
            """)

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var records: RecordOptions

    @OptionGroup var period: PeriodOptions

    @Option(name: .long, help: "Code path: reference, simd, blas or all.")
    var computeUnits = ComputeUnits.all

    @Option(name: .long, help: "Compare with this model too, such as the fp32 of an int8.")
    var against: String?

    @Option(
        name: .long,
        help: "Folder for the report: page, pictures, figures and model card; created if needed.")
    var report: String?

    @Option(
        name: .long,
        help:
            "File for the figures with their intervals and the time saved, as the service shows them."
    )
    var skill: String?

    @Option(
        name: .long,
        help:
            "Instead of a model's file, score a new fit without this bridge on it, by the days since --from; may be repeated, 'all' for each in turn."
    )
    var leaveOut: [String] = []

    @Flag(
        name: .long,
        help:
            "Instead of forecasts, score the choice of routes: minutes lost against hindsight by following Bridgecast, climatology, the shortest route or a fixed bridge."
    )
    var routes = false

    @Option(
        name: .long,
        help:
            "With --routes: trips count if a route over other bridges is at most this many minutes longer."
    )
    var margin = RouteBacktest.defaultCloseMinutes

    @Flag(
        name: .long,
        help:
            "Instead of forecasts, score what a favourite learns from its journeys: simulated people commute over the bridges as they were."
    )
    var learned = false

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            guard leaveOut.isEmpty else {
                try await LeaveOutRun(
                    bridges: leaveOut, period: period, records: records, format: format
                ).run()
                return
            }
            let interval = try period.interval()
            let model = try ModelLoading.load(self.model)
            var history = try records.load(before: interval.lowerBound).history
            guard (0.1...60).contains(margin) else {
                throw CommandFailure(.usage, "--margin \(margin) must be 0.1 to 60")
            }
            if !records.records.isEmpty {
                remark(RecordsReviewText.scored(history, in: [interval]))
                history = history.doubtingEdgeStarts
            }
            if learned {
                try await scoreLearning(of: model, history: history, in: interval)
            } else if routes {
                try await scoreRoutes(of: model, history: history, in: interval)
            } else {
                try await scoreForecasts(of: model, history: history, in: interval)
            }
        }
    }

    private func scoreForecasts(
        of model: LoadedModel, history: OpeningHistory, in interval: Range<Timestamp>
    ) async throws {
        // Before anything is fitted, which takes seconds.
        guard !history.before(interval.lowerBound).coverage.isEmpty else {
            throw CommandFailure(
                .data,
                "no covered records before \(period.from): the baselines need some; "
                    + "add --records of earlier time with their --coverage")
        }
        guard !history.coverage.clamped(to: interval).isEmpty else { throw nothingToScore }
        let folder = try self.report.map { try OutputFolder($0) }
        let skillFile = skill.map { OutputFile($0) }
        try skillFile?.check()
        let protocolRun = EvaluationProtocol(
            history: history, interval: interval, fitsRegression: true)
        let rows = protocolRun.rows(of: model, units: computeUnits)
        let live = [Knowledge.liveDay, .liveHour].map {
            (knowledge: $0, rows: protocolRun.rows(of: model, units: computeUnits, knowing: $0))
        }
        let hidden = protocolRun.rows(of: model, units: computeUnits, knowing: .none)
        guard
            let report = EvaluationReport(
                rows, of: model, interval: interval, live: live, hidden: hidden)
        else {
            throw nothingToScore
        }
        let comparison = try against.map { path in
            let other = try ModelLoading.load(path)
            return ModelComparison(
                rows, protocolRun.rows(of: other, units: computeUnits),
                name: "\(other.header.name), \(other.header.weightFormat.rawValue)")
        }
        let output = EvaluationOutput(report: report, comparison: comparison)
        switch format {
        case .table: try Console.print(EvaluationText.text(output))
        case .json: try Console.print(try json(output))
        }
        if let folder {
            try EvaluationFolder.write(output, of: model, to: folder)
            note("bridgecast: report in \(folder.path), start with report.html")
        }
        guard let skillFile, let figures = SkillReport(rows) else { return }
        let routes = try await backtest(of: model, history: history, in: interval)
        let document = SkillFile(
            header: model.header, interval: interval, days: report.days, report: figures,
            asLive: live.compactMap { knowledge, rows in
                SkillReport(rows).map { (knowledge, $0) }
            }, routes: routes)
        try skillFile.write(document.jsonText() + "\n")
    }

    private func backtest(
        of model: LoadedModel, history: OpeningHistory, in interval: Range<Timestamp>
    ) async throws -> RouteBacktestReport? {
        let backtest = RouteBacktest(
            history: history, model: model, network: try ShippedFiles.roads(), interval: interval,
            closeMinutes: margin)
        var tenths = 0
        return try await backtest.run { share in
            // Progress is for a person; programs read errors.
            guard Int(share * 10) > tenths, Terminal.isTerminal(STDERR_FILENO) else { return }
            tenths = Int(share * 10)
            note("bridgecast: \(tenths * 10) % of the trips")
        }
    }

    private var nothingToScore: CommandFailure {
        CommandFailure(
            .data, "no covered records from \(period.from) to \(period.to): is --coverage missing?")
    }

    private func scoreLearning(
        of model: LoadedModel, history: OpeningHistory, in interval: Range<Timestamp>
    ) async throws {
        let results = try await CommuteYear(
            history: history, model: model, network: try ShippedFiles.roads(), interval: interval
        ).run()
        guard !results.isEmpty else { throw nothingToScore }
        switch format {
        case .table: try Console.print(LearningResultText.text(results))
        case .json: try Console.print(try json(results))
        }
    }

    private func scoreRoutes(
        of model: LoadedModel, history: OpeningHistory, in interval: Range<Timestamp>
    ) async throws {
        guard let report = try await backtest(of: model, history: history, in: interval) else {
            throw CommandFailure(
                .data,
                "no trip from \(period.from) to \(period.to) is covered by records: is --coverage missing?"
            )
        }
        let header = model.header
        switch format {
        case .table:
            try Console.print(
                RouteBacktestText.text(
                    report, model: "\(header.name) (\(header.weightFormat.rawValue))"))
        case .json: try Console.print(try json(report))
        }
    }
}

/// The JSON of `evaluate`.
struct EvaluationOutput: Encodable {
    let report: EvaluationReport
    let comparison: ModelComparison?
}

// MARK: - Learned

enum LearningResultText {
    static func text(_ results: [LearningResult]) -> String {
        var table = TextTable(
            ["person", "journeys", "CRPS", "learned", "change", "error", "P90", "learned"],
            [.left, .right, .left, .right, .left, .left, .right, .right])
        for result in results {
            table.add([
                result.person, fixed(result.journeys, 0),
                "\(fixed(result.forecastCRPS, 1)) ± \(fixed(result.yearlyDeviation, 0))",
                fixed(result.learnedCRPS, 1),
                "\(signed(result.change)) ± \(fixed(result.standardError * 100, 1)) %",
                "\(fixed(result.forecastError, 0)) -> \(fixed(result.learnedError, 0)) s",
                "\(fixed(result.forecastCoverage * 100, 0)) %",
                "\(fixed(result.learnedCoverage * 100, 0)) %",
            ])
        }
        return """
            \(CommuteYear.origin) to \(CommuteYear.destination) by car, \(CommuteYear.years) years of each person
            \(table.text())
            CRPS: seconds, less is better, with its deviation from year to year; change: with its standard error;
            error: of the expected time, in magnitude.
            P90: the share of journeys within it, 90 % is right. Learned: with the journeys that had ended before.
            """
    }

    private static func signed(_ change: Double) -> String {
        (change < 0 ? "-" : "+") + fixed(abs(change) * 100, 1)
    }
}

// MARK: - Report

enum EvaluationFolder {
    /// Writes report.html, a picture each, scores.json, report.txt and card.md.
    static func write(
        _ output: EvaluationOutput, of model: LoadedModel, to folder: OutputFolder
    ) throws {
        func write(_ text: String, _ name: String) throws {
            try folder.file(name).write(text)
        }
        let pictures = EvaluationCharts.all(output.report)
        for picture in pictures { try write(picture.svg + "\n", "\(picture.name).svg") }
        let text = EvaluationText.text(output)
        try write(text + "\n", "report.txt")
        try write(try json(output) + "\n", "scores.json")
        try write(ModelCard.text(output, of: model), "card.md")
        try write(page(output.report, text: text, pictures: pictures), "report.html")
    }

    /// What users of the live feed get; empty if it was not scored.
    private static func asLive(_ report: EvaluationReport) -> String {
        guard let live = report.asLive.first else { return "" }
        let raised = live.total.raised.modelSkill
        let stopped = live.total.stopped.modelSkill
        return """
            <p class="key">What the live feed gives (\(SVGChart.escaped(live.knowledge.title))): skill of the chance of being \
            stopped <b>\(fixed(stopped.value, 3))</b> (\(EvaluationText.interval(stopped))), of the chance that the \
            span is up on arrival <b>\(fixed(raised.value, 3))</b> (\(EvaluationText.interval(raised))).</p>
            """
    }

    private static func page(
        _ report: EvaluationReport, text: String,
        pictures: [(name: String, caption: String, svg: String)]
    ) -> String {
        let figures = pictures.map { picture in
            "<figure>\n\(picture.svg)\n<figcaption>\(SVGChart.escaped(picture.caption))"
                + "</figcaption>\n</figure>"
        }.joined(separator: "\n")
        let skill = report.total.stopped.modelSkill
        let raised = report.total.raised.modelSkill
        let warning =
            report.isInSample
            ? #"<p class="warning">Not a test: the model was fitted to records of this period.</p>"#
            : ""
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Bridgecast: evaluation of \(SVGChart.escaped(report.model))</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; \
            color: #222; background: #fafafa }
            .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 1.5rem }
            figure { margin: 0; background: white; border: 1px solid #ddd; border-radius: 6px; padding: 1rem }
            figcaption { color: #555; font-size: 0.9rem }
            svg { width: 100%; height: auto }
            pre { background: white; border: 1px solid #ddd; border-radius: 6px; padding: 1rem; \
            overflow-x: auto; font-size: 0.8rem; line-height: 1.4 }
            .key { font-size: 1.15rem }
            .warning { color: #a00; font-weight: 600 }
            </style>
            <h1>How good is the forecast?</h1>
            \(asLive(report))
            <p class="key">With everything known, skill over climatology of the chance of being stopped: <b>\(fixed(skill.value, 3))</b> \
            (95 % interval \(EvaluationText.interval(skill))); of the chance that the span is up on arrival: \
            <b>\(fixed(raised.value, 3))</b> (\(EvaluationText.interval(raised))); from \(report.total.rows) forecasts \
            on \(report.days) days, \(SVGChart.escaped(report.from)) to \
            \(SVGChart.escaped(report.to)).</p>
            \(warning)
            <div class="figures">
            \(figures)
            </div>
            <h2>All figures</h2>
            <pre>\(SVGChart.escaped(text))</pre>
            </html>

            """
    }
}

// MARK: - Bridges left out

/// `--leave-out`: fits without each of some bridges in turn, and prints the skill for it as its records accumulate.
struct LeaveOutRun {
    let bridges: [String]
    let period: PeriodOptions
    let records: RecordOptions
    let format: ReportFormat

    private struct Output: Encodable {
        /// One for each bridge with covered records to score.
        var withoutHistory: [ColdBridge] = []
        /// All of them together by the days since each was first seen; empty for one.
        var withoutHistoryTogether: [ColdStage] = []
        /// All of their rows together; nil without rows.
        var lowConfidence: ConfidenceScores?
    }

    /// A faster fit than the shipped one: half of its trees, half of the rows, and fewer epochs.
    private func recipe(
        _ history: OpeningHistory, scoring interval: Range<Timestamp>
    ) -> TrainingPlan {
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
        let history = try records.load(before: interval.lowerBound).history
            .doubtingEdgeStarts
        let evaluation = RefitEvaluation(
            history: history, recipe: recipe(history, scoring: interval))
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
            "no covered records of \(names) from \(period.from) to \(period.to), or none before for "
                + "the climatological rate: is --coverage missing?")
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
            output.withoutHistory, together: output.withoutHistoryTogether, leads: leads)
            + (together ?? "")
    }
}
