// A network as the kernels take it: weights packed into panels or columns, in one block of aligned memory.
internal import CBridgecastKernels

/// A packed network, laid out as `bck_image` in CBridgecastKernels.h says.
///
/// The block is an array that nothing changes after `init`, so it is `Sendable` by itself; the kernels
/// read it through an aligned address within it.
final class NetworkImage: Sendable {
    /// How the first layer lies, and so which rows run on it.
    enum FirstLayer {
        /// By its outputs: rows written out.
        case panels
        /// By its inputs: rows as lists of those that are not zero.
        case columns
    }

    /// How its first layer lies.
    let firstLayer: FirstLayer
    /// F.
    let inputs: Int
    /// K.
    let outputs: Int
    /// Bytes of scratch that a run needs for each thread.
    let scratchBytes: Int

    /// int8: the step of the u8 inputs, in normalised inputs.
    let inputStep: Float

    private let storage: [UInt8]
    private let start: Int

    init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers, _ firstLayer: FirstLayer
    ) {
        self.firstLayer = firstLayer
        var builder = NetworkImageBuilder(firstLayer)
        builder.lay(normalisation, layers)
        inputs = normalisation.mean.count
        outputs = layers.shapes.last?.outputs ?? 0
        if case .quantised(_, let input) = layers { inputStep = input.scale } else { inputStep = 1 }
        storage = builder.finish()
        start = storage.alignedStart
        scratchBytes = unsafe storage.withUnsafeBytes { [start] bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe bck_scratch_bytes((base + start).assumingMemoryBound(to: bck_image.self))
        }
    }

    /// Bytes of the packed network.
    var byteCount: Int { storage.count }

    /// Runs the network on rows that lie in memory as the kernels want them, and as the first layer does.
    ///
    /// - Parameters:
    ///   - input: Rows written out, [rows, F], or lists.
    ///   - prior: [rows, K], or nil for logits.
    ///   - output: [rows, K].
    ///   - scratch: At least ``scratchBytes`` bytes, best at a multiple of 64.
    @inline(__always)
    func run(
        _ rows: Int, on instructionSet: InstructionSet, input: NetworkInput,
        prior: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutableRawPointer
    ) {
        unsafe storage.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let image = unsafe (base + start).assumingMemoryBound(to: bck_image.self)
            switch unsafe input {
            case .rows(let features):
                unsafe bck_forward(
                    instructionSet.code, image, rows, features, prior, output, scratch)
            case .lists(let lists):
                unsafe withUnsafePointer(to: lists) { lists in
                    unsafe bck_forward_lists(
                        instructionSet.code, image, rows, lists, prior, output, scratch)
                }
            }
        }
    }

    /// Hands over the normalisation, for paths that run the layers themselves.
    func withNormalisation<Result>(
        _ body: (UnsafePointer<bck_normalisation>) -> Result
    ) -> Result {
        unsafe withImage { base, header in
            var normalisation = unsafe bck_normalisation(
                mean: (base + Int(header.mean)).assumingMemoryBound(to: Float.self),
                factor: (base + Int(header.factor)).assumingMemoryBound(to: Float.self),
                limit: header.limit, zero_point: header.zero_point)
            return unsafe body(&normalisation)
        }
    }

    /// Hands over the image, which begins at the first address.
    func withImage<Result>(_ body: (UnsafeRawPointer, bck_image) -> Result) -> Result {
        unsafe storage.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("an image is not empty") }
            return unsafe body(base + start, (base + start).load(as: bck_image.self))
        }
    }
}

extension [UInt8] {
    /// Where, in this array's present memory, the first multiple of 64 lies.
    ///
    /// Kernels are fast from there and right from anywhere.
    var alignedStart: Int {
        unsafe withUnsafeBytes { unsafe bytesToLine($0.baseAddress) }
    }
}

/// Bytes from an address to the next multiple of 64.
func bytesToLine(_ address: UnsafeRawPointer?) -> Int { (64 - Int(bitPattern: address) & 63) & 63 }
