// Gradients against finite differences, and what an untrained network says.
import BridgecastCore
import BridgecastEngine
@testable import BridgecastTraining
import Foundation
import Testing

extension TrainableNetwork {
    fileprivate var gradients: [DenseLayer] { layers(of: summedGradients) }

    fileprivate mutating func adopt(_ layers: [DenseLayer]) {
        parameters = Self.parameters(of: layers)
    }
}

@Suite struct TrainableNetworkTests {
    /// Targets that add up to 1, and targets that leave open which of the later bins it is.
    @Test(arguments: [1, 0.6] as [Float])
    func gradientsAgreeWithFiniteDifferences(sumOfTargets: Float) throws {
        var random = SeededRandom(seed: 11)
        let rows = 6
        let inputs = 5
        let bins = 4
        var network = TrainableNetwork(
            sizes: [inputs, 7, 6, bins], dropout: 0, random: &random)
        // The last layer starts at zero, where most gradients vanish: move it.
        network.adopt(
            network.layers.map { layer in
                DenseLayer(
                    inputs: layer.inputs, outputs: layer.outputs,
                    weights: layer.weights.map { $0 + Float(random.normal()) * 0.3 },
                    bias: layer.bias.map { $0 + Float(random.normal()) * 0.3 },
                    hasReLU: layer.hasReLU)
            })
        let x = try Self.rows(rows, inputs: inputs, mean: 0.3, &random)
        let prior = (0..<rows * bins).map { _ in Float(random.normal()) }
        let targets = (0..<rows).flatMap { _ -> [Float] in
            let raw = (0..<bins).map { _ in Float(random.uniform()) }
            return raw.map { sumOfTargets * $0 / raw.reduce(0, +) }
        }
        let all = Array(0..<rows)
        _ = network.lossAndGradients(inputs: x, rows: all, prior: prior, targets: targets)
        let gradients = network.gradients
        func loss(_ edit: (inout [DenseLayer]) -> Void) -> Double {
            var copy = network
            var layers = network.layers
            edit(&layers)
            copy.adopt(layers)
            return copy.lossAndGradients(inputs: x, rows: all, prior: prior, targets: targets)
        }
        let step: Float = 1e-3
        for (index, layer) in network.layers.enumerated() {
            for cell in stride(from: 0, to: layer.weights.count, by: 3) {
                let up = loss { $0[index].weights[cell] += step }
                let down = loss { $0[index].weights[cell] -= step }
                let numeric = (up - down) / Double(2 * step)
                #expect(abs(numeric - Double(gradients[index].weights[cell])) < 2e-3)
            }
            for cell in layer.bias.indices {
                let up = loss { $0[index].bias[cell] += step }
                let down = loss { $0[index].bias[cell] -= step }
                let numeric = (up - down) / Double(2 * step)
                #expect(abs(numeric - Double(gradients[index].bias[cell])) < 2e-3)
            }
        }
    }

    /// Rows of which half of the inputs are zero, normalised by a mean that is not.
    private static func rows(
        _ count: Int, inputs: Int, mean: Float, _ random: inout SeededRandom
    ) throws -> NormalisedRows {
        var rows = SparseRows(width: inputs)
        for _ in 0..<count {
            let present = (0..<inputs).filter { _ in random.uniform() < 0.5 }
            try rows.append(inputs: present, values: present.map { _ in Float(random.normal()) })
        }
        return NormalisedRows(
            rows,
            InputNormalisation(
                mean: Array(repeating: mean, count: inputs),
                inverseDeviation: Array(repeating: 1.7, count: inputs), limit: 6))
    }

    @Test func theFirstLayerOnListsIsThatOnRowsWrittenOut() throws {
        var random = SeededRandom(seed: 4)
        let count = 9
        let inputs = 40
        let outputs = 33
        var lists = SparseRows(width: inputs)
        for _ in 0..<count {
            let present = (0..<inputs).filter { _ in random.uniform() < 0.2 }
            try lists.append(inputs: present, values: present.map { _ in Float(random.normal()) })
        }
        let normalisation = InputNormalisation(
            mean: (0..<inputs).map { _ in Float(random.normal()) },
            inverseDeviation: (0..<inputs).map { _ in Float(0.5 + random.uniform()) }, limit: 2)
        let weights = (0..<inputs * outputs).map { _ in Float(random.normal()) }
        let deltas = (0..<count * outputs).map { _ in Float(random.normal()) }
        let rows = NormalisedRows(lists, normalisation)
        var dense = lists.dense()
        normalisation.normalise(&dense)
        func zeros(_ output: Int) -> Float {
            (0..<inputs).reduce(0) { $0 + rows.zero[$1] * weights[$1 * outputs + output] }
        }
        var products = [Float](repeating: 0, count: count * outputs)
        rows.multiply(
            Array(0..<count)[...], by: weights, base: (0..<outputs).map { zeros($0) },
            into: &products)
        var gradients = [Float](repeating: 0, count: inputs * outputs)
        rows.addProducts(
            Array(0..<count)[...], deltas: deltas, outputs: outputs, to: &gradients)
        for output in 0..<outputs {
            for row in 0..<count {
                let sum = (0..<inputs).reduce(Float(0)) {
                    $0 + dense[row * inputs + $1] * weights[$1 * outputs + output]
                }
                #expect(abs(sum - products[row * outputs + output]) < 1e-4)
            }
            // What zeros contribute to the gradient is added for all rows at once.
            let ofZeros = (0..<count).reduce(Float(0)) { $0 + deltas[$1 * outputs + output] }
            for input in 0..<inputs {
                let sum = (0..<count).reduce(Float(0)) {
                    $0 + dense[$1 * inputs + input] * deltas[$1 * outputs + output]
                }
                let found = gradients[input * outputs + output] + ofZeros * rows.zero[input]
                #expect(abs(sum - found) < 1e-4)
            }
        }
    }

    @Test func anUntrainedNetworkReturnsThePrior() throws {
        var random = SeededRandom(seed: 1)
        var network = TrainableNetwork(sizes: [3, 8, 4], dropout: 0.5, random: &random)
        let prior: [Float] = [0.1, 0.2, 0.3, 0.4].map { log($0) }
        let rows = try Self.rows(1, inputs: 3, mean: 0, &random)
        let found = network.probabilities(inputs: rows, rows: [0], prior: prior)
        for (a, b) in zip(found, [Float(0.1), 0.2, 0.3, 0.4]) { #expect(abs(a - b) < 1e-6) }
    }
}
