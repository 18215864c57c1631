// `bridgecast features export`: the network's inputs as matrices, for other programs to fit or compare.
// Belongs here: `features export` and the form of its files.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

struct FeaturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features",
        abstract: "Exports the network's inputs as numpy matrices.",
        subcommands: [Export.self])

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes the evaluation protocol's rows to a folder.",
            discussion: """
                features.npy [n, F] fp32, prior_logits.npy [n, 12] fp32, probabilities.npy [n, 12] fp32 (what \
                the model makes of them), blocked.npy [n] u8 (what happened), rows.csv (bridge, issue \
                time, lead). The prior is that of the model's climatology.
                """)

        @Argument(help: "Folder; it is made if need be.")
        var folder: String

        @Option(name: .long, help: "Model file. Default: the shipped one.")
        var model: String?

        @OptionGroup var records: RecordOptions

        @OptionGroup var period: PeriodOptions

        @Flag(name: .long, help: "Export rows to learn from instead of the protocol's.")
        var training = false

        @Option(name: .long, help: "At most so many rows, spread over the period.")
        var rows = 1_000_000

        @Option(name: .long, help: "Code path: reference, simd, blas or all.")
        var computeUnits = ComputeUnits.all

        func run() async throws {
            try await reportingFailures {
                var period = period
                if training { period.from = "1900-01-01" }
                let interval = try period.interval()
                guard rows > 0 else { throw CommandFailure(.usage, "--rows must be above zero") }
                let model = try ModelLoading.load(self.model)
                let loaded = try records.load(before: interval.lowerBound)
                let target = try OutputFolder(folder)
                let matrix =
                    training
                    ? Sampler(trainingOn: loaded.history.before(interval.upperBound))
                        .matrix(most: rows, seed: 1)
                    : EvaluationProtocol(history: loaded.history, interval: interval)
                        .matrix(for: model.climatology, most: rows)
                guard !matrix.rows.isEmpty else {
                    throw CommandFailure(
                        .data, "no covered records from \(period.from) to \(period.to)")
                }
                try write(matrix, model, to: target)
                note("bridgecast: \(matrix.rows.count) rows in \(folder)")
            }
        }

        private func write(
            _ matrix: FeatureMatrix, _ model: LoadedModel, to folder: OutputFolder
        ) throws {
            var workspace = Workspace()
            var probabilities: [Float] = []
            model.predict(
                matrix.batch, into: &probabilities, workspace: &workspace, units: computeUnits)
            let (count, bins) = (matrix.rows.count, DelayBins.count)
            try NumpyFile.write(
                matrix.batch.rows.dense(), shape: [count, FeatureSchema.count],
                to: folder.file("features.npy"))
            try NumpyFile.write(
                matrix.batch.priorLogits, shape: [count, bins],
                to: folder.file("prior_logits.npy"))
            try NumpyFile.write(
                probabilities, shape: [count, bins],
                to: folder.file("probabilities.npy"))
            try NumpyFile.write(
                matrix.rows.map { $0.isBlocked ? UInt8(1) : 0 }, shape: [count],
                to: folder.file("blocked.npy"))
            try NumpyFile.write(
                matrix.rows.map(\.usual), shape: [count],
                to: folder.file("climatology.npy"))
            let lines = matrix.rows.map { row in
                "\(BridgeCatalogue[row.bridge].name),\(TimeText.rfc3339(row.issueTime)),"
                    + fixed(row.leadMinutes, 0)
            }
            try folder.file("rows.csv").write(
                (["bridge,issue_time,lead_min"] + lines + [""]).joined(separator: "\n"))
        }
    }
}
