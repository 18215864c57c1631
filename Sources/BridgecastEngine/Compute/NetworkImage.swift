internal import CBridgecastKernels

/// A packed network, laid out as `bck_image` in CBridgecastKernels.h says.
///
/// The block is an array that nothing changes after `init`, so it is `Sendable` by itself; the kernels
/// read it through an aligned address within it.
final class NetworkImage: Sendable {
    /// How the first layer is laid out, and so which rows run on it.
    enum FirstLayer {
        /// By its outputs: rows written out.
        case panels
        /// By its inputs: rows as lists of those that are not zero.
        case columns
    }

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

    init(_ normalisation: InputNormalisation, _ layers: NetworkLayers, firstLayer: FirstLayer) {
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

    var byteCount: Int { storage.count }

    /// Runs the network on rows that lie in memory as the kernels want them, and as the first layer does.
    ///
    /// - Parameters:
    ///   - input: Rows written out, [rows, F], or lists.
    ///   - prior: [rows, K], or nil for logits.
    ///   - output: [rows, K].
    ///   - scratch: At least ``scratchBytes`` bytes, best at a multiple of 64.
    @inline(__always)
    package func run(
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
    func withNormalisation<Result>(_ body: (UnsafePointer<bck_normalisation>) -> Result) -> Result {
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
    /// The offset of the first multiple of 64: kernels are fast from there and right from anywhere.
    var alignedStart: Int { unsafe withUnsafeBytes { unsafe bytesToLine($0.baseAddress) } }
}

/// Bytes from an address to the next multiple of 64.
package func bytesToLine(_ address: UnsafeRawPointer?) -> Int {
    (64 - Int(bitPattern: address) & 63) & 63
}

// MARK: - Unpacking

extension NetworkImage {
    /// The layers; fp16 ones with their weights rounded; O(weights).
    func layers() -> NetworkLayers {
        unsafe withImage { base, header in
            let layers = unsafe (0..<Int(header.layer_count)).map {
                unsafe PackedLayer(base, header, index: $0)
            }
            switch header.format {
            case BCK_INT8.rawValue:
                let scale = ActivationScale(scale: inputStep, zeroPoint: Int(header.zero_point))
                return unsafe .quantised(layers.map { unsafe $0.quantised }, input: scale)
            case BCK_FP16.rawValue:
                return unsafe .half(layers.map { unsafe $0.dense(isHalf: true) })
            default: return unsafe .float(layers.map { unsafe $0.dense(isHalf: false) })
            }
        }
    }
}

/// A layer within an image, which outlives it.
@unsafe private struct PackedLayer {
    private let base: UnsafeRawPointer
    private let layer: bck_image_layer
    private let isByInput: Bool
    private let hasReLU: Bool

    private var inputs: Int { unsafe Int(layer.inputs) }
    private var outputs: Int { unsafe Int(layer.outputs) }

    init(_ base: UnsafeRawPointer, _ header: bck_image, index: Int) {
        unsafe self.base = base
        let layers = unsafe (base + Int(header.layers)).assumingMemoryBound(
            to: bck_image_layer.self)
        unsafe layer = layers[index]
        unsafe isByInput = index == 0 && header.zero != 0
        unsafe hasReLU = index + 1 < Int(header.layer_count)
    }

    private func numbers<Number: BitwiseCopyable>(_ offset: UInt64, count: Int) -> [Number] {
        let start = unsafe (base + Int(offset)).assumingMemoryBound(to: Number.self)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    var quantised: QuantisedLayer {
        unsafe QuantisedLayer(
            inputs: inputs, outputs: outputs,
            weights: isByInput
                ? weightsOfColumns
                : WeightPanels.weights(
                    numbers(
                        layer.weight, count: WeightPanels.count(inputs: inputs, outputs: outputs)),
                    inputs: inputs, outputs: outputs), bias: numbers(layer.bias, count: outputs),
            multiplier: numbers(layer.extra, count: outputs), hasReLU: hasReLU)
    }

    private var weightsOfColumns: [Int8] {
        unsafe [Int8](unsafeUninitializedCapacity: inputs * outputs) { weights, count in
            guard let weights = weights.baseAddress else { return }
            unsafe bck_unpack_columns(
                inputs, outputs,
                (base + Int(layer.weight)).assumingMemoryBound(to: UInt8.self), weights)
            unsafe count = inputs * outputs
        }
    }

    func dense(isHalf: Bool) -> DenseLayer {
        // Weights of fp16 are there in fp32 too, but where the first layer is laid out by its inputs.
        let at = unsafe isHalf && !isByInput ? layer.extra : layer.weight
        let step = unsafe isByInput ? bck_column(outputs) : WeightPanels.outputs
        let panels = unsafe isByInput ? 1 : (outputs + step - 1) / step
        let packed: [Float] = unsafe numbers(at, count: panels * inputs * step)
        var weights = [Float](repeating: 0, count: unsafe inputs * outputs)
        for o in unsafe 0..<outputs {
            for i in unsafe 0..<inputs {
                unsafe weights[o * inputs + i] = packed[(o / step * inputs + i) * step + o % step]
            }
        }
        return unsafe DenseLayer(
            inputs: inputs, outputs: outputs, weights: weights,
            bias: numbers(layer.bias, count: outputs), hasReLU: hasReLU)
    }
}
