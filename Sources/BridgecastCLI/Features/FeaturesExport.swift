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

            Files of these names that an earlier export left in the folder and this one does not \
            write are removed; others stay.
            """)

    @Argument(help: "Folder; it is made if need be.")
    var folder: String

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var records: RecordOptions

    @Option(
        name: .long,
        help: "First day (Seattle), or a time. Default: \(PeriodOptions.usualFrom).")
    var from: String?

    @Option(
        name: .long,
        help:
            "Last day (Seattle, the whole of it), or an exclusive time; with --training too. Default: \(PeriodOptions.usualTo)."
    )
    var to: String?

    @Option(
        name: .long,
        help:
            "In place of --from, --to and --model: the days from this one on, or with --training the records before it."
    )
    var origin: String?

    @Option(
        name: .long,
        help: "With --origin: days that are scored. Default: \(RollingOrigin.usualDays).")
    var days: Int?

    @Option(
        name: .long,
        help:
            "With --origin: days before it that are not learned from either. Default: \(RollingOrigin.usualPurgeDays)."
    )
    var purgeDays: Int?

    @Flag(name: .long, help: "Export rows to learn from instead of the protocol's.")
    var training = false

    @Flag(name: .long, help: "Inputs of decision trees instead of the network's.")
    var trees = false

    @Flag(name: .long, help: "Leave out zeros of the network's inputs: compressed rows.")
    var sparse = false

    @Option(name: .long, help: "At most so many rows, spread over the period.")
    var rows = 1_000_000

    @Option(name: .long, help: "Code path: reference, simd, blas or all.")
    var computeUnits = ComputeUnits.all

    mutating func validate() throws {
        guard rows > 0 else { throw ValidationError("--rows must be above zero") }
        guard (1...366).contains(days ?? 1), (0...366).contains(purgeDays ?? 0) else {
            throw ValidationError("--days: 1 to 366; --purge-days: 0 to 366")
        }
        try validateCombination()
    }

    /// An option that would change nothing is refused.
    private func validateCombination() throws {
        guard origin == nil || model == nil else {
            throw ValidationError("--origin takes no --model: the prior is that of the records")
        }
        guard origin == nil || (from == nil && to == nil) else {
            throw ValidationError(
                "--origin takes no --from and no --to: --days says how far it goes")
        }
        guard origin != nil || (days == nil && purgeDays == nil) else {
            throw ValidationError("--days and --purge-days need --origin")
        }
        guard !training || from == nil else {
            throw ValidationError("--training takes no --from: it begins where the records do")
        }
        guard !(sparse && trees) else {
            throw ValidationError("--trees takes no --sparse: inputs of trees are never compressed")
        }
    }

    /// What is cut out of the records, and whose prior its rows have.
    private enum Cut {
        /// The days of an origin, with the climatology of the records before it.
        case origin(RollingOrigin)
        /// A period, with a model's climatology.
        case period(Range<Timestamp>, LoadedModel)

        /// Issue times of the protocol's rows.
        var interval: Range<Timestamp> {
            switch self {
            case .origin(let origin): origin.interval
            case .period(let interval, _): interval
            }
        }

        /// Rows to learn from end here.
        var fittedBefore: Timestamp {
            switch self {
            case .origin(let origin): origin.fittedBefore
            case .period(let interval, _): interval.upperBound
            }
        }

        var model: LoadedModel? {
            if case .period(_, let model) = self { model } else { nil }
        }
    }

    func run() async throws {
        try await reportingFailures {
            let cut = try cut()
            let history = try records.load(before: cut.interval.lowerBound).history
            let target = try OutputFolder(folder)
            let matrix = matrix(of: history, cut)
            guard !matrix.rows.isEmpty else {
                let from = training ? "" : " from \(TimeText.rfc3339(cut.interval.lowerBound))"
                let end = training ? cut.fittedBefore : cut.interval.upperBound
                throw CommandFailure(
                    .data, "no covered records\(from) to \(TimeText.rfc3339(end))")
            }
            let files = FeatureMatrixFiles(matrix, withTrees: trees, isSparse: sparse)
            try files.write(
                to: target,
                probabilities: cut.model.map { files.probabilities(of: $0, computeUnits) })
            note("bridgecast: \(matrix.rows.count) rows in \(folder)")
        }
    }

    private func cut() throws -> Cut {
        if let origin {
            return .origin(
                RollingOrigin(
                    try OriginOptions.date(origin), days: days ?? RollingOrigin.usualDays,
                    purgeDays: purgeDays ?? RollingOrigin.usualPurgeDays))
        }
        // What is learned from begins where the records do.
        let from = training ? "1900-01-01" : from ?? PeriodOptions.usualFrom
        return .period(
            try PeriodText.interval(from, to ?? PeriodOptions.usualTo),
            try ModelLoading.load(model))
    }

    private func matrix(of history: OpeningHistory, _ cut: Cut) -> FeatureMatrix {
        if training {
            let fitted = history.before(cut.fittedBefore)
            return Sampler(trainingOn: fitted, lengthLaw: LengthFit.law(of: fitted))
                .matrix(most: rows, seed: 1, withTrees: trees)
        }
        let climatology =
            switch cut {
            case .origin(let origin):
                ModelTraining.climatology(of: history.before(origin.fittedBefore))
            case .period(_, let model): model.climatology
            }
        return EvaluationProtocol(history: history, interval: cut.interval)
            .matrix(for: climatology, most: rows, withTrees: trees)
    }
}
