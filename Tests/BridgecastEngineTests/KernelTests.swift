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
                #expect(largestDifference(logits(plain, features, rows), expected) < 2e-5)
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
                #expect(
                    largestDifference(logits(vector, features, rows), expected) < 2e-5,
                    "\(rows) rows")
                let byBLAS = logits(vector, features, rows, units: .blas)
                if case .float = network {
                    #expect(largestDifference(byBLAS, expected) < 2e-5, "\(rows) rows")
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
                    #expect(
                        largestDifference(Array(found[cells]), expected) < 2e-6,
                        "\(outputs), \(spread)")
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
