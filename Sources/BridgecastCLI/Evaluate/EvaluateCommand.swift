// `bridgecast evaluate`: scores a model on any records under the fixed protocol.
// Belongs here: `evaluate`: its tables, page, pictures and model card; not: the scores (BridgecastTraining).
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract:
            "Scores a model against climatology and other baselines on a period of the records.",
        discussion: """
            Issue times are every 5 minutes of covered time, leads 2 to 60 minutes; lead 0 is shown \
            apart. Baselines and history come from the records before --from; the model is taken \
            as it is. Skill is 1 - log loss / log loss of climatology, with a 95 % interval from \
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
        help: "Folder for the report: page, pictures, figures and model card; made if need be.")
    var report: String?

    @Option(
        name: .long,
        help:
            "File for the figures with their intervals and what they save drivers, as the service shows them."
    )
    var skill: String?

    @Option(
        name: .long,
        help:
            "Instead of a model's file, score a new fit that never saw this bridge on it, by the days since --from; may be repeated, 'all' for each in turn."
    )
    var leaveOut: [String] = []

    @Flag(
        name: .long,
        help:
            "Instead of forecasts, score the choice of routes: minutes lost against hindsight by following Bridgecast, climatology, the shortest way or a fixed bridge."
    )
    var routes = false

    @Option(
        name: .long,
        help:
            "With --routes: minutes that a way over other bridges may be longer, for trips to count."
    )
    var margin = RouteBacktest.usualCloseMinutes

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
            let history = try records.load(before: interval.lowerBound).history
            guard (0.1...60).contains(margin) else {
                throw CommandFailure(.usage, "--margin \(margin) does not lie between 0.1 and 60")
            }
            if !records.records.isEmpty {
                remark(RecordsReviewText.scored(history, in: [interval]))
            }
            if routes {
                try await scoreRoutes(model, history, interval)
            } else {
                try await scoreForecasts(model, history, interval)
            }
        }
    }

    private func scoreForecasts(
        _ model: LoadedModel, _ history: OpeningHistory, _ interval: Range<Timestamp>
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
        let hidden = protocolRun.rows(of: model, units: computeUnits, isStateHidden: true)
        guard
            let report = EvaluationReport(rows, of: model, interval: interval, hidden: hidden)
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
        let routes = try await backtest(model, history, interval).run()
        let document = SkillFile(
            header: model.header, interval: interval, days: report.days, report: figures,
            routes: routes)
        try skillFile.write(document.jsonText() + "\n")
    }

    private func backtest(
        _ model: LoadedModel, _ history: OpeningHistory, _ interval: Range<Timestamp>
    ) throws -> RouteBacktest {
        RouteBacktest(
            history: history, model: model, network: try ShippedFiles.roads(), interval: interval,
            closeMinutes: margin)
    }

    private var nothingToScore: CommandFailure {
        CommandFailure(
            .data, "no covered records from \(period.from) to \(period.to): is --coverage missing?")
    }

    private func scoreRoutes(
        _ model: LoadedModel, _ history: OpeningHistory, _ interval: Range<Timestamp>
    ) async throws {
        guard let report = try await backtest(model, history, interval).run() else {
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
