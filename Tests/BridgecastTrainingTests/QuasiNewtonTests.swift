// The search that the additive teacher is fitted by.
import Testing

@testable import BridgecastTraining

struct QuasiNewtonTests {
    @Test func `the minimum of a badly scaled quadratic is found`() {
        let target = (0..<20).map { Double($0) - 7 }
        let found = QuasiNewton.minimise(
            from: Array(repeating: 0, count: 20), iterations: 200
        ) { point in
            var slope = QuasiNewton.Slope(value: 0, gradient: [])
            for index in point.indices {
                let (scale, error) = (pow2(index), point[index] - target[index])
                slope.value += scale * error * error / 2
                slope.gradient.append(scale * error)
            }
            return slope
        }
        for index in found.indices { #expect(abs(found[index] - target[index]) < 0.02) }
    }

    @Test func `a point that is the minimum stays`() {
        let found = QuasiNewton.minimise(from: [3], iterations: 10) {
            QuasiNewton.Slope(value: ($0[0] - 3) * ($0[0] - 3), gradient: [2 * ($0[0] - 3)])
        }
        #expect(found == [3])
    }

    private func pow2(_ index: Int) -> Double { Double(1 << (index / 2)) }
}
