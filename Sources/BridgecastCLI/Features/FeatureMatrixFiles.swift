// The files of an exported matrix: inputs, prior, outcomes and rows; for `features export`.
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

/// Writes a matrix for numpy.
struct FeatureMatrixFiles {
    /// A matrix of more numbers is written as compressed rows: written out it would take over 6 GB.
    private static let mostDenseNumbers = 1_500_000_000

    /// How the inputs are written.
    private enum Form: CaseIterable {
        case dense, compressed, trees

        /// The files that have the inputs.
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
    ///   - withTrees: Whether the inputs of decision trees take the place of the network's.
    ///   - isSparse: Whether to leave out zeros of the network's inputs, however many inputs there are.
    init(_ matrix: FeatureMatrix, withTrees: Bool, isSparse: Bool) {
        self.matrix = matrix
        let isLarge = matrix.rows.count * FeatureSchema.count > Self.mostDenseNumbers
        form = withTrees ? .trees : isSparse || isLarge ? .compressed : .dense
    }

    /// Writes the files; those that an earlier export left and that are not among them are then removed.
    ///
    /// - Parameter probabilities: What a model makes of the rows; nil without a model.
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

    /// What a model makes of the rows, [n, 12].
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
            matrix.rows.map(\.usual), shape: [count], to: folder.file("climatology.npy"))
        let lines = matrix.rows.map { row in
            "\(BridgeCatalogue[row.bridge].name),\(TimeText.rfc3339(row.issueTime)),"
                + fixed(row.leadMinutes, 0)
        }
        try folder.file("rows.csv").write(
            (["bridge,issue_time,lead_min"] + lines + [""]).joined(separator: "\n"))
    }

    private func writeCompressedRows(to folder: OutputFolder) throws {
        let rows = matrix.batch.rows
        var (values, inputs, starts) = ([Float](), [Int32](), [Int64(0)])
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
