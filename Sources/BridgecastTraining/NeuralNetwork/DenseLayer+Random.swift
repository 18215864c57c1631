// Layers of random weights, as networks begin with: for benchmarks and tests.
package import BridgecastEngine

extension DenseLayer {
    /// Layers of the sizes between `sizes`, with weights of He's deviation (sqrt(2 / inputs)) and small
    /// biases; the same for the same seed.
    package static func random(_ sizes: [Int], seed: UInt64) -> [DenseLayer] {
        var random = SeededRandom(seed: seed)
        return zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            let deviation = (2 / Double(size.0)).squareRoot()
            return DenseLayer(
                inputs: size.0, outputs: size.1,
                weights: (0..<size.0 * size.1).map { _ in Float(random.normal() * deviation) },
                bias: (0..<size.1).map { _ in Float(random.normal() * 0.1) },
                hasReLU: index < sizes.count - 2)
        }
    }
}
