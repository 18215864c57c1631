// Post-training quantisation: fp32 layers to int8 with a scale per output, activations calibrated.
package import BridgecastCore

/// A layer as int8 files store it.
struct QuantisedParts {
    let inputs: Int
    let outputs: Int
    /// [O, I]; real weight = stored * scale.
    let weights: [Int8]
    /// [O], > 0.
    let weightScales: [Float]
    /// [O], real numbers.
    let bias: [Float]

    init(inputs: Int, outputs: Int, weights: [Int8], weightScales: [Float], bias: [Float]) {
        self.inputs = inputs
        self.outputs = outputs
        self.weights = weights
        self.weightScales = weightScales
        self.bias = bias
    }

    /// Rounds an fp32 layer to symmetric int8, one scale per output.
    ///
    /// An output whose weights are all zero gets scale 1: they come out as zero with any scale.
    init(_ layer: DenseLayer) {
        inputs = layer.inputs
        outputs = layer.outputs
        bias = layer.bias
        var weights: [Int8] = []
        var scales: [Float] = []
        for o in 0..<layer.outputs {
            let row = layer.weights[o * layer.inputs..<(o + 1) * layer.inputs]
            let largest = row.reduce(0) { max($0, abs($1)) }
            let scale = largest > 0 ? largest / 127 : 1
            scales.append(scale)
            weights += row.map { Int8(max(-127, min(127, ($0 / scale).rounded(.toNearestOrEven)))) }
        }
        self.weights = weights
        weightScales = scales
    }

    /// The layer as the kernels take it, or nil if its sums could leave the range 2^24, in which
    /// fp32 is exact and int32 is far from overflow.
    ///
    /// - Parameters:
    ///   - outputScale: Step of the next layer's u8 inputs; nil for the last layer.
    func layer(input: ActivationScale, outputScale: Float?) -> QuantisedLayer? {
        var integerBias: [Int32] = []
        var multiplier: [Float] = []
        for o in 0..<outputs {
            let (sum, magnitude) = rowSums(o)
            let realBias = Double(bias[o]) / (Double(input.scale) * Double(weightScales[o]))
            let shift = input.zeroPoint * sum
            guard 255 * magnitude < 1 << 24, realBias.magnitude < Double(1 << 24) else {
                return nil
            }
            integerBias.append(Int32(realBias.rounded(.toNearestOrEven)) - Int32(shift))
            multiplier.append(input.scale * weightScales[o] / (outputScale ?? 1))
        }
        return QuantisedLayer(
            inputs: inputs, outputs: outputs, weights: weights, bias: integerBias,
            multiplier: multiplier, hasReLU: outputScale != nil)
    }
}

extension QuantisedParts {
    /// Sum of a row's weights and of their magnitudes.
    fileprivate func rowSums(_ o: Int) -> (sum: Int, magnitude: Int) {
        var (sum, magnitude) = (Int32(0), Int32(0))
        let row = weights.span.extracting(o * inputs..<(o + 1) * inputs)
        for i in row.indices {
            let weight = Int32(row[i])
            sum &+= weight
            magnitude &+= abs(weight)
        }
        return (Int(sum), Int(magnitude))
    }
}

/// Steps of the u8 activations before each layer, found on real rows.
package struct ActivationCalibration: Sendable {
    /// One scale per layer, for its inputs.
    package let scales: [ActivationScale]

    /// Finds the steps by running rows through an fp32 network.
    ///
    /// For each hidden layer's outputs, 255 stands for the value exceeded by one activation in
    /// 20,000. The network's own inputs are clamped, so their step follows from the limit.
    ///
    /// - Parameters:
    ///   - rows: Real feature rows, at least one.
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, rows: FeatureBatch) {
        self.init(layers, normalisation, features: rows.features)
    }

    /// Finds the steps for inputs of any kind, [B, F].
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, features: [Float]) {
        precondition(!features.isEmpty, "calibration needs rows")
        let rows = features.count / normalisation.mean.count
        var workspace = Workspace()
        var scales = [ActivationScale(scale: normalisation.limit / 127, zeroPoint: 128)]
        for count in 1..<max(layers.count, 1) {
            // The sums of the last of the first so many layers; ReLU keeps what is above zero.
            let network = CompiledNetwork(normalisation, .float(Array(layers[..<count])))
            var sums = [Float](repeating: 0, count: rows * network.outputs)
            var span = sums.mutableSpan
            network.logits(features.span, into: &span, workspace: &workspace)
            let sorted = sums.map { max($0, 0) }.sorted()
            let highest = sorted[min(sorted.count - 1, sorted.count - sorted.count / 20_000)]
            scales.append(ActivationScale(scale: max(highest, 1e-6) / 255, zeroPoint: 0))
        }
        self.scales = scales
    }
}
