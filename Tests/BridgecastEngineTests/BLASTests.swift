// What the library does to OpenBLAS, which its host may use for itself: each test in a process of its own,
// because the number of threads is the process's.
import BridgecastTestSupport
import COpenBLAS
import Testing
@testable import BridgecastEngine

@Suite struct BLASThreadTests {
    @Test(.enabled(if: BLAS.hasThreads, "OpenBLAS has no threads"))
    func networksOnOurKernelsLeaveOpenBLASAlone() async {
        await #expect(processExitsWith: .success) {
            BLAS.threads = 3
            precondition(BLAS.threads == 3, "set")
            let network = BLASThreadTests.network()
            precondition(BLAS.threads == 3, "made")
            BLASThreadTests.run(network, on: .simd)
            precondition(BLAS.threads == 3, "run")
        }
    }

    @Test(.enabled(if: BLAS.hasThreads, "OpenBLAS has no threads"))
    func theBLASPathGivesTheThreadsBack() async {
        await #expect(processExitsWith: .success) {
            BLAS.threads = 3
            precondition(BLAS.threads == 3, "set")
            BLASThreadTests.run(BLASThreadTests.network(), on: .blas)
            precondition(BLAS.threads == 3)
            BLAS.onOneThread {
                precondition(BLAS.threads == 1)
                BLAS.onOneThread { precondition(BLAS.threads == 1) }
                precondition(BLAS.threads == 1, "the outer caller is still at work")
            }
            precondition(BLAS.threads == 3)
        }
    }

    private static func network() -> CompiledNetwork {
        CompiledNetwork(
            RandomNetwork.normalisation(5, seed: 1),
            .float(RandomNetwork.layers([5, 8, 3], seed: 2)))
    }

    private static func run(_ network: CompiledNetwork, on units: ComputeUnits) {
        var workspace = Workspace()
        var output = [Float](repeating: 0, count: 6)
        var span = output.mutableSpan
        network.logits(
            RandomNetwork.features(2, 5, seed: 3).span, into: &span, workspace: &workspace,
            units: units)
    }
}

extension BLAS {
    /// Threads that OpenBLAS divides a product over, for the whole process.
    fileprivate static var threads: Int {
        get { Int(openblas_get_num_threads()) }
        set { openblas_set_num_threads(Int32(newValue)) }
    }

    /// Whether OpenBLAS was built with threads, so that their number can be changed.
    fileprivate static var hasThreads: Bool { openblas_get_parallel() != 0 }
}

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
                by: formB == .plain ? b : transposed(b, k, n), formB, into: &c, m: m, n: n, k: k)
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
