// The network as numbers: what training makes, the model file stores and the engine runs.
internal import CBridgecastKernels

/// The layers of a network at one precision.
public enum NetworkLayers: Sendable, Equatable {
    /// fp32 layers.
    case float([DenseLayer])
    /// fp32 layers whose weights are rounded to fp16.
    case half([DenseLayer])
    /// int8 layers, and how the normalised inputs are quantised.
    case quantised([QuantisedLayer], input: ActivationScale)

    /// Inputs and outputs of each layer.
    public var shapes: [(inputs: Int, outputs: Int)] {
        switch self {
        case .float(let layers), .half(let layers): layers.map { ($0.inputs, $0.outputs) }
        case .quantised(let layers, _): layers.map { ($0.inputs, $0.outputs) }
        }
    }
}

/// A fully connected layer in fp32: y = w x + b, with ReLU on all but the last.
public struct DenseLayer: Sendable, Equatable {
    /// I.
    public let inputs: Int
    /// O.
    public let outputs: Int
    /// Weights, [O, I].
    public var weights: [Float]
    /// Bias, [O].
    public var bias: [Float]
    /// Whether negative outputs become 0.
    public let hasReLU: Bool

    /// Creates a layer.
    ///
    /// - Precondition: The sizes fit.
    public init(inputs: Int, outputs: Int, weights: [Float], bias: [Float], hasReLU: Bool) {
        precondition(weights.count == inputs * outputs && bias.count == outputs)
        self.inputs = inputs
        self.outputs = outputs
        self.weights = weights
        self.bias = bias
        self.hasReLU = hasReLU
    }

    /// The layer with its weights rounded to fp16.
    var roundedToHalf: DenseLayer {
        var rounded = self
        rounded.weights = weights.map { Float(Float16($0)) }
        return rounded
    }
}

/// A fully connected layer in int8: u8 activations, s8 weights with a scale per output.
public struct QuantisedLayer: Sendable, Equatable {
    /// I.
    public let inputs: Int
    /// O.
    public let outputs: Int
    /// Weights, [O, I]; real weight = stored * `weightScales`.
    public let weights: [Int8]
    /// Bias in units of input scale x weight scale, less the input zero point's share, [O].
    public let bias: [Int32]
    /// From the sum to the output's units: the next layer's u8 steps, or logits, [O].
    public let multiplier: [Float]
    /// Whether this is a hidden layer: ReLU and requantisation to u8.
    public let hasReLU: Bool

    /// Creates a layer.
    ///
    /// For results that are the same on every path, 255 x the sum of a row's |weights| and |bias| must be
    /// below 2^24 and a hidden layer's multipliers below 64. Model files are refused otherwise.
    /// - Precondition: The sizes fit.
    public init(
        inputs: Int, outputs: Int, weights: [Int8], bias: [Int32], multiplier: [Float],
        hasReLU: Bool
    ) {
        precondition(weights.count == inputs * outputs)
        precondition(bias.count == outputs && multiplier.count == outputs)
        self.inputs = inputs
        self.outputs = outputs
        self.weights = weights
        self.bias = bias
        self.multiplier = multiplier
        self.hasReLU = hasReLU
    }
}

/// The affine map between u8 activations and numbers: x = (q - zeroPoint) * scale.
public struct ActivationScale: Sendable, Equatable {
    /// Size of one step, > 0.
    public let scale: Float
    /// The q of the number 0, 0...255.
    public let zeroPoint: Int

    /// Creates a scale.
    public init(scale: Float, zeroPoint: Int) {
        self.scale = scale
        self.zeroPoint = zeroPoint
    }
}

// MARK: - Inputs

/// How raw inputs become the network's inputs: (x - mean) * inverse deviation, clamped to ±limit.
public struct InputNormalisation: Sendable, Equatable {
    /// Mean of each input, [F].
    public let mean: [Float]
    /// Reciprocal of each input's deviation, [F], finite and > 0.
    public let inverseDeviation: [Float]
    /// Largest magnitude that passes, > 0.
    public let limit: Float

    /// Creates a normalisation.
    ///
    /// - Precondition: Both lists have the same length, and the limit is above 0.
    public init(mean: [Float], inverseDeviation: [Float], limit: Float) {
        precondition(mean.count == inverseDeviation.count && limit > 0)
        self.mean = mean
        self.inverseDeviation = inverseDeviation
        self.limit = limit
    }

    /// Normalises rows in place, [B, F]; what the kernels do, in plain Swift, for training.
    package func normalise(_ rows: inout [Float]) {
        let width = mean.count
        for row in stride(from: 0, to: rows.count, by: width) {
            for i in 0..<width { rows[row + i] = normalised(rows[row + i], input: i) }
        }
    }

    /// A row as the steps of a first int8 layer, by the kernels' own definition.
    func steps(ofRow row: [Float], input: ActivationScale) -> [UInt8] {
        var steps = [UInt8](repeating: 0, count: bck_padded(row.count))
        let factor = 1 / input.scale
        let factors = inverseDeviation.map { $0 * factor }
        guard let kernels = unsafe bck_kernels_of(BCK_SCALAR)?.pointee else { return steps }
        unsafe mean.withUnsafeBufferPointer { mean in
            unsafe factors.withUnsafeBufferPointer { factors in
                var poison: Float = 0
                var how = unsafe bck_normalisation(
                    mean: mean.baseAddress, factor: factors.baseAddress, limit: limit * factor,
                    zero_point: Int32(input.zeroPoint))
                unsafe kernels.f32u8_normalise(1, row.count, row, &how, &steps, &poison)
            }
        }
        return Array(steps.prefix(row.count))
    }

    /// A value of an input, normalised and clamped.
    @inline(__always)
    package func normalised(_ value: Float, input: Int) -> Float {
        min(max((value - mean[input]) * inverseDeviation[input], -limit), limit)
    }
}
