// `bridgecast evaluate`: scores a model on any records under the fixed protocol.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract:
            "Scores a model against climatology and Poisson rates on a period of the records.",
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

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let interval = try period.interval()
            let model = try ModelLoading.load(self.model)
            let loaded = try records.load(before: interval.lowerBound)
            for line in loaded.notes { note("bridgecast: note: \(line)") }
            let protocolRun = EvaluationProtocol(history: loaded.history, interval: interval)
            guard !protocolRun.bridges.isEmpty else {
                throw CommandFailure(
                    .data,
                    "no covered records before \(period.from): the baselines need some; "
                        + "add --records of earlier time with their --coverage")
            }
            let rows = protocolRun.rows(of: model, units: computeUnits)
            guard let report = EvaluationReport(rows, of: model, interval: interval) else {
                throw CommandFailure(
                    .data,
                    "no covered records from \(period.from) to \(period.to): is --coverage missing?"
                )
            }
            let comparison = try against.map { path in
                let other = try ModelLoading.load(path)
                return ModelComparison(rows, protocolRun.rows(of: other, units: computeUnits))
            }
            switch format {
            case .table: print(EvaluationText.text(report, comparison))
            case .json: print(try json(EvaluationOutput(report: report, comparison: comparison)))
            }
        }
    }
}

/// `--format` of reports.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json
}

/// The JSON of `evaluate`.
struct EvaluationOutput: Encodable {
    let report: EvaluationReport
    let comparison: ModelComparison?
}
