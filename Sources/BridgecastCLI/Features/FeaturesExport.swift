// `bridgecast features export`: rows to learn from, or those of the evaluation protocol, with their inputs.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

struct FeaturesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the evaluation protocol's rows to a folder.",
        discussion: """
            features.npy [n, F] fp32, prior_logits.npy [n, 12] fp32, probabilities.npy [n, 12] fp32 (what \
            the model makes of them), blocked.npy [n] u8 (what happened), climatology.npy [n] fp32 (P(blocked) \
            that skill is counted over), rows.csv (bridge, issue time, lead). The prior is that of the \
            model's climatology.

            With --sparse, and where they would take over 6 GB, the features are \
            features_data.npy, features_indices.npy, features_indptr.npy and features_shape.npy, as \
            scipy.sparse.csr_matrix takes them. With --trees tree_features.npy takes their place: plain \
            times and counts, NaN where something is not known.

            With --origin no model is needed: rows are those of a rolling origin as `origins` cuts \
            them, and the prior is that of the records before it.
            """)

    @Argument(help: "Folder; it is made if need be.")
    var folder: String

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var records: RecordOptions

    @OptionGroup var period: PeriodOptions

    @Option(
        name: .long,
        help:
            "In place of --from, --to and --model: the days from this one on, or with --training the records before it."
    )
    var origin: String?

    @Option(name: .long, help: "With --origin: days that are scored.")
    var days = RollingOrigin.usualDays

    @Option(name: .long, help: "With --origin: days before it that are not learned from either.")
    var purgeDays = RollingOrigin.usualPurgeDays

    @Flag(name: .long, help: "Export rows to learn from instead of the protocol's.")
    var training = false

    @Flag(name: .long, help: "Inputs of decision trees instead of the network's.")
    var trees = false

    @Flag(name: .long, help: "Leave out zeros: compressed rows.")
    var sparse = false

    @Option(name: .long, help: "At most so many rows, spread over the period.")
    var rows = 1_000_000

    @Option(name: .long, help: "Code path: reference, simd, blas or all.")
    var computeUnits = ComputeUnits.all

    mutating func validate() throws {
        guard rows > 0 else { throw ValidationError("--rows must be above zero") }
        guard (1...366).contains(days), (0...366).contains(purgeDays) else {
            throw ValidationError("--days: 1 to 366; --purge-days: 0 to 366")
        }
        guard origin == nil || model == nil else {
            throw ValidationError("--origin takes no --model: the prior is that of the records")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let cut = try origin.map {
                RollingOrigin(
                    try OriginOptions.date($0), days: days, purgeDays: purgeDays)
            }
            let interval = try cut?.interval ?? self.interval()
            let end = training ? cut?.fittedBefore ?? interval.upperBound : interval.upperBound
            let history = try records.load(before: interval.lowerBound).history
            let model = cut == nil ? try ModelLoading.load(self.model) : nil
            let target = try OutputFolder(folder)
            let matrix: FeatureMatrix
            if training {
                let fitted = history.before(end)
                matrix = Sampler(trainingOn: fitted, lengthLaw: LengthFit.law(of: fitted))
                    .matrix(most: rows, seed: 1, withTrees: trees)
            } else {
                let climatology =
                    model?.climatology
                    ?? ModelTraining.climatology(of: history.before(cut?.fittedBefore ?? end))
                matrix = EvaluationProtocol(history: history, interval: interval)
                    .matrix(for: climatology, most: rows, withTrees: trees)
            }
            guard !matrix.rows.isEmpty else {
                let from = training ? "" : " from \(TimeText.rfc3339(interval.lowerBound))"
                throw CommandFailure(
                    .data, "no covered records\(from) to \(TimeText.rfc3339(end))")
            }
            let files = FeatureMatrixFiles(matrix, withTrees: trees, isSparse: sparse)
            try files.write(to: target)
            if let model { try files.writeProbabilities(of: model, computeUnits, to: target) }
            note("bridgecast: \(matrix.rows.count) rows in \(folder)")
        }
    }

    /// The period of `--from` and `--to`; what is learned from begins where the records do.
    private func interval() throws -> Range<Timestamp> {
        var period = period
        if training { period.from = "1900-01-01" }
        return try period.interval()
    }
}
