// A packed network's layers as they were: for the other way of packing them, for OpenBLAS, and for who looks at them.
internal import CBridgecastKernels

extension NetworkImage {
    /// The layers; fp16 ones with their weights rounded.
    ///
    /// - Complexity: O(weights).
    func layers() -> NetworkLayers {
        unsafe withImage { base, header in
            let layers = unsafe (0..<Int(header.layer_count)).map {
                unsafe PackedLayer(base, header, $0)
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

    init(_ base: UnsafeRawPointer, _ header: bck_image, _ index: Int) {
        unsafe self.base = base
        let layers = unsafe (base + Int(header.layers)).assumingMemoryBound(
            to: bck_image_layer.self)
        unsafe layer = layers[index]
        unsafe isByInput = index == 0 && header.zero != 0
        unsafe hasReLU = index + 1 < Int(header.layer_count)
    }

    private func numbers<Number: BitwiseCopyable>(_ offset: UInt64, _ count: Int) -> [Number] {
        let start = unsafe (base + Int(offset)).assumingMemoryBound(to: Number.self)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    var quantised: QuantisedLayer {
        unsafe QuantisedLayer(
            inputs: inputs, outputs: outputs,
            weights: isByInput
                ? weightsOfColumns
                : WeightPanels.weights(
                    numbers(layer.weight, WeightPanels.count(inputs, outputs)), inputs, outputs),
            bias: numbers(layer.bias, outputs), multiplier: numbers(layer.extra, outputs),
            hasReLU: hasReLU)
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
        // Weights of fp16 stand beside them in fp32, but where the first layer lies by its inputs.
        let at = unsafe isHalf && !isByInput ? layer.extra : layer.weight
        let step = unsafe isByInput ? bck_column(outputs) : WeightPanels.outputs
        let panels = unsafe isByInput ? 1 : (outputs + step - 1) / step
        let packed: [Float] = unsafe numbers(at, panels * inputs * step)
        var weights = [Float](repeating: 0, count: unsafe inputs * outputs)
        for o in unsafe 0..<outputs {
            for i in unsafe 0..<inputs {
                unsafe weights[o * inputs + i] = packed[(o / step * inputs + i) * step + o % step]
            }
        }
        return unsafe DenseLayer(
            inputs: inputs, outputs: outputs, weights: weights, bias: numbers(layer.bias, outputs),
            hasReLU: hasReLU)
    }
}
