// A network ready to run on rows of numbers: the hot path of Bridgecast, without its vocabulary.
// Belongs here: networks as numbers, and the code paths that run them; not: bridges, files or tasks.
public import BridgecastCore
internal import CBridgecastKernels

/// A network packed for this CPU: F inputs to K logits or probabilities.
///
/// Immutable and shared by all tasks; each of them brings its own ``Workspace``. ``LoadedModel`` runs
/// forecasts on one; benchmarks and tests run it directly.
public struct CompiledNetwork: Sendable {
    /// How raw inputs are normalised.
    public let normalisation: InputNormalisation
    /// Inputs and outputs of each layer.
    public let shapes: [(inputs: Int, outputs: Int)]
    /// What ``ComputeUnits/simd`` and ``ComputeUnits/all`` run on.
    public let instructionSet: InstructionSet

    private let crossover: PathTable.Crossover
    /// The way of packing that its rows mostly take; held apart, so that a call counts no references.
    private let image: NetworkImage
    private let images: NetworkImages

    /// Packs a network.
    ///
    /// - Precondition: The parameters are as stated.
    /// - Parameters:
    ///   - layers: 1 to 16 layers; the first takes as many inputs as are normalised.
    ///   - instructionSet: One of ``InstructionSet/available``.
    ///   - runsOnLists: Whether rows will mostly be ``SparseRows``. The network is packed for these, and for rows
    ///     that are written out when the first of them come; or the other way round.
    ///   - paths: What ``ComputeUnits/all`` goes by; if nil, ``PathTable/preferred(for:)``.
    public init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        instructionSet: InstructionSet = .preferred, runsOnLists: Bool = false,
        paths: PathTable? = nil
    ) {
        precondition(layers.shapes.first?.inputs == normalisation.mean.count)
        precondition(InstructionSet.available.contains(instructionSet))
        self.normalisation = normalisation
        shapes = layers.shapes
        self.instructionSet = instructionSet
        crossover = (paths ?? .preferred(for: instructionSet))[layers.format]
        images = NetworkImages(
            normalisation, layers, for: runsOnLists ? .columns : .panels)
        image = images.first
        outputs = layers.shapes.last?.outputs ?? 0
    }

    /// Whether this is the very same packed network.
    func isSame(as other: CompiledNetwork) -> Bool { images === other.images }

    /// The layers, unpacked; those of fp16 with their weights rounded.
    ///
    /// - Complexity: O(weights).
    public var layers: NetworkLayers { images.layers }

    /// F.
    public var inputs: Int { normalisation.mean.count }
    /// K.
    public let outputs: Int
    /// Memory of the packed weights, bytes.
    public var packedBytes: Int { images.byteCount }

    /// What runs a batch of so many rows.
    @inline(__always)
    package func path(_ units: ComputeUnits, rows: Int, asLists: Bool) -> ComputeUnits.Path {
        units.path(
            on: instructionSet, rows: rows,
            crossover: asLists ? crossover.lists : crossover.rows)
    }

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
        precondition(features.count == rows * inputs, "features must be [B, F]")
        precondition(prior.count == rows * outputs, "prior must be [B, K]")
        unsafe features.withUnsafeBufferPointer { features in
            unsafe prior.withUnsafeBufferPointer { prior in
                guard let features = features.baseAddress else { return }
                let path = path(units, rows: rows, asLists: false)
                unsafe run(.rows(features), prior.baseAddress, &probabilities, &workspace, path)
            }
        }
    }

    /// The same on rows as lists: the first layer looks only at what they hold.
    ///
    /// Int8 logits are those of the rows written out, to the last bit; others to rounding. Where OpenBLAS runs,
    /// rows are written out first, which allocates.
    /// - Precondition: The sizes fit; rows are ``inputs`` wide.
    /// - Complexity: O(B x (entries of a row x outputs of the first layer + weights of the others)).
    public func probabilities(
        _ rows: SparseRows, prior: Span<Float>, into probabilities: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        precondition(prior.count == rows.count * outputs, "prior must be [B, K]")
        unsafe prior.withUnsafeBufferPointer { prior in
            unsafe run(rows, prior.baseAddress, &probabilities, &workspace, units)
        }
    }

    /// Runs the network: its K logits for each row, without prior.
    ///
    /// As ``probabilities(_:prior:into:workspace:units:)-(Span<Float>,_,_,_,_)`` in all else.
    public func logits(
        _ features: Span<Float>, into logits: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        precondition(
            features.count == logits.count / outputs * inputs, "features must be [B, F]")
        unsafe features.withUnsafeBufferPointer { features in
            guard let features = features.baseAddress else { return }
            let path = path(units, rows: logits.count / outputs, asLists: false)
            unsafe run(.rows(features), nil, &logits, &workspace, path)
        }
    }

    /// Runs the network on rows as lists: its K logits for each row, without prior.
    ///
    /// As ``probabilities(_:prior:into:workspace:units:)-(SparseRows,_,_,_,_)`` in all else.
    public func logits(
        _ rows: SparseRows, into logits: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        unsafe run(rows, nil, &logits, &workspace, units)
    }

    private func run(
        _ rows: SparseRows, _ prior: UnsafePointer<Float>?,
        _ output: inout MutableSpan<Float>, _ workspace: inout Workspace, _ units: ComputeUnits
    ) {
        precondition(rows.width == inputs, "rows must have F inputs")
        precondition(output.count == rows.count * outputs, "results must be [B, K]")
        let path = path(units, rows: rows.count, asLists: true)
        guard case .kernels = path else {
            let dense = rows.dense()
            return unsafe dense.withUnsafeBufferPointer { dense in
                guard let dense = dense.baseAddress else { return }
                unsafe run(.rows(dense), prior, &output, &workspace, path)
            }
        }
        unsafe rows.withLists { lists in
            unsafe run(.lists(lists), prior, &output, &workspace, path)
        }
    }

    private func run(
        _ input: NetworkInput, _ prior: UnsafePointer<Float>?,
        _ output: inout MutableSpan<Float>, _ workspace: inout Workspace, _ path: ComputeUnits.Path
    ) {
        let rows = output.count / outputs
        precondition(output.count == rows * outputs, "results must be [B, K]")
        guard rows > 0 else { return }
        unsafe output.withUnsafeMutableBufferPointer { output in
            guard let output = output.baseAddress else { return }
            switch (path, unsafe input) {
            case (.kernels(let set), _) where unsafe image.firstLayer == input.firstLayer:
                unsafe workspace.run(
                    image, rows, on: set, input: input, prior: prior, output: output)
            case (.kernels(let set), _):
                unsafe workspace.run(
                    images[input.firstLayer], rows, on: set, input: input, prior: prior,
                    output: output)
            case (.blas, .rows(let features)):
                BLAS.onOneThread {
                    unsafe images.blas.run(
                        image, rows, on: instructionSet, features: features, prior: prior,
                        output: output, &workspace)
                }
            case (.blas, .lists): preconditionFailure("OpenBLAS runs on rows written out")
            }
        }
    }
}

extension SparseRows {
    /// Hands over the lists as the kernels take them.
    @inline(__always)
    fileprivate func withLists(_ body: (bck_lists) -> Void) {
        unsafe starts.withUnsafeBufferPointer { starts in
            unsafe inputs.withUnsafeBufferPointer { inputs in
                unsafe values.withUnsafeBufferPointer { values in
                    unsafe parts.withUnsafeBytes { parts in
                        unsafe body(
                            bck_lists(
                                starts: starts.baseAddress, inputs: inputs.baseAddress,
                                values: values.baseAddress,
                                parts: parts.assumingMemoryBound(to: UInt32.self).baseAddress))
                    }
                }
            }
        }
    }
}
