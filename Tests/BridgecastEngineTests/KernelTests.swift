// Every instruction set against plain C, and plain C against Double, at sizes around the vectors.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine

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
    @Test(arguments: InstructionSet.available) func valuesThatAreNotFiniteNeverPassSilently(
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

@Suite struct ListKernelTests {
    /// Widths around quads, blocks of 64 outputs and pairs of them; one to three layers.
    static let shapes = [
        [1, 1], [3, 12], [40, 16, 12], [70, 63, 5], [130, 64, 12], [50, 65, 33, 12],
        [300, 129, 20, 12], [90, 256, 128, 12], [25, 300],
    ]

    /// Rows of random lists, of which some share up to two lists with others.
    static func rows(_ count: Int, width: Int, seed: UInt64) -> SparseRows {
        var random = SeededGenerator(seed: seed)
        func list(_ inputs: Range<Int>, _ list: inout RowWriter, among one: Int) {
            for input in inputs where Int.random(in: 0..<one, using: &random) == 0 {
                list.position = input
                // Also far beyond the limit, where steps are largest.
                list.append(
                    Float.random(in: -2...2, using: &random)
                        * (Bool.random(using: &random) ? 1 : 40))
            }
        }
        let third = width / 3
        let twoThirds = 2 * width / 3
        var rows = SparseRows(width: width)
        // Lists of both parts meet in each of the 16 places where kernels keep sums.
        let shared = (0..<37).map { number in
            rows.appendList {
                list(number % 3 == 0 ? 0..<third : third..<twoThirds, &$0, among: 3)
            }
        }
        for _ in 0..<count {
            let choice = Int.random(in: 0..<4, using: &random)
            let own = rows.appendList {
                list(choice == 0 ? 0..<width : twoThirds..<width, &$0, among: choice == 0 ? 1 : 4)
            }
            let second = Int.random(in: 0..<24, using: &random)
            let pair = (
                shared[Int.random(in: 0..<13, using: &random) * 3],
                shared[second / 2 * 3 + 1 + second % 2]
            )
            rows.appendRow(
                choice == 0 || choice == 1 ? SparseRows.noList : pair.0,
                choice == 0 || choice == 2 ? SparseRows.noList : pair.1, own)
        }
        return rows
    }

    private func bits(_ values: [Float]) -> [UInt32] { values.map(\.bitPattern) }

    @Test(arguments: InstructionSet.available, shapes)
    func int8OnListsIsInt8OnRowsToTheLastBit(_ set: InstructionSet, _ shape: [Int]) {
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 32)
        for extreme in [false, true] {
            let layers = RandomNetwork.quantised(shape, extreme: extreme, seed: 31)
            let plain = CompiledNetwork(normalisation, layers, instructionSet: .scalar)
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for count in [1, 2, 47, 48, 49, 300] {
                let rows = Self.rows(count, width: shape[0], seed: UInt64(count))
                let expected = bits(logits(plain, rows.dense(), count))
                #expect(bits(logits(network, rows)) == expected, "\(count) rows, \(extreme)")
                #expect(bits(logits(network, rows, threads: 3)) == expected, "\(count) rows")
                // Rows written out run on the same network, packed the other way when they come.
                #expect(bits(logits(network, rows.dense(), count)) == expected, "\(count) rows")
            }
        }
    }

    @Test(arguments: InstructionSet.available, shapes)
    func floatsOnListsAreFloatsOnRows(_ set: InstructionSet, _ shape: [Int]) {
        let layers = RandomNetwork.layers(shape, seed: 33)
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 34)
        for layers in [NetworkLayers.float(layers), .half(layers)] {
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for count in [1, 7, 130] {
                let rows = Self.rows(count, width: shape[0], seed: UInt64(count) + 50)
                let expected = logits(network, rows.dense(), count)
                let found = logits(network, rows)
                #expect(largestDifference(found, expected.map(Double.init)) < 1e-4)
            }
        }
    }

    /// Ten thousand rows of the records, and the shipped network.
    @Test(arguments: InstructionSet.available)
    func shippedNetworkAgreesOnRealRows(_ set: InstructionSet) throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let plain = model.packed(for: .scalar)
        let network = model.packed(for: set).network
        let reader = SituationReader(Fixtures.shippedHistory)
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var time = Fixtures.timestamp("2026-01-05T00:10")
        while batch.rowCount < 10_000 {
            let situation = reader.situation(at: time)
            for lead in [0.0, 4, 11, 25, 58, 90] {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead, density: bridge.rawValue % 2 == 0 ? 0 : 0.6,
                        in: situation, to: &batch)
                }
            }
            time = time.adding(minutes: 173)
        }
        let found = logits(network, batch.rows)
        let expected = logits(
            plain.network, batch.rows.dense(), batch.rowCount)
        #expect(bits(found) == bits(expected))
    }

    @Test(arguments: InstructionSet.available)
    func valuesThatAreNotFiniteAffectOnlyTheirRow(_ set: InstructionSet) throws {
        let normalisation = RandomNetwork.normalisation(30, seed: 36)
        for layers in [
            RandomNetwork.quantised([30, 20, 12], extreme: false, seed: 35),
            .float(RandomNetwork.layers([30, 20, 12], seed: 35)),
        ] {
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for bad in [Float.nan, .infinity, -.infinity] {
                var rows = SparseRows(width: 30)
                for row in 0..<60 {
                    try rows.append(inputs: [3, 17, 29], values: [1, row % 7 == 2 ? bad : 2, -1])
                }
                let found = logits(network, rows)
                for row in 0..<60 {
                    let isBad = found[row * 12..<row * 12 + 12].map(\.isNaN)
                    #expect(isBad == Array(repeating: row % 7 == 2, count: 12), "row \(row)")
                }
                var alone = SparseRows(width: 30)
                try alone.append(inputs: [29], values: [bad])
                let isBad = logits(network, alone).map(\.isNaN)
                #expect(isBad == Array(repeating: true, count: 12))
            }
        }
    }
}

@Suite struct ThreadedKernelTests {
    @Test(arguments: InstructionSet.available)
    func threadsDivideRowsWithoutChangingThem(_ set: InstructionSet) {
        let normalisation = RandomNetwork.normalisation(48, seed: 16)
        let network = CompiledNetwork(
            normalisation, RandomNetwork.quantised([48, 128, 64, 12], extreme: false, seed: 17),
            instructionSet: set)
        var workspace = Workspace(threads: 3)
        #expect(workspace.threads == min(3, ProcessInfo.processInfo.activeProcessorCount))
        let divided = Workspace.minRowsToDivide
        for rows in [1, 255, 256, 257, divided - 1, divided, divided + 1, 5_003, 300, 7] {
            let features = RandomNetwork.features(rows, 48, seed: UInt64(rows))
            let expected = logits(network, features, rows)
            for _ in 0..<3 {
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
    func scratchMemoryNeedNotBeCleared(_ set: InstructionSet) {
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

func logits(
    _ network: CompiledNetwork, _ features: [Float], _ rows: Int,
    units: ComputeUnits = .simd, threads: Int = 1
) -> [Float] {
    var workspace = Workspace(threads: threads)
    var output = [Float](repeating: -1, count: rows * network.outputs)
    var span = output.mutableSpan
    network.logits(features.span, into: &span, workspace: &workspace, units: units)
    return output
}

func logits(
    _ network: CompiledNetwork, _ rows: SparseRows, units: ComputeUnits = .simd, threads: Int = 1
) -> [Float] {
    var workspace = Workspace(threads: threads)
    var output = [Float](repeating: -1, count: rows.count * network.outputs)
    var span = output.mutableSpan
    network.logits(rows, into: &span, workspace: &workspace, units: units)
    return output
}

func probabilities(
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
func doubles(
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

func largestDifference(_ a: [Float], _ b: [Double]) -> Double {
    guard a.count == b.count else { return .infinity }
    // A comparison with NaN is false, so NaN must not look like agreement.
    return zip(a, b).reduce(0) { worst, pair in
        let difference = abs(Double(pair.0) - pair.1)
        return difference <= worst ? worst : (difference.isNaN ? .infinity : difference)
    }
}
