// How weights become int8: rows of zeros, and sums that could leave the exact range.
@testable import BridgecastEngine
import BridgecastTraining
import Testing

@Suite struct WeightQuantisationTests {
    @Test func anAllZeroRowOfWeightsIsQuantisedToZeros() {
        let layer = DenseLayer(
            inputs: 3, outputs: 2, weights: [0, 0, 0, 1, -2, 0.5], bias: [0.75, 0], hasReLU: false)
        let parts = QuantisedParts(layer)
        #expect(parts.weights == [0, 0, 0, 64, -127, 32])
        #expect(parts.weightScales[0] == 1 && abs(parts.weightScales[1] - 2 / 127) < 1e-7)
        let scale = ActivationScale(scale: 0.5, zeroPoint: 3)
        #expect(parts.layer(input: scale, outputScale: nil)?.bias[0] == 2)  // 1.5, to even
    }

    @Test func sumsThatCouldLeaveTheExactRangeAreRefused() {
        let wide = QuantisedParts(
            inputs: 600, outputs: 1, weights: Array(repeating: 127, count: 600), weightScales: [1],
            bias: [0])
        let scale = ActivationScale(scale: 1, zeroPoint: 0)
        #expect(wide.layer(input: scale, outputScale: nil) == nil)
        let bias = QuantisedParts(
            inputs: 1, outputs: 1, weights: [1], weightScales: [1e-6], bias: [1e3])
        #expect(bias.layer(input: scale, outputScale: nil) == nil)
    }

    /// Weights are added up in pieces of narrow numbers, which must not overflow nor forget the last piece.
    @Test(arguments: [1, 127, 128, 129, 300, 511]) func sumsOfLongRowsAreExact(_ inputs: Int) {
        let rows: [(Int) -> Int8] = [
            { _ in -128 }, { _ in 127 }, { $0 % 2 == 0 ? -128 : 127 },
            { Int8(truncatingIfNeeded: $0 &* 37) },
        ]
        let parts = QuantisedParts(
            inputs: inputs, outputs: rows.count, weights: rows.flatMap { (0..<inputs).map($0) },
            weightScales: [1, 1, 1, 1], bias: [0, 0, 0, 0])
        let scale = ActivationScale(scale: 1, zeroPoint: 200)
        let bias = parts.layer(input: scale, outputScale: nil)?.bias
        #expect(
            bias == rows.map { row in Int32(-200 * (0..<inputs).reduce(0) { $0 + Int(row($1)) }) })
    }

    /// The bound is 255 x the sum of magnitudes below 2^24: 65,794 is the first sum beyond it.
    @Test func theBoundOnSumsIsThatOfTheFormat() {
        let scale = ActivationScale(scale: 1, zeroPoint: 0)
        for (last, isRefused) in [(Int8(-1), false), (-2, true)] {
            let weights: [Int8] = Array(repeating: -128, count: 514) + [last]
            let parts = QuantisedParts(
                inputs: weights.count, outputs: 1, weights: weights, weightScales: [1], bias: [0])
            #expect((parts.layer(input: scale, outputScale: nil) == nil) == isRefused)
        }
    }
}
