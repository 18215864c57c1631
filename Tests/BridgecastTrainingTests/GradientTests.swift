// Gradients against finite differences, and what an untrained network says.
import BridgecastEngine
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct GradientTests {
    /// Targets that add up to 1, and targets that leave open which of the later bins it is.
    @Test(arguments: [1, 0.6] as [Float])
    func gradientsAgreeWithFiniteDifferences(sumOfTargets: Float) {
        var random = SeededRandom(seed: 11)
        let (rows, inputs, bins) = (6, 5, 4)
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
        let x = (0..<rows * inputs).map { _ in Float(random.normal()) }
        let prior = (0..<rows * bins).map { _ in Float(random.normal()) }
        let targets = (0..<rows).flatMap { _ -> [Float] in
            let raw = (0..<bins).map { _ in Float(random.uniform()) }
            return raw.map { sumOfTargets * $0 / raw.reduce(0, +) }
        }
        _ = network.lossAndGradients(inputs: x, prior: prior, targets: targets, rows: rows)
        let gradients = network.gradients
        func loss(_ edit: (inout [DenseLayer]) -> Void) -> Double {
            var copy = network
            var layers = network.layers
            edit(&layers)
            copy.adopt(layers)
            return copy.lossAndGradients(inputs: x, prior: prior, targets: targets, rows: rows)
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

    @Test func anUntrainedNetworkReturnsThePrior() {
        var random = SeededRandom(seed: 1)
        var network = TrainableNetwork(sizes: [3, 8, 4], dropout: 0.5, random: &random)
        let prior: [Float] = [0.1, 0.2, 0.3, 0.4].map { log($0) }
        let found = network.probabilities(inputs: [1, -2, 3], prior: prior, rows: 1)
        for (a, b) in zip(found, [Float(0.1), 0.2, 0.3, 0.4]) { #expect(abs(a - b) < 1e-6) }
    }
}
