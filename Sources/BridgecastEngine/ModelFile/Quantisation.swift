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

/// What int8 needs to know of a network at work: found by running real rows through it.
package struct ActivationCalibration: Sendable {
    /// One step of the u8 activations per layer, for its inputs.
    package let scales: [ActivationScale]
    /// What rounding takes from each output's sum on average, [layer][O]; int8 files add it to the bias.
    ///
    /// Most inputs are soft bins that are empty nearly always. Their zero is rounded the same way in
    /// every row, and hundreds of such errors add up to a shift.
    package let biasCorrections: [[Float]]

    /// Calibrates an fp32 network.
    ///
    /// For each hidden layer's outputs, 255 stands for the value exceeded by one activation in
    /// 20,000. The network's own inputs are clamped, so their step follows from the limit.
    ///
    /// - Parameters:
    ///   - rows: Real feature rows, at least one.
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, rows: FeatureBatch) {
        self.init(layers, normalisation, features: rows.features)
    }

    /// Calibrates on inputs of any kind, [B, F].
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, features: [Float]) {
        precondition(!features.isEmpty, "calibration needs rows")
        let width = normalisation.mean.count
        let limit = normalisation.limit
        var exact = features
        for cell in exact.indices {
            let z =
                (exact[cell] - normalisation.mean[cell % width])
                * normalisation.inverseDeviation[cell % width]
            exact[cell] = min(max(z, -limit), limit)
        }
        var rough = exact
        var scales = [ActivationScale(scale: limit / 127, zeroPoint: 128)]
        var corrections: [[Float]] = []
        for (index, layer) in layers.enumerated() {
            for cell in rough.indices { rough[cell] = scales[index].rounded(rough[cell]) }
            let parts = QuantisedParts(layer)
            exact = layer.sums(of: exact, weights: layer.weights)
            rough = layer.sums(of: rough, weights: parts.realWeights)
            let correction = Self.meanDifference(exact, rough, width: layer.outputs)
            corrections.append(correction)
            guard index < layers.count - 1 else { break }
            for cell in exact.indices {
                exact[cell] = max(exact[cell], 0)
                rough[cell] = max(rough[cell] + correction[cell % layer.outputs], 0)
            }
            let sorted = exact.sorted()
            let highest = sorted[min(sorted.count - 1, sorted.count - sorted.count / 20_000)]
            // A layer that hardly ever answers gets a step that int8 can work with all the same.
            let least = Self.leastStep(
                between: parts, fedIn: scales[index].scale, and: QuantisedParts(layers[index + 1]))
            scales.append(ActivationScale(scale: max(highest / 255, least), zeroPoint: 0))
        }
        self.scales = scales
        biasCorrections = corrections
    }

    /// The step between two layers below which a multiplier of the first or a bias of the second
    /// would exceed half of what the format allows (FORMAT.md).
    private static func leastStep(
        between layer: QuantisedParts, fedIn step: Float, and next: QuantisedParts
    ) -> Float {
        let byMultiplier = step * (layer.weightScales.max() ?? 1) / 32
        let byBias = zip(next.bias, next.weightScales).reduce(Float(0)) { largest, output in
            max(largest, abs(output.0) / output.1 / Float(1 << 23))
        }
        return max(byMultiplier, byBias, 1e-9)
    }

    private static func meanDifference(_ a: [Float], _ b: [Float], width: Int) -> [Float] {
        var sums = [Double](repeating: 0, count: width)
        for cell in a.indices { sums[cell % width] += Double(a[cell] - b[cell]) }
        return sums.map { Float($0 / Double(a.count / width)) }
    }
}

extension ActivationScale {
    /// The number that a value is stored as.
    fileprivate func rounded(_ value: Float) -> Float {
        let step = (value / scale).rounded(.toNearestOrEven) + Float(zeroPoint)
        return (min(max(step, 0), 255) - Float(zeroPoint)) * scale
    }
}

extension QuantisedParts {
    /// The weights as they are stored, [O, I].
    fileprivate var realWeights: [Float] {
        weights.indices.map { Float(weights[$0]) * weightScales[$0 / inputs] }
    }
}

extension DenseLayer {
    /// Weighted sums and bias of inputs [B, I] before any ReLU, [B, O].
    fileprivate func sums(of values: [Float], weights: [Float]) -> [Float] {
        let rows = values.count / inputs
        var sums = [Float](repeating: 0, count: rows * outputs)
        BLAS.multiply(
            values, .plain, weights, .transposed, into: &sums, m: rows, n: outputs, k: inputs)
        for cell in sums.indices { sums[cell] += bias[cell % outputs] }
        return sums
    }
}
