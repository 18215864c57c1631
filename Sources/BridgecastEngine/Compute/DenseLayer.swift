// A layer in fp32: what training makes, and what fp16 files are rounded from.

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
}

extension DenseLayer {
    /// The layer with its weights rounded to fp16.
    var roundedToHalf: DenseLayer {
        var rounded = self
        rounded.weights = weights.map { Float(Float16($0)) }
        return rounded
    }
}
