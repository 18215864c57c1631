// A network that runs on rows of numbers; it knows nothing of bridges, files or tasks.
public import BridgecastCore
internal import CBridgecastKernels
internal import Synchronization

/// The code path that runs the network.
public enum ComputeUnits: String, Sendable, CaseIterable {
    /// Plain C, one row after another: the definition of the result.
    case reference
    /// Our kernels for the CPU found; plain C where there are none.
    case simd
    /// OpenBLAS matrix products over chunks of the batch.
    case blas
    /// The fastest of the others.
    ///
    /// Our kernels where there are some for the CPU, else OpenBLAS. Measured, OpenBLAS is faster than SIMD kernels at no
    /// batch, and faster than plain C from one or two rows on, or from 16 to 32 rows that are lists.
    case all

    package enum Path: Equatable, Sendable {
        case kernels(InstructionSet)
        case blas
    }

    @inline(__always)
    package func path(on instructionSet: InstructionSet) -> Path {
        switch self {
        case .reference: .kernels(.scalar)
        case .simd: .kernels(instructionSet)
        case .blas: .blas
        case .all: instructionSet == .scalar ? .blas : .kernels(instructionSet)
        }
    }
}

// MARK: - The network

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
    public init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        instructionSet: InstructionSet = .preferred, runsOnLists: Bool = false
    ) {
        precondition(layers.shapes.first?.inputs == normalisation.mean.count)
        precondition(InstructionSet.available.contains(instructionSet))
        self.normalisation = normalisation
        shapes = layers.shapes
        self.instructionSet = instructionSet
        images = NetworkImages(normalisation, layers, for: runsOnLists ? .columns : .panels)
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
                unsafe run(
                    .rows(features), prior: prior.baseAddress, into: &probabilities, &workspace,
                    on: units.path(on: instructionSet))
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
            unsafe run(
                rows, prior: prior.baseAddress, into: &probabilities, &workspace, units: units)
        }
    }

    /// Runs the network: its K logits for each row, without prior.
    ///
    /// As ``probabilities(_:prior:into:workspace:units:)-(Span<Float>,_,_,_,_)`` in all else.
    public func logits(
        _ features: Span<Float>, into logits: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        precondition(features.count == logits.count / outputs * inputs, "features must be [B, F]")
        unsafe features.withUnsafeBufferPointer { features in
            guard let features = features.baseAddress else { return }
            unsafe run(
                .rows(features), prior: nil, into: &logits, &workspace,
                on: units.path(on: instructionSet))
        }
    }

    /// Runs the network on rows as lists: its K logits for each row, without prior.
    ///
    /// As ``probabilities(_:prior:into:workspace:units:)-(SparseRows,_,_,_,_)`` in all else.
    public func logits(
        _ rows: SparseRows, into logits: inout MutableSpan<Float>,
        workspace: inout Workspace, units: ComputeUnits = .all
    ) {
        unsafe run(rows, prior: nil, into: &logits, &workspace, units: units)
    }

    private func run(
        _ rows: SparseRows, prior: UnsafePointer<Float>?, into output: inout MutableSpan<Float>,
        _ workspace: inout Workspace, units: ComputeUnits
    ) {
        precondition(rows.width == inputs, "rows must have F inputs")
        precondition(output.count == rows.count * outputs, "results must be [B, K]")
        let path = units.path(on: instructionSet)
        guard case .kernels = path else {
            let dense = rows.dense()
            return unsafe dense.withUnsafeBufferPointer { dense in
                guard let dense = dense.baseAddress else { return }
                unsafe run(.rows(dense), prior: prior, into: &output, &workspace, on: path)
            }
        }
        unsafe rows.withLists { lists in
            unsafe run(.lists(lists), prior: prior, into: &output, &workspace, on: path)
        }
    }

    private func run(
        _ input: NetworkInput, prior: UnsafePointer<Float>?, into output: inout MutableSpan<Float>,
        _ workspace: inout Workspace, on path: ComputeUnits.Path
    ) {
        let rows = output.count / outputs
        precondition(output.count == rows * outputs, "results must be [B, K]")
        guard rows > 0 else { return }
        unsafe output.withUnsafeMutableBufferPointer { output in
            guard let output = output.baseAddress else { return }
            switch (path, unsafe input) {
            case (.kernels(let set), _) where unsafe image.firstLayer == input.firstLayer:
                unsafe workspace.run(
                    image, rows: rows, on: set, input: input, prior: prior, output: output)
            case (.kernels(let set), _):
                unsafe workspace.run(
                    images[input.firstLayer], rows: rows, on: set, input: input, prior: prior,
                    output: output)
            case (.blas, .rows(let features)):
                BLAS.onOneThread {
                    unsafe images.blas.run(
                        image, rows: rows, on: instructionSet, features: features, prior: prior,
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

// MARK: - Its images in memory

/// A network packed for dense rows, lists or OpenBLAS, as has been asked for.
final class NetworkImages: Sendable {
    /// The way in which it was packed at first, which its rows mostly take.
    let first: NetworkImage

    private let normalisation: InputNormalisation
    private let other = AtomicLazyReference<NetworkImage>()
    private let matrices = AtomicLazyReference<BLASNetwork>()

    init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        for firstLayer: NetworkImage.FirstLayer
    ) {
        self.normalisation = normalisation
        first = NetworkImage(normalisation, layers, firstLayer: firstLayer)
    }

    @inline(__always)
    subscript(firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        first.firstLayer == firstLayer ? first : other(firstLayer)
    }

    var blas: BLASNetwork { matrices.load() ?? matrices.storeIfNil(BLASNetwork(layers)) }

    /// The layers, unpacked; O(weights).
    var layers: NetworkLayers { first.layers() }

    /// Memory of what is packed, bytes.
    var byteCount: Int { first.byteCount + (other.load()?.byteCount ?? 0) }

    @inline(never)
    private func other(_ firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        other.load()
            ?? other.storeIfNil(NetworkImage(normalisation, layers, firstLayer: firstLayer))
    }
}

/// Rows as the kernels take them, in memory of the caller.
@unsafe enum NetworkInput {
    /// Written out, [B, F].
    case rows(UnsafePointer<Float>)
    /// As lists.
    case lists(bck_lists)

    /// How the first layer has to lie for them.
    @inline(__always)
    var firstLayer: NetworkImage.FirstLayer {
        switch unsafe self {
        case .rows: .panels
        case .lists: .columns
        }
    }

    /// The rows from one on, of rows of F inputs.
    func from(_ row: Int, inputs: Int) -> NetworkInput {
        switch unsafe self {
        case .rows(let features): return unsafe .rows(features + row * inputs)
        case .lists(var lists):
            unsafe lists.parts += row * Int(BCK_PARTS)
            return unsafe .lists(lists)
        }
    }
}
