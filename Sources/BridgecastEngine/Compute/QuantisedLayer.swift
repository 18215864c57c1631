// A layer in int8, as the kernels and OpenBLAS take it.

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
