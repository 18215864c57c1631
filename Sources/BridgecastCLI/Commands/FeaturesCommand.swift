// `bridgecast features`: the inputs as matrices, for other programs to fit or compare.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct FeaturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features",
        abstract: "Exports the network's inputs as numpy matrices.",
        subcommands: [FeaturesExport.self])
}

struct FeaturesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the evaluation protocol's rows to a folder.",
        discussion: """
            features.npy [n, F] fp32, prior_logits.npy [n, 12] fp32, probabilities.npy [n, 12] fp32 (the \
            model's forecasts), blocked.npy [n] u8 (outcomes), climatology.npy [n] fp32 (P(blocked) of the \
            reference of skill), rows.csv (bridge, issue time, lead). The prior is that of the model's \
            climatology.

            With --sparse, and if they would take over 6 GB, the features are \
            features_data.npy, features_indices.npy, features_indptr.npy and features_shape.npy, as \
            scipy.sparse.csr_matrix takes them. With --trees tree_features.npy replaces them: plain \
            times and counts, NaN for unknown.

            With --origin no model is needed: rows are those of a rolling origin as in `origins`, and \
            the prior is that of the records before it.

            Files of these names from an earlier export that this one does not write are removed; \
            others stay.
            """)

    @Argument(help: "Folder; created if needed.")
    var folder: String

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var records: RecordOptions

    @Option(
        name: .long,
        help: "First day (Seattle), or a time. Default: \(PeriodOptions.defaultFrom).")
    var from: String?

    @Option(
        name: .long,
        help:
            "Last day (Seattle, the whole of it), or an exclusive time; with --training too. Default: \(PeriodOptions.defaultTo)."
    )
    var to: String?

    @Option(
        name: .long,
        help:
            "Instead of --from, --to and --model: the days from this one on, or with --training the records before it."
    )
    var origin: String?

    @Option(
        name: .long,
        help: "With --origin: days that are scored. Default: \(RollingOrigin.defaultDays).")
    var days: Int?

    @Option(
        name: .long,
        help:
            "With --origin: days before it that are not used for training either. Default: \(RollingOrigin.defaultPurgeDays)."
    )
    var purgeDays: Int?

    @Flag(name: .long, help: "Export training rows instead of the protocol's.")
    var training = false

    @Flag(name: .long, help: "Inputs of decision trees instead of the network's.")
    var trees = false

    @Flag(name: .long, help: "Leave out zeros of the network's inputs: compressed rows.")
    var sparse = false

    @Option(name: .long, help: "Maximum rows, spread over the period.")
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

    /// Refuses options that would change nothing.
    private func validateCombination() throws {
        guard origin == nil || model == nil else {
            throw ValidationError("--origin takes no --model: the prior is that of the records")
        }
        guard origin == nil || (from == nil && to == nil) else {
            throw ValidationError(
                "--origin takes no --from and no --to: --days sets its length")
        }
        guard origin != nil || (days == nil && purgeDays == nil) else {
            throw ValidationError("--days and --purge-days need --origin")
        }
        guard !training || from == nil else {
            throw ValidationError("--training takes no --from: it begins with the records")
        }
        guard !(sparse && trees) else {
            throw ValidationError("--trees takes no --sparse: inputs of trees are never compressed")
        }
    }

    /// The part of the records, and the prior of its rows.
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

        /// The end of training rows.
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
            if !training { try checkRecords(of: history, before: cut.interval.lowerBound) }
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

    /// Refuses rows without a climatology, as `evaluate` does.
    private func checkRecords(of history: OpeningHistory, before start: Timestamp) throws {
        guard history.before(start).coverage.isEmpty else { return }
        throw CommandFailure(
            .data,
            "no covered records before \(origin ?? from ?? PeriodOptions.defaultFrom): the climatology of the rows needs "
                + "some; add --records of earlier time with their --coverage")
    }

    private func cut() throws -> Cut {
        if let origin {
            return .origin(
                RollingOrigin(
                    try OriginOptions.date(origin), days: days ?? RollingOrigin.defaultDays,
                    purgeDays: purgeDays ?? RollingOrigin.defaultPurgeDays))
        }
        // Training rows begin with the records.
        let from = training ? "1900-01-01" : from ?? PeriodOptions.defaultFrom
        return .period(
            try PeriodText.interval(from: from, to: to ?? PeriodOptions.defaultTo),
            try ModelLoading.load(model))
    }

    private func matrix(of history: OpeningHistory, _ cut: Cut) -> FeatureMatrix {
        if training {
            let fitted = history.before(cut.fittedBefore)
            return Sampler(trainingOn: fitted, lengthLaw: LengthFit.law(of: fitted))
                .matrix(maxRows: rows, seed: 1, withTrees: trees)
        }
        let climatology =
            switch cut {
            case .origin(let origin):
                ModelTraining.climatology(of: history.before(origin.fittedBefore))
            case .period(_, let model): model.climatology
            }
        return EvaluationProtocol(history: history, interval: cut.interval)
            .matrix(for: climatology, maxRows: rows, withTrees: trees)
    }
}

// MARK: - Files

/// Writes a matrix for numpy.
struct FeatureMatrixFiles {
    /// A larger matrix is written as compressed rows: a dense one would take over 6 GB.
    private static let maxDenseNumbers = 1_500_000_000

    private enum Form: CaseIterable {
        case dense, compressed, trees

        var files: [String] {
            switch self {
            case .dense: ["features.npy"]
            case .compressed: ["data", "indices", "indptr", "shape"].map { "features_\($0).npy" }
            case .trees: ["tree_features.npy"]
            }
        }
    }

    private static let probabilitiesFile = "probabilities.npy"

    private let matrix: FeatureMatrix
    private let form: Form

    /// - Parameters:
    ///   - withTrees: Whether the inputs of decision trees replace the network's.
    ///   - isSparse: Whether to leave out zeros of the network's inputs, however many inputs there are.
    init(_ matrix: FeatureMatrix, withTrees: Bool, isSparse: Bool) {
        self.matrix = matrix
        let isLarge = matrix.rows.count * FeatureSchema.count > Self.maxDenseNumbers
        form = withTrees ? .trees : isSparse || isLarge ? .compressed : .dense
    }

    /// Writes the files, then removes other files of an earlier export.
    ///
    /// - Parameter probabilities: A model's forecasts of the rows; nil without a model.
    func write(to folder: OutputFolder, probabilities: [Float]?) throws {
        try writeRows(to: folder)
        if let probabilities {
            try NumpyFile.write(
                probabilities, shape: [matrix.rows.count, DelayBins.count],
                to: folder.file(Self.probabilitiesFile))
        }
        let others = Form.allCases.filter { $0 != form }.flatMap(\.files)
        for name in others + (probabilities == nil ? [Self.probabilitiesFile] : []) {
            try folder.remove(name)
        }
    }

    /// A model's forecasts of the rows, [n, 12].
    func probabilities(of model: LoadedModel, _ units: ComputeUnits) -> [Float] {
        var workspace = Workspace()
        var probabilities: [Float] = []
        model.predict(
            matrix.batch, into: &probabilities, workspace: &workspace, units: units)
        return probabilities
    }

    private func writeRows(to folder: OutputFolder) throws {
        let count = matrix.rows.count
        switch form {
        case .trees:
            try NumpyFile.write(
                matrix.treeInputs, shape: [count, TreeInputs.count],
                to: folder.file("tree_features.npy"))
        case .compressed: try writeCompressedRows(to: folder)
        case .dense:
            try NumpyFile.write(
                matrix.batch.rows.dense(), shape: [count, FeatureSchema.count],
                to: folder.file("features.npy"))
        }
        try NumpyFile.write(
            matrix.batch.priorLogits, shape: [count, DelayBins.count],
            to: folder.file("prior_logits.npy"))
        try NumpyFile.write(
            matrix.rows.map { $0.isBlocked ? UInt8(1) : 0 }, shape: [count],
            to: folder.file("blocked.npy"))
        try NumpyFile.write(
            matrix.rows.map(\.climatologicalProbability), shape: [count],
            to: folder.file("climatology.npy"))
        let lines = matrix.rows.map { row in
            "\(BridgeCatalogue[row.bridge].name),\(TimeText.rfc3339(row.issueTime)),"
                + fixed(row.leadMinutes, 0)
        }
        try folder.file("rows.csv").write(
            (["bridge,issue_time,lead_min"] + lines + [""]).joined(separator: "\n"))
    }

    private func writeCompressedRows(to folder: OutputFolder) throws {
        let rows = matrix.batch.rows
        var values: [Float] = []
        var inputs: [Int32] = []
        var starts: [Int64] = [0]
        for row in 0..<rows.count {
            for entry in rows.entries(ofRow: row) {
                inputs.append(Int32(entry.input))
                values.append(entry.value)
            }
            starts.append(Int64(values.count))
        }
        func file(_ part: String) -> OutputFile { folder.file("features_\(part).npy") }
        try NumpyFile.write(values, shape: [values.count], to: file("data"))
        try NumpyFile.write(inputs, shape: [inputs.count], to: file("indices"))
        try NumpyFile.write(starts, shape: [starts.count], to: file("indptr"))
        try NumpyFile.write(
            [Int64(rows.count), Int64(FeatureSchema.count)], shape: [2], to: file("shape"))
    }
}

/// Writes dense row-major matrices for numpy, in the byte order of the machine.
enum NumpyFile {
    static func write(_ values: [Float], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), type: order + "f4", shape: shape, to: file)
    }

    static func write(_ values: [UInt8], shape: [Int], to file: OutputFile) throws {
        try write(Data(values), type: "|u1", shape: shape, to: file)
    }

    static func write(_ values: [Int32], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), type: order + "i4", shape: shape, to: file)
    }

    static func write(_ values: [Int64], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), type: order + "i8", shape: shape, to: file)
    }

    private static let order = 1.littleEndian == 1 ? "<" : ">"

    private static func bytes(of values: [some BitwiseCopyable]) -> Data {
        // Safe: the bytes are copied while the array lives.
        unsafe values.withUnsafeBytes { unsafe Data($0) }
    }

    private static func write(
        _ content: Data, type: String, shape: [Int], to file: OutputFile
    ) throws {
        let sizes = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sizes)), }"
        // Magic, version and length take 10 bytes; the content begins at a multiple of 64.
        header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
        let length = UInt16(header.utf8.count)
        var data = Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0])
        data += Data([UInt8(length & 255), UInt8(length >> 8)]) + Data(header.utf8)
        data.append(content)
        try file.write(data)
    }
}
