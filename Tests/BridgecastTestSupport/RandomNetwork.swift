// Networks of any shape with random weights, for tests of the kernels.
package import BridgecastEngine
private import BridgecastTraining

/// A network of any shape with random weights, and rows for it.
package enum RandomNetwork {
    /// fp32 layers of the sizes between `sizes`.
    package static func layers(_ sizes: [Int], seed: UInt64) -> [DenseLayer] {
        DenseLayer.random(sizes, seed: seed)
    }

    /// A normalisation that is not the identity.
    package static func normalisation(_ inputs: Int, seed: UInt64) -> InputNormalisation {
        var random = SeededRandom(seed: seed)
        return InputNormalisation(
            mean: (0..<inputs).map { _ in Float(random.normal() * 0.3) },
            inverseDeviation: (0..<inputs).map { _ in Float(0.5 + random.uniform()) }, limit: 6)
    }

    /// Numbers around zero, [rows, inputs]; about one in fifty far outside the limit.
    package static func features(_ rows: Int, _ inputs: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<rows * inputs).map { _ in
            Float(random.normal() * (random.uniform() < 0.02 ? 1e6 : 2))
        }
    }

    /// int8 layers that any bytes could make: weights of full range, biases and multipliers too.
    package static func quantised(_ sizes: [Int], extreme: Bool, seed: UInt64) -> NetworkLayers {
        var random = SeededRandom(seed: seed)
        let layers = zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            QuantisedLayer(
                inputs: size.0, outputs: size.1,
                weights: (0..<size.0 * size.1).map { _ in
                    extreme
                        ? (random.uniform() < 0.5 ? 127 : -128)
                        : Int8(truncatingIfNeeded: Int(random.uniform() * 255) - 127)
                },
                bias: (0..<size.1).map { _ in Int32((random.uniform() - 0.5) * 20_000) },
                multiplier: (0..<size.1).map { _ in
                    extreme ? Float(63.9 * random.uniform()) : Float(0.004 * random.uniform())
                }, hasReLU: index < sizes.count - 2)
        }
        return .quantised(
            layers, input: ActivationScale(scale: extreme ? 1e-3 : 6.0 / 127, zeroPoint: 121))
    }
}
