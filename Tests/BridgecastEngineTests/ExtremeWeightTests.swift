// int8 weights and inputs around the bounds at which kernels that add products in 16 bits would saturate.
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct ExtremeWeightTests {
    /// What every output repeats over its inputs.
    ///
    /// Times 255, pairs that add up to 129 or more leave 16 bits.
    static let patterns: [[Int8]] = [
        [127], [-127], [-128], [127, -127], [-128, 127], [64], [-64], [65, 64], [-65, -64], [32],
        [100, 28, 0, 0, 1, 0, 0, 0], [0, 0, -100, -28, 0, 0, 0, -1], [0, 0, 0, 0, 0, 0, 100, 29],
    ]
    /// Inputs and outputs around quads and blocks of panels; 300 and more inputs go another way than 24.
    static let sizes = [(8, 7), (13, 16), (24, 70), (300, 100), (1000, 33)]

    @Test(arguments: InstructionSet.available, patterns) func sumsAreExact(
        _ set: InstructionSet, _ pattern: [Int8]
    ) {
        for (inputs, outputs) in Self.sizes {
            let layer = Self.layer(pattern, inputs, outputs)
            let network = Self.compiled([layer], set)
            for rows in [1, 2, 3, 4, 5, 6, 7, 49] {
                let steps = Self.steps(rows, inputs)
                let expected = (0..<rows).flatMap { row in
                    Self.sums(layer, steps[row * inputs..<(row + 1) * inputs])
                }
                let found = logits(network, steps.map(Float.init), rows)
                #expect(found == expected, "\(rows) rows of \(inputs) inputs")
            }
        }
    }

    @Test(arguments: InstructionSet.available, patterns) func hiddenLayersAgreeWithPlainC(
        _ set: InstructionSet, _ pattern: [Int8]
    ) {
        for (inputs, hidden) in Self.sizes {
            let layers = [
                Self.layer(pattern, inputs, hidden, multiplier: 0.001),
                Self.layer(pattern.reversed(), hidden, 12),
            ]
            let plain = Self.compiled(layers, .scalar)
            let vector = Self.compiled(layers, set)
            for rows in [1, 2, 3, 4, 5, 6, 7, 49] {
                let features = Self.steps(rows, inputs).map(Float.init)
                #expect(
                    logits(vector, features, rows) == logits(plain, features, rows),
                    "\(rows) rows of \(inputs) inputs")
            }
        }
    }

    /// Rows of the largest input, of the largest and the smallest by turns, and of everything between.
    private static func steps(_ rows: Int, _ inputs: Int) -> [Int] {
        (0..<rows * inputs).map { index in
            switch index / inputs % 3 {
            case 0: 255
            case 1: index % 2 * 255
            default: index * 37 % 256
            }
        }
    }

    /// The sums of a row's outputs in Int, which differ by their bias alone.
    private static func sums(_ layer: QuantisedLayer, _ row: ArraySlice<Int>) -> [Float] {
        let sum = zip(row, layer.weights).reduce(0) { $0 + $1.0 * Int($1.1) }
        return layer.bias.map { Float(sum + Int($0)) }
    }

    private static func layer(
        _ pattern: [Int8], _ inputs: Int, _ outputs: Int, multiplier: Float? = nil
    ) -> QuantisedLayer {
        QuantisedLayer(
            inputs: inputs, outputs: outputs,
            weights: (0..<inputs * outputs).map { pattern[$0 % inputs % pattern.count] },
            bias: (0..<outputs).map { Int32($0 * 31 - 400) },
            multiplier: Array(repeating: multiplier ?? 1, count: outputs),
            hasReLU: multiplier != nil)
    }

    private static func compiled(
        _ layers: [QuantisedLayer], _ set: InstructionSet
    ) -> CompiledNetwork {
        let inputs = layers[0].inputs
        return CompiledNetwork(
            InputNormalisation(
                mean: Array(repeating: 0, count: inputs),
                inverseDeviation: Array(repeating: 1, count: inputs), limit: 1000),
            .quantised(layers, input: ActivationScale(scale: 1, zeroPoint: 0)),
            instructionSet: set)
    }
}
