// Calibration of the activations: real rows run through the network in fp32 and in int8; for ModelTraining and bench.
package import BridgecastCore
package import BridgecastEngine

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
        self.init(layers, normalisation, features: rows.rows.dense())
    }

    /// Calibrates on inputs of any kind, [B, F].
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, features: [Float]) {
        precondition(!features.isEmpty, "calibration needs rows")
        var exact = features
        normalisation.normalise(&exact)
        var rough = exact
        var scales = [ActivationScale(scale: normalisation.limit / 127, zeroPoint: 128)]
        var corrections: [[Float]] = []
        for (index, layer) in layers.enumerated() {
            for cell in rough.indices { rough[cell] = scales[index].rounded(rough[cell]) }
            let parts = QuantisedParts(layer)
            exact = layer.sums(of: exact, weights: layer.weights)
            rough = layer.sums(of: rough, weights: parts.realWeights(inputs: layer.inputs))
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

extension QuantisedParts {
    /// The weights as they are stored, [O, I].
    fileprivate func realWeights(inputs: Int) -> [Float] {
        weights.indices.map { Float(weights[$0]) * weightScales[$0 / inputs] }
    }
}
