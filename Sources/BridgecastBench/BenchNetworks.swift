// The networks that benchmarks run: two of random weights, whose sizes peers are known for, and files.
public import BridgecastCore
public import BridgecastEngine
private import BridgecastTraining

/// The networks of the comparison with onnxruntime.
public enum BenchNetworks {
    /// Their names and widths.
    public static let random: [(name: String, sizes: [Int])] = [
        ("A", [48, 128, 64, 12]), ("B", [64, 256, 256, 128, 16]),
    ]

    /// Model files of networks A and B in every format, by file name; the same at every call.
    public static func files() -> [(name: String, bytes: [UInt8])] {
        random.flatMap { name, sizes in
            let draft = draft(name, sizes)
            let calibration = ActivationCalibration(
                draft.layers, draft.normalisation, features: features(1024, sizes[0]))
            return WeightFormat.allCases.map { format in
                (
                    "\(name).\(format.rawValue).bcm",
                    ModelFile.bytes(
                        of: draft, as: format, calibration: format == .int8 ? calibration : nil)
                )
            }
        }
    }

    /// Networks A and B.
    public static func randomNetworks() throws(ModelFileError) -> [BenchNetwork] {
        var networks: [BenchNetwork] = []
        let files = files()
        for (name, sizes) in random {
            var formats: [WeightFormat: CompiledNetwork] = [:]
            for file in files where file.name.hasPrefix(name + ".") {
                let (header, network) = try ModelFile.readNetwork(file.bytes)
                formats[header.weightFormat] = network
            }
            networks.append(
                BenchNetwork(
                    name: name, sizes: sizes, formats: formats, addsPrior: false,
                    features: features(4096, sizes[0]), lists: nil, prior: []))
        }
        return networks
    }

    /// A forecast model, on rows that a ``FeatureBuilder`` made.
    public static func forecast(
        _ name: String, _ models: [LoadedModel], rows: SparseRows, prior: [Float]
    ) -> BenchNetwork {
        var formats: [WeightFormat: CompiledNetwork] = [:]
        for model in models { formats[model.header.weightFormat] = model.network }
        let shapes = models.first?.network.shapes ?? []
        return BenchNetwork(
            name: name, sizes: shapes.map(\.inputs) + [shapes.last?.outputs ?? 0],
            formats: formats, addsPrior: true, features: rows.dense(), lists: rows, prior: prior)
    }

    private static func draft(_ name: String, _ sizes: [Int]) -> ModelDraft {
        ModelDraft(
            name: "bench-\(name)", layers: DenseLayer.random(sizes, seed: 3),
            normalisation: InputNormalisation(
                mean: Array(repeating: 0, count: sizes[0]),
                inverseDeviation: Array(repeating: 1, count: sizes[0]), limit: 4),
            climatology: nil,
            provenance: ModelProvenance(
                sources: [], fittedFrom: Timestamp(secondsSinceEpoch: 0),
                fittedBefore: Timestamp(secondsSinceEpoch: 0), seed: 3, commit: "none",
                settings: [:], scores: [:]))
    }

    /// Standard normal numbers within ±4, [rows, inputs].
    private static func features(_ rows: Int, _ inputs: Int) -> [Float] {
        var random = SeededRandom(seed: 5)
        return (0..<rows * inputs).map { _ in Float(max(-4, min(4, random.normal()))) }
    }
}
