// The networks that are timed, their rows, and what runs them: our paths and onnxruntime.
public import BridgecastCore
public import BridgecastEngine
private import BridgecastTraining
private import Foundation

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
                let bytes = ModelFile.bytes(
                    of: draft, as: format, calibration: format == .int8 ? calibration : nil)
                return ("\(name).\(format.rawValue).bcm", bytes)
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

    /// A forecast model, on rows of a ``FeatureBuilder``.
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
                inverseDeviation: Array(repeating: 1, count: sizes[0]), limit: 4), climatology: nil,
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

/// A network to measure, in one or more number formats, with rows to run.
public struct BenchNetwork: Sendable {
    /// Short name: `A`, `B` or that of the file.
    public let name: String
    /// Widths from inputs to outputs.
    public let sizes: [Int]
    /// The network in each format.
    public let formats: [WeightFormat: CompiledNetwork]
    /// Whether outputs are probabilities of logits and prior, or logits alone.
    public let addsPrior: Bool
    /// [n, F].
    let features: [Float]
    /// The same rows as lists; nil if callers of the network have dense rows.
    let lists: SparseRows?
    /// [n, K]; empty without prior.
    let prior: [Float]

    /// Number of different rows.
    var period: Int { features.count / sizes[0] }

    /// [count, F], repeating the rows.
    func features(rows count: Int) -> [Float] { Self.repeated(features, count * sizes[0]) }

    /// Rows as lists, repeated; nil if callers have dense rows.
    func lists(rows count: Int) -> SparseRows? {
        guard let lists else { return nil }
        var result = SparseRows(width: lists.width)
        while result.count < count { result.append(contentsOf: lists.prefix(count - result.count)) }
        return result
    }

    /// Prior logits, [count, K].
    func prior(rows count: Int) -> [Float] {
        addsPrior ? Self.repeated(prior, count * (sizes.last ?? 0)) : []
    }

    private static func repeated(_ values: [Float], _ count: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(count)
        while result.count < count { result += values.prefix(count - result.count) }
        return result
    }
}

// MARK: - Contenders

/// An engine that runs one batch repeatedly.
protocol Contender {
    /// Times one round; see ``timedRound(calls:nanoseconds:_:)``.
    mutating func round(calls maxCalls: Int, nanoseconds budget: UInt64) -> RoundTimings
    /// The last result, [B, K].
    func output() -> [Float]
}

/// Our engine through its public API.
struct EngineContender: Contender {
    private let network: CompiledNetwork
    private let units: ComputeUnits
    private let features: [Float]
    private let lists: SparseRows?
    private let prior: [Float]
    private let addsPrior: Bool
    private var result: [Float]
    private var workspace: Workspace

    init(
        _ bench: BenchNetwork, _ network: CompiledNetwork, rows: Int, units: ComputeUnits,
        threads: Int
    ) {
        self.network = network
        self.units = units
        // The reference is plain C on dense rows.
        lists = units == .reference ? nil : bench.lists(rows: rows)
        features = lists == nil ? bench.features(rows: rows) : []
        prior = bench.prior(rows: rows)
        addsPrior = bench.addsPrior
        result = Array(repeating: 0, count: rows * network.outputs)
        workspace = Workspace(threads: threads)
    }

    mutating func round(calls maxCalls: Int, nanoseconds budget: UInt64) -> RoundTimings {
        // Local variables, as a caller would have.
        var result = result
        var workspace = workspace
        let network = network
        let units = units
        let features = features
        let lists = lists
        let prior = prior
        let timings = timedRound(calls: maxCalls, nanoseconds: budget) {
            var span = result.mutableSpan
            if let lists {
                network.probabilities(
                    lists, prior: prior.span, into: &span, workspace: &workspace, units: units)
            } else if addsPrior {
                network.probabilities(
                    features.span, prior: prior.span, into: &span, workspace: &workspace,
                    units: units)
            } else {
                network.logits(features.span, into: &span, workspace: &workspace, units: units)
            }
        }
        self.result = result
        self.workspace = workspace
        return timings
    }

    func output() -> [Float] { result }
}

/// onnxruntime on one batch, or on the batch in chunks.
struct OnnxContender: Contender {
    let batch: OnnxBatch

    mutating func round(calls maxCalls: Int, nanoseconds budget: UInt64) -> RoundTimings {
        let batch = batch
        return timedRound(calls: maxCalls, nanoseconds: budget) { batch.run() }
    }

    func output() -> [Float] { batch.output }
}
