// What the library does to OpenBLAS, which its host may use for itself: each test in a process of its own,
// because the number of threads is the process's.
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct BLASThreadTests {
    @Test func networksOnOurKernelsLeaveOpenBLASAlone() async {
        await #expect(processExitsWith: .success) {
            BLAS.threads = 3
            // A BLAS without threads has none to change.
            guard BLAS.threads == 3 else { return }
            let network = BLASThreadTests.network()
            precondition(BLAS.threads == 3, "made")
            BLASThreadTests.run(network, on: .simd)
            precondition(BLAS.threads == 3, "run")
        }
    }

    @Test func theBLASPathGivesTheThreadsBack() async {
        await #expect(processExitsWith: .success) {
            BLAS.threads = 3
            guard BLAS.threads == 3 else { return }
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
        var (workspace, output) = (Workspace(), [Float](repeating: 0, count: 6))
        var span = output.mutableSpan
        network.logits(
            RandomNetwork.features(2, 5, seed: 3).span, into: &span, workspace: &workspace,
            units: units)
    }
}
