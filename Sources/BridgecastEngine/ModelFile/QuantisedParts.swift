// A layer as int8 files store it, and how it becomes the one that kernels take; used by ModelAssembler and by what
// writes model files.

/// A layer as int8 files store it.
package struct QuantisedParts {
    let inputs: Int
    let outputs: Int
    /// [O, I]; real weight = stored * scale.
    package let weights: [Int8]
    /// [O], > 0.
    package let weightScales: [Float]
    /// [O], real numbers.
    package let bias: [Float]

    /// Creates a layer's parts; shapes as of the properties.
    package init(
        inputs: Int, outputs: Int, weights: [Int8], weightScales: [Float], bias: [Float]
    ) {
        self.inputs = inputs
        self.outputs = outputs
        self.weights = weights
        self.weightScales = weightScales
        self.bias = bias
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

    /// Sum of a row's weights and of their magnitudes.
    private func rowSums(_ o: Int) -> (sum: Int, magnitude: Int) {
        var (sum, magnitude) = (0, 0)
        let row = weights.span.extracting(o * inputs..<(o + 1) * inputs)
        for start in stride(from: 0, to: inputs, by: Self.weightsOfAPart) {
            let part = row.extracting(start..<min(start + Self.weightsOfAPart, inputs))
            var (partSum, partMagnitude) = (Int16(0), Int16(0))
            for i in part.indices {
                partSum &+= Int16(part[i])
                partMagnitude &+= Int16(truncatingIfNeeded: part[i].magnitude)
            }
            sum += Int(partSum)
            magnitude += Int(partMagnitude)
        }
        return (sum, magnitude)
    }

    /// So many weights of magnitudes up to 128 add up to an Int16, of which a vector holds most.
    private static let weightsOfAPart = 128
}
