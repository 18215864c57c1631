// Every compute path on every instruction set against a Double-precision reference and each other.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

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
        let (features, width) = (batch.rows.dense(), FeatureSchema.count)
        let found = probabilities(model, batch, .reference)
        for row in 0..<batch.rowCount {
            var x = (0..<width).map { i -> Int in
                let (normalisation, stepsPerUnit) = (draft.normalisation, 1 / input.scale)
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
