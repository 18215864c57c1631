// A network ready to run on rows of numbers: the hot path of Bridgecast, without its vocabulary.
// Belongs here: networks as numbers, and the code paths that run them; not: bridges, files or tasks.

/// A network packed for this CPU: F inputs to K logits or probabilities.
///
/// Immutable and shared by all tasks; each of them brings its own ``Workspace``. ``LoadedModel`` runs
/// forecasts on one; benchmarks and tests run it directly.
public struct CompiledNetwork: Sendable {
    /// How raw inputs are normalised.
    public let normalisation: InputNormalisation
    /// The layers.
    public let layers: NetworkLayers
    /// What ``ComputeUnits/simd`` and ``ComputeUnits/all`` run on.
    public let instructionSet: InstructionSet

    private let image: NetworkImage
    private let blas: BLASNetwork

    /// Packs a network.
    ///
    /// - Precondition: The parameters are as stated.
    /// - Parameters:
    ///   - layers: 1 to 16 layers; the first takes as many inputs as are normalised.
    ///   - instructionSet: One of ``InstructionSet/available``.
    public init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        instructionSet: InstructionSet = .preferred
    ) {
        precondition(layers.shapes.first?.inputs == normalisation.mean.count)
        precondition(InstructionSet.available.contains(instructionSet))
        self.normalisation = normalisation
        self.layers = layers
        self.instructionSet = instructionSet
        image = NetworkImage(normalisation, layers)
        blas = BLASNetwork(layers)
    }

    /// Whether this is the very same packed network.
    func isSame(as other: CompiledNetwork) -> Bool { blas === other.blas }

    /// F.
    public var inputs: Int { image.inputs }
    /// K.
    public var outputs: Int { image.outputs }
    /// Memory of the packed weights, bytes.
    public var packedBytes: Int { image.byteCount }

    /// Runs the network and adds prior logits: the probability of each of K outcomes.
    ///
    /// A row that holds NaN or infinity comes out as NaN in all its outputs; other rows are not
    /// affected. Nothing is allocated once the workspace has seen this network.
    /// - Parameters:
    ///   - features: Raw inputs, [B, F].
    ///   - prior: Logits that are added, [B, K].
    ///   - probabilities: Receives softmax(logits + prior), [B, K].
    ///   - workspace: Scratch of the calling task, and its threads.
    ///   - units: The code path.
    /// - Precondition: The sizes fit.
    /// - Complexity: O(B x weights).
    public func probabilities(
        _ features: Span<Float>, prior: Span<Float>, into probabilities: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        let rows = probabilities.count / outputs
        precondition(prior.count == rows * outputs, "prior must be [B, K]")
        unsafe prior.withUnsafeBufferPointer { prior in
            unsafe run(features, prior.baseAddress, &probabilities, &workspace, units)
        }
    }

    /// Runs the network: its K logits for each row, without prior.
    ///
    /// As ``probabilities(_:prior:into:workspace:units:)`` in all else.
    public func logits(
        _ features: Span<Float>, into logits: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        unsafe run(features, nil, &logits, &workspace, units)
    }

    private func run(
        _ features: Span<Float>, _ prior: UnsafePointer<Float>?,
        _ output: inout MutableSpan<Float>, _ workspace: inout Workspace, _ units: ComputeUnits
    ) {
        let rows = output.count / outputs
        precondition(
            features.count == rows * inputs && output.count == rows * outputs,
            "features must be [B, F] and results [B, K]")
        guard rows > 0 else { return }
        let path = units.path(on: instructionSet)
        unsafe features.withUnsafeBufferPointer { x in
            unsafe output.withUnsafeMutableBufferPointer { y in
                guard let x = x.baseAddress, let y = y.baseAddress else { return }
                switch path {
                case .kernels(let set):
                    unsafe workspace.run(
                        image, rows, on: set, features: x, prior: prior, output: y)
                case .blas:
                    BLAS.onOneThread {
                        unsafe blas.run(
                            image, rows, on: instructionSet, features: x, prior: prior, output: y,
                            &workspace)
                    }
                }
            }
        }
    }
}
