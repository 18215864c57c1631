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
}
