// Post-training quantisation of weights: an fp32 layer to int8 with a scale per output; used by ModelFileWriter.
package import BridgecastEngine

extension QuantisedParts {
    /// Rounds an fp32 layer to symmetric int8, one scale per output.
    ///
    /// An output whose weights are all zero gets scale 1: they come out as zero with any scale.
    package init(_ layer: DenseLayer) {
        var weights: [Int8] = []
        var scales: [Float] = []
        for o in 0..<layer.outputs {
            let row = layer.weights[o * layer.inputs..<(o + 1) * layer.inputs]
            let largest = row.reduce(0) { max($0, abs($1)) }
            let scale = largest > 0 ? largest / 127 : 1
            scales.append(scale)
            weights += row.map { Int8(max(-127, min(127, ($0 / scale).rounded(.toNearestOrEven)))) }
        }
        self.init(
            inputs: layer.inputs, outputs: layer.outputs, weights: weights, weightScales: scales,
            bias: layer.bias)
    }
}
