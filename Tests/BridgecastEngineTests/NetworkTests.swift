// Every compute path on every instruction set against a Double-precision reference and each other.
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastEngine

@Suite struct ComputePathTests {
    /// Batch sizes around the widths of vectors and around the chunk of rows.
    static let batchSizes = [0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 255, 256, 257]
    static let batches = batchSizes.map { RandomModel.rows($0) }
    /// Widths that are no multiple of anything.
    static let hiddenSizes = [[32, 16], [7], [129, 33], [1, 1]]

    private func probabilities(
        _ model: LoadedModel, _ batch: FeatureBatch, _ units: ComputeUnits
    ) -> [Float] {
        var workspace = Workspace()
        var output: [Float] = []
        model.predict(batch, into: &output, workspace: &workspace, units: units)
        return output
    }

    /// The network in Double, with the softmax over it.
    private func reference(
        _ layers: [DenseLayer], _ normalisation: InputNormalisation, _ batch: FeatureBatch
    ) -> [Double] {
        let sums = zip(doubles(layers, normalisation, batch.rows.dense()), batch.priorLogits)
        let logits = sums.map { $0 + Double($1) }
        let width = layers.last?.outputs ?? 0
        return (0..<batch.rowCount).flatMap { row in
            let own = logits[row * width..<(row + 1) * width]
            let sum = own.reduce(0) { $0 + exp($1) }
            return own.map { exp($0) / sum }
        }
    }

    @Test(arguments: InstructionSet.available, hiddenSizes) func fp32AgreesWithDouble(
        _ set: InstructionSet, _ hidden: [Int]
    ) throws {
        let draft = RandomModel.draft(hidden: hidden, seed: 3)
        let model = try ModelFile.read(ModelFile.bytes(of: draft, as: .fp32)).packed(for: set)
        for (size, batch) in zip(Self.batchSizes, Self.batches) {
            let expected = reference(draft.layers, draft.normalisation, batch)
            for units in ComputeUnits.allCases {
                let found = probabilities(model, batch, units)
                #expect(largestDifference(found, expected) < 2e-6, "\(size) rows, \(units)")
            }
        }
    }

    @Test(arguments: InstructionSet.available)
    func fp16IsTheSameNetworkWithRoundedWeights(_ set: InstructionSet) throws {
        let draft = RandomModel.draft(hidden: [64, 32], seed: 4)
        let model = try ModelFile.read(ModelFile.bytes(of: draft, as: .fp16)).packed(for: set)
        let rounded = draft.layers.map { layer in
            DenseLayer(
                inputs: layer.inputs, outputs: layer.outputs,
                weights: layer.weights.map { Float(Float16($0)) }, bias: layer.bias,
                hasReLU: layer.hasReLU)
        }
        for (size, batch) in zip(Self.batchSizes, Self.batches) {
            let expected = reference(rounded, draft.normalisation, batch)
            for units in ComputeUnits.allCases {
                let found = probabilities(model, batch, units)
                #expect(largestDifference(found, expected) < 2e-6, "\(size) rows, \(units)")
            }
        }
    }

    @Test(arguments: InstructionSet.available, hiddenSizes)
    func int8PathsDifferOnlyInTheRoundingOfSoftmax(_ set: InstructionSet, _ hidden: [Int]) throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8, hidden: hidden)).packed(for: set)
        for (size, batch) in zip(Self.batchSizes, Self.batches) {
            let reference = probabilities(model, batch, .reference)
            #expect(reference.count == size * DelayBins.count)
            for units in ComputeUnits.allCases {
                let found = probabilities(model, batch, units)
                #expect(largestDifference(found, reference.map(Double.init)) < 1e-6, "\(units)")
            }
        }
    }

    /// The int8 arithmetic written out in integers and Double.
    @Test func int8FollowsItsDefinition() throws {
        let draft = RandomModel.draft(hidden: [32, 16], seed: 7)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        guard case .quantised(let layers, let input) = model.network.layers else {
            Issue.record("an int8 file must give int8 layers")
            return
        }
        let batch = RandomModel.rows(50)
        let features = batch.rows.dense()
        let width = FeatureSchema.count
        let found = probabilities(model, batch, .reference)
        for row in 0..<batch.rowCount {
            var x = (0..<width).map { i -> Int in
                let normalisation = draft.normalisation
                let stepsPerUnit = 1 / input.scale
                let centred = features[row * width + i] - normalisation.mean[i]
                let steps = centred * (normalisation.inverseDeviation[i] * stepsPerUnit)
                let limit = normalisation.limit * stepsPerUnit
                let rounded = min(max(steps, -limit), limit).rounded(.toNearestOrEven)
                return Int(min(max(rounded + Float(input.zeroPoint), 0), 255))
            }
            var logits: [Double] = []
            for layer in layers {
                let sums = (0..<layer.outputs).map { o in
                    (0..<layer.inputs).reduce(Int(layer.bias[o])) {
                        $0 + Int(layer.weights[o * layer.inputs + $1]) * x[$1]
                    }
                }
                logits = sums.indices.map { Double(Float(sums[$0]) * layer.multiplier[$0]) }
                x = sums.indices.map { o in
                    let steps = (Float(max(0, sums[o])) * layer.multiplier[o])
                        .rounded(.toNearestOrEven)
                    return Int(min(steps, 255))
                }
            }
            let total = logits.indices.map {
                logits[$0] + Double(batch.priorLogits[row * DelayBins.count + $0])
            }
            let sum = total.reduce(0) { $0 + exp($1) }
            for bin in 0..<DelayBins.count {
                let expected = exp(total[bin]) / sum
                #expect(abs(Double(found[row * DelayBins.count + bin]) - expected) < 2e-6)
            }
        }
    }

    @Test(arguments: InstructionSet.available)
    func int8StaysCloseToFp32(_ set: InstructionSet) throws {
        let int8 = try ModelFile.read(RandomModel.bytes(.int8, hidden: [64, 32])).packed(for: set)
        let fp32 = try ModelFile.read(RandomModel.bytes(.fp32, hidden: [64, 32])).packed(for: set)
        let batch = RandomModel.rows(500)
        let a = probabilities(int8, batch, .all)
        let b = probabilities(fp32, batch, .all)
        let worst = zip(a, b).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 0.1, "random weights, so only roughly")
        let mean = zip(a, b).reduce(Float(0)) { $0 + abs($1.0 - $1.1) } / Float(a.count)
        #expect(mean < 0.005)
    }

    @Test(arguments: InstructionSet.available)
    func allIsSIMDWhereThereIsSIMDElseBLAS(_ set: InstructionSet) {
        let kernels = ComputeUnits.Path.kernels(set)
        #expect(ComputeUnits.all.path(on: set) == (set == .scalar ? .blas : kernels))
        #expect(ComputeUnits.simd.path(on: set) == kernels)
        #expect(ComputeUnits.blas.path(on: set) == .blas)
        #expect(ComputeUnits.reference.path(on: set) == .kernels(.scalar))
        let dense = RandomNetwork.layers([24, 40, 5], seed: 3)
        let int8 = RandomNetwork.quantised([24, 40, 5], extreme: false, seed: 4)
        for layers in [.float(dense), .half(dense), int8] {
            let network = CompiledNetwork(
                RandomNetwork.normalisation(24, seed: 5), layers, instructionSet: set)
            for rows in [1, 7, 8, 300] {
                let features = RandomNetwork.features(rows, 24, seed: 6)
                let lists = ListKernelTests.rows(rows, width: 24, seed: 7)
                let units: ComputeUnits = set == .scalar ? .blas : .simd
                #expect(
                    logits(network, features, rows, units: .all)
                        == logits(network, features, rows, units: units))
                #expect(logits(network, lists, units: .all) == logits(network, lists, units: units))
            }
        }
    }

    @Test(arguments: InstructionSet.available)
    func aWorkspaceServesBatchesOfAnySizeInAnyOrder(_ set: InstructionSet) throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set)
        var workspace = Workspace()
        var output: [Float] = []
        for size in [300, 1, 0, 17, 299] {
            let batch = RandomModel.rows(size)
            model.predict(batch, into: &output, workspace: &workspace)
            let expected = probabilities(model, batch, .reference).map(Double.init)
            #expect(largestDifference(output, expected) < 1e-6)
        }
    }
}

@Suite struct ExtremeWeightTests {
    /// What every output repeats over its inputs.
    ///
    /// Times 255, pairs that add up to 129 or more leave 16 bits.
    static let patterns: [[Int8]] = [
        [127], [-127], [-128], [127, -127], [-128, 127], [64], [-64], [65, 64], [-65, -64], [32],
        [100, 28, 0, 0, 1, 0, 0, 0], [0, 0, -100, -28, 0, 0, 0, -1], [0, 0, 0, 0, 0, 0, 100, 29],
    ]
    /// Inputs and outputs around quads and blocks of panels; 300 and more inputs go another way than 24.
    static let sizes = [(8, 7), (13, 16), (24, 70), (300, 100), (1000, 33)]

    @Test(arguments: InstructionSet.available, patterns) func sumsAreExact(
        _ set: InstructionSet, _ pattern: [Int8]
    ) {
        for (inputs, outputs) in Self.sizes {
            let layer = Self.layer(pattern, inputs, outputs)
            let network = Self.compiled([layer], set)
            for rows in [1, 2, 3, 4, 5, 6, 7, 49] {
                let steps = Self.steps(rows, inputs)
                let expected = (0..<rows).flatMap { row in
                    Self.sums(layer, steps[row * inputs..<(row + 1) * inputs])
                }
                let found = logits(network, steps.map(Float.init), rows)
                #expect(found == expected, "\(rows) rows of \(inputs) inputs")
            }
        }
    }

    @Test(arguments: InstructionSet.available, patterns) func hiddenLayersAgreeWithPlainC(
        _ set: InstructionSet, _ pattern: [Int8]
    ) {
        for (inputs, hidden) in Self.sizes {
            let layers = [
                Self.layer(pattern, inputs, hidden, multiplier: 0.001),
                Self.layer(pattern.reversed(), hidden, 12),
            ]
            let plain = Self.compiled(layers, .scalar)
            let vector = Self.compiled(layers, set)
            for rows in [1, 2, 3, 4, 5, 6, 7, 49] {
                let features = Self.steps(rows, inputs).map(Float.init)
                #expect(
                    logits(vector, features, rows) == logits(plain, features, rows),
                    "\(rows) rows of \(inputs) inputs")
            }
        }
    }

    /// Rows of the largest input, of the largest and the smallest by turns, and of everything between.
    private static func steps(_ rows: Int, _ inputs: Int) -> [Int] {
        (0..<rows * inputs).map { index in
            switch index / inputs % 3 {
            case 0: 255
            case 1: index % 2 * 255
            default: index * 37 % 256
            }
        }
    }

    /// The sums of a row's outputs in Int, which differ by their bias alone.
    private static func sums(_ layer: QuantisedLayer, _ row: ArraySlice<Int>) -> [Float] {
        let sum = zip(row, layer.weights).reduce(0) { $0 + $1.0 * Int($1.1) }
        return layer.bias.map { Float(sum + Int($0)) }
    }

    private static func layer(
        _ pattern: [Int8], _ inputs: Int, _ outputs: Int, multiplier: Float? = nil
    ) -> QuantisedLayer {
        QuantisedLayer(
            inputs: inputs, outputs: outputs,
            weights: (0..<inputs * outputs).map { pattern[$0 % inputs % pattern.count] },
            bias: (0..<outputs).map { Int32($0 * 31 - 400) },
            multiplier: Array(repeating: multiplier ?? 1, count: outputs),
            hasReLU: multiplier != nil)
    }

    private static func compiled(
        _ layers: [QuantisedLayer], _ set: InstructionSet
    ) -> CompiledNetwork {
        let inputs = layers[0].inputs
        return CompiledNetwork(
            InputNormalisation(
                mean: Array(repeating: 0, count: inputs),
                inverseDeviation: Array(repeating: 1, count: inputs), limit: 1000),
            .quantised(layers, input: ActivationScale(scale: 1, zeroPoint: 0)),
            instructionSet: set)
    }
}

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
