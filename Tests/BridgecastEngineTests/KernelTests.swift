// Every instruction set against plain C, and plain C against Double, at sizes around the vectors.
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct KernelTests {
    /// Rows around tiles (1 to 6), chunks (48) and the share of a thread.
    static let rowCounts = [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 47, 48, 49, 97]
    /// Widths around quads (4), panels (16), pairs, fours and eights of panels; one to four layers.
    static let shapes = [
        [1, 1], [3, 12], [16, 16], [17, 15, 12], [31, 33, 17, 5], [48, 128, 64, 12], [5, 127, 31],
        [64, 65, 129, 13], [209, 128, 64, 12], [15, 1, 1, 40], [20, 300, 16],
    ]
    static let vectorSets = InstructionSet.available.filter { $0 != .scalar }

    private func logits(
        _ network: CompiledNetwork, _ features: [Float], _ rows: Int,
        units: ComputeUnits = .simd, threads: Int = 1
    ) -> [Float] {
        var workspace = Workspace(threads: threads)
        var output = [Float](repeating: -1, count: rows * network.outputs)
        var span = output.mutableSpan
        network.logits(features.span, into: &span, workspace: &workspace, units: units)
        return output
    }

    private func probabilities(
        _ network: CompiledNetwork, _ features: [Float], _ prior: [Float]
    ) -> [Float] {
        var workspace = Workspace()
        var output = prior
        var span = output.mutableSpan
        network.probabilities(
            features.span, prior: prior.span, into: &span, workspace: &workspace, units: .simd)
        return output
    }

    /// The network in Double, straight from its definition.
    private func doubles(
        _ layers: [DenseLayer], _ normalisation: InputNormalisation, _ features: [Float]
    ) -> [Double] {
        let width = normalisation.mean.count
        return stride(from: 0, to: features.count, by: width).flatMap { start in
            var x = (0..<width).map { i -> Double in
                let z = Double(features[start + i]) - Double(normalisation.mean[i])
                let limit = Double(normalisation.limit)
                return min(max(z * Double(normalisation.inverseDeviation[i]), -limit), limit)
            }
            for layer in layers {
                x = (0..<layer.outputs).map { o in
                    let sum = (0..<layer.inputs).reduce(Double(layer.bias[o])) {
                        $0 + Double(layer.weights[o * layer.inputs + $1]) * x[$1]
                    }
                    return layer.hasReLU ? max(0, sum) : sum
                }
            }
            return x
        }
    }

    private func worst(_ a: [Float], _ b: [Double]) -> Double {
        guard a.count == b.count else { return .infinity }
        return zip(a, b).reduce(0) { worst, pair in
            let difference = abs(Double(pair.0) - pair.1)
            // A comparison with NaN is false, so NaN must not look like agreement.
            return difference <= worst ? worst : (difference.isNaN ? .infinity : difference)
        }
    }

    @Test(arguments: shapes) func plainFloatKernelsAgreeWithDouble(_ shape: [Int]) {
        let layers = RandomNetwork.layers(shape, seed: 1)
        let halves = layers.map { layer in
            var rounded = layer
            rounded.weights = layer.weights.map { Float(Float16($0)) }
            return rounded
        }
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 2)
        for rows in [1, 5, 49] {
            let features = RandomNetwork.features(rows, shape[0], seed: 3)
            for (network, exact) in [
                (NetworkLayers.float(layers), layers), (.half(halves), halves),
            ] {
                let plain = CompiledNetwork(normalisation, network, instructionSet: .scalar)
                let expected = doubles(exact, normalisation, features)
                #expect(worst(logits(plain, features, rows), expected) < 2e-5)
            }
        }
    }

    @Test(arguments: vectorSets, shapes) func floatKernelsAgreeWithPlainC(
        _ set: InstructionSet, _ shape: [Int]
    ) {
        let layers = RandomNetwork.layers(shape, seed: 4)
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 5)
        for network in [NetworkLayers.float(layers), .half(layers)] {
            let plain = CompiledNetwork(normalisation, network, instructionSet: .scalar)
            let vector = CompiledNetwork(normalisation, network, instructionSet: set)
            for rows in Self.rowCounts {
                let features = RandomNetwork.features(rows, shape[0], seed: UInt64(rows))
                let expected = logits(plain, features, rows).map(Double.init)
                #expect(worst(logits(vector, features, rows), expected) < 2e-5, "\(rows) rows")
                let byBLAS = logits(vector, features, rows, units: .blas)
                if case .float = network {
                    #expect(worst(byBLAS, expected) < 2e-5, "\(rows) rows")
                }
            }
        }
    }

    /// int8 results are the same on every CPU and path, to the last bit.
    @Test(arguments: InstructionSet.available, shapes) func int8KernelsAgreeToTheLastBit(
        _ set: InstructionSet, _ shape: [Int]
    ) {
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 6)
        for extreme in [false, true] {
            let network = RandomNetwork.quantised(shape, extreme: extreme, seed: 7)
            let plain = CompiledNetwork(normalisation, network, instructionSet: .scalar)
            let vector = CompiledNetwork(normalisation, network, instructionSet: set)
            for rows in Self.rowCounts {
                let features = RandomNetwork.features(rows, shape[0], seed: UInt64(rows))
                let expected = logits(plain, features, rows)
                #expect(logits(vector, features, rows) == expected, "\(rows) rows, \(extreme)")
                #expect(logits(vector, features, rows, units: .blas) == expected, "\(rows), BLAS")
            }
        }
    }

    /// Every u8 input and every s8 weight, alone and in pairs: what saturating kernels get wrong.
    @Test(arguments: InstructionSet.available) func int8SumsDoNotSaturate(_ set: InstructionSet) {
        let weights: [Int8] = [-128, -127, -1, 0, 1, 126, 127]
        let layer = QuantisedLayer(
            inputs: 8, outputs: 7, weights: weights.flatMap { Array(repeating: $0, count: 8) },
            bias: Array(repeating: 0, count: 7), multiplier: Array(repeating: 1, count: 7),
            hasReLU: false)
        let normalisation = InputNormalisation(
            mean: Array(repeating: 0, count: 8), inverseDeviation: Array(repeating: 1, count: 8),
            limit: 1000)
        let network = CompiledNetwork(
            normalisation, .quantised([layer], input: ActivationScale(scale: 1, zeroPoint: 0)),
            instructionSet: set)
        for value in 0...255 {
            let found = logits(network, Array(repeating: Float(value), count: 16), 2)
            let expected = weights.map { Float(8 * value * Int($0)) }
            #expect(found == expected + expected)
        }
    }

    @Test(arguments: InstructionSet.available) func softmaxAgreesWithDouble(_ set: InstructionSet) {
        for outputs in [1, 2, 7, 8, 12, 15, 16, 17, 40] {
            let layers = RandomNetwork.layers([9, outputs], seed: 8)
            let normalisation = RandomNetwork.normalisation(9, seed: 9)
            let network = CompiledNetwork(normalisation, .float(layers), instructionSet: set)
            for (rows, spread) in [(1, Float(1)), (5, 30), (50, 80)] {
                let features = RandomNetwork.features(rows, 9, seed: 10)
                let prior = RandomNetwork.features(rows, outputs, seed: 11).map {
                    max(-spread, min(spread, $0 * spread))
                }
                let sums = logits(network, features, rows)
                let found = probabilities(network, features, prior)
                for row in 0..<rows {
                    let cells = row * outputs..<(row + 1) * outputs
                    let total = cells.map { Double(sums[$0]) + Double(prior[$0]) }
                    let highest = total.max() ?? 0
                    let scale = total.reduce(0) { $0 + exp($1 - highest) }
                    let expected = total.map { exp($0 - highest) / scale }
                    #expect(worst(Array(found[cells]), expected) < 2e-6, "\(outputs), \(spread)")
                }
            }
        }
    }

    /// NaN and infinity are passed on as NaN, and only by the row that holds them.
    @Test(arguments: InstructionSet.available) func whatIsNotFiniteIsNeverASilentNumber(
        _ set: InstructionSet
    ) {
        let normalisation = RandomNetwork.normalisation(37, seed: 12)
        for network in [
            NetworkLayers.float(RandomNetwork.layers([37, 20, 12], seed: 13)),
            .half(RandomNetwork.layers([37, 20, 12], seed: 13)),
            RandomNetwork.quantised([37, 20, 12], extreme: false, seed: 14),
        ] {
            let compiled = CompiledNetwork(normalisation, network, instructionSet: set)
            for rows in [1, 2, 7, 50] {
                let clean = RandomNetwork.features(rows, 37, seed: 15)
                let expected = logits(compiled, clean, rows)
                for flaw in [Float.nan, .infinity, -.infinity, .signalingNaN] {
                    for (row, column) in [(0, 0), (rows - 1, 36), (rows / 2, 17)] {
                        var features = clean
                        features[row * 37 + column] = flaw
                        for units in [ComputeUnits.simd, .blas] {
                            let found = logits(compiled, features, rows, units: units)
                            let bad = found[row * 12..<(row + 1) * 12].allSatisfy(\.isNaN)
                            #expect(bad, "\(set) \(flaw) \(units)")
                            let others = found.indices.allSatisfy {
                                $0 / 12 == row || abs(found[$0] - expected[$0]) < 1e-4
                            }
                            #expect(others, "\(set) \(flaw) \(units)")
                        }
                        let prior = [Float](repeating: 0, count: rows * 12)
                        let found = probabilities(compiled, features, prior)
                        let isBad = found[row * 12..<(row + 1) * 12].allSatisfy(\.isNaN)
                        #expect(isBad, "\(set) \(flaw)")
                    }
                }
            }
        }
    }

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

    @Test func panelsHoldEveryWeightOnceAndZerosElsewhere() {
        let layer = QuantisedLayer(
            inputs: 5, outputs: 17, weights: (0..<85).map { Int8($0 + 1) },
            bias: Array(repeating: 0, count: 17), multiplier: Array(repeating: 1, count: 17),
            hasReLU: false)
        let packed = WeightPanels.int8(layer)
        #expect(packed.count == 2 * 2 * 64)
        for o in 0..<32 {
            for i in 0..<8 {
                let found = packed[o / 16 * 128 + i / 4 * 64 + o % 16 * 4 + i % 4]
                #expect(found == (o < 17 && i < 5 ? Int8(o * 5 + i + 1) : 0))
            }
        }
    }

    @Test func theEnvironmentForcesAnInstructionSetOrIsRefused() throws {
        #expect(try InstructionSet.forced(by: nil) == nil)
        #expect(try InstructionSet.forced(by: "") == nil)
        #expect(try InstructionSet.forced(by: "scalar") == .scalar)
        #expect(throws: InstructionSetError(name: "mmx")) {
            try InstructionSet.forced(by: "mmx")
        }
        for set in InstructionSet.allCases where !InstructionSet.available.contains(set) {
            #expect(throws: InstructionSetError(name: set.rawValue)) {
                try InstructionSet.forced(by: set.rawValue)
            }
        }
        #expect(InstructionSetError(name: "mmx").description.contains("scalar"))
    }
}
