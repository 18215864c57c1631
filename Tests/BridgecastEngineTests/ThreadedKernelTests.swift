// Kernels on several threads and in several tasks at once: the same numbers as alone.
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ThreadedKernelTests {
    @Test(arguments: InstructionSet.available)
    func threadsDivideRowsWithoutChangingThem(_ set: InstructionSet) {
        let normalisation = RandomNetwork.normalisation(48, seed: 16)
        let network = CompiledNetwork(
            normalisation, RandomNetwork.quantised([48, 128, 64, 12], extreme: false, seed: 17),
            instructionSet: set)
        var workspace = Workspace(threads: 3)
        for rows in [1, 255, 256, 257, 1_000, 5_003, 300, 7] {
            let features = RandomNetwork.features(rows, 48, seed: UInt64(rows))
            let expected = logits(network, features, rows)
            // Soon after each other and after the helpers have gone to sleep: ten times their patience.
            for pause in [0.0, 0, 0.002] {
                Thread.sleep(forTimeInterval: pause)
                var output = [Float](repeating: -1, count: rows * 12)
                var span = output.mutableSpan
                network.logits(
                    features.span, into: &span, workspace: &workspace, units: .simd)
                #expect(output == expected, "\(rows) rows")
            }
        }
    }

    /// Scratch memory holds anything at first: what a run reads there, it has written.
    @Test(arguments: InstructionSet.available)
    func whatScratchMemoryHeldBeforeDoesNotMatter(_ set: InstructionSet) {
        let layers = RandomNetwork.layers([45, 33, 17, 12], seed: 5)
        for network in [
            RandomNetwork.quantised([45, 33, 17, 12], extreme: false, seed: 17), .float(layers),
            .half(layers),
        ] {
            let network = CompiledNetwork(
                RandomNetwork.normalisation(45, seed: 16), network, instructionSet: set)
            let features = RandomNetwork.features(65, 45, seed: 3)
            let lists = ListKernelTests.rows(65, width: 45, seed: 3)
            for (units, asLists) in [(ComputeUnits.simd, false), (.simd, true), (.blas, false)] {
                let results = [UInt8(0), 0xff].map { byte in
                    var workspace = Workspace()
                    unsafe workspace.withScratch(bytes: 1 << 20) { scratch in
                        _ = unsafe scratch.initializeMemory(
                            as: UInt8.self, repeating: byte, count: 1 << 20)
                    }
                    var output = [Float](repeating: -1, count: 65 * 12)
                    var span = output.mutableSpan
                    if asLists {
                        network.logits(lists, into: &span, workspace: &workspace, units: units)
                    } else {
                        network.logits(
                            features.span, into: &span, workspace: &workspace, units: units)
                    }
                    return output
                }
                let areFinite = results[0].allSatisfy(\.isFinite)
                #expect(results[0] == results[1] && areFinite, "\(units), as lists: \(asLists)")
            }
        }
    }

    @Test func copiesOfAWorkspaceMayRunAtTheSameTime() async {
        let normalisation = RandomNetwork.normalisation(48, seed: 16)
        let network = CompiledNetwork(
            normalisation, RandomNetwork.quantised([48, 128, 64, 12], extreme: false, seed: 17))
        let features = RandomNetwork.features(1_500, 48, seed: 18)
        let expected = logits(network, features, 1_500)
        let shared = Workspace(threads: 2)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var workspace = shared
                    return (0..<50).allSatisfy { _ in
                        var output = [Float](repeating: -1, count: 1_500 * 12)
                        var span = output.mutableSpan
                        network.logits(
                            features.span, into: &span, workspace: &workspace, units: .simd)
                        return output == expected
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
