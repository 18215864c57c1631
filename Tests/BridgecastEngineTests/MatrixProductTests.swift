// Products of matrices by BLAS against Double, in every form that training and inference use.
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct MatrixProductTests {
    @Test(arguments: [(1, 1, 1), (3, 5, 7), (16, 17, 33), (64, 12, 211)])
    func matrixProductsAgreeWithDouble(_ size: (Int, Int, Int)) {
        let (m, n, k) = size
        var random = SeededGenerator(seed: 1)
        let a = (0..<m * k).map { _ in Float.random(in: -1...1, using: &random) }
        let b = (0..<k * n).map { _ in Float.random(in: -1...1, using: &random) }
        func transposed(_ x: [Float], _ rows: Int, _ columns: Int) -> [Float] {
            (0..<columns).flatMap { c in (0..<rows).map { x[$0 * columns + c] } }
        }
        for (formA, formB) in [
            (BLAS.Form.plain, BLAS.Form.plain), (.transposed, .plain), (.plain, .transposed),
            (.transposed, .transposed),
        ] {
            var c = [Float](repeating: .nan, count: m * n)
            BLAS.multiply(
                formA == .plain ? a : transposed(a, m, k), formA,
                formB == .plain ? b : transposed(b, k, n), formB, into: &c, m: m, n: n, k: k)
            for i in 0..<m {
                for j in 0..<n {
                    let expected = (0..<k).reduce(0.0) {
                        $0 + Double(a[i * k + $1]) * Double(b[$1 * n + j])
                    }
                    #expect(abs(Double(c[i * n + j]) - expected) < 1e-4)
                }
            }
        }
    }
}
