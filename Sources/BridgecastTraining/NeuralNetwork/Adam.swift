// The optimiser: Adam with decoupled weight decay.
package import BridgecastEngine
private import Foundation

/// Adam with decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
package struct Adam: Sendable {
    private static let firstDecay: Float = 0.9
    private static let secondDecay: Float = 0.999
    private static let epsilon: Float = 1e-8

    private let weightDecay: Float
    private var step = 0
    private var firstMoments: [[Float]] = []
    private var secondMoments: [[Float]] = []

    /// Starts at step 0; weights, not biases, decay by learning rate times `weightDecay` in each step.
    package init(weightDecay: Float) { self.weightDecay = weightDecay }

    /// Moves layers against their gradients.
    package mutating func update(
        _ layers: inout [DenseLayer], gradients: [DenseLayer], learningRate: Float
    ) {
        if firstMoments.isEmpty {
            firstMoments = layers.flatMap { [$0.weights, $0.bias] }.map { $0.map { _ in 0 } }
            secondMoments = firstMoments
        }
        step += 1
        for index in layers.indices {
            update(
                &layers[index].weights, gradients[index].weights, slot: 2 * index, learningRate,
                decay: weightDecay)
            update(
                &layers[index].bias, gradients[index].bias, slot: 2 * index + 1, learningRate,
                decay: 0)
        }
    }

    private mutating func update(
        _ values: inout [Float], _ gradients: [Float], slot: Int, _ learningRate: Float,
        decay: Float
    ) {
        let firstCorrection = 1 / (1 - pow(Self.firstDecay, Float(step)))
        let secondCorrection = 1 / (1 - pow(Self.secondDecay, Float(step)))
        for i in values.indices {
            let gradient = gradients[i]
            let first = Self.firstDecay * firstMoments[slot][i] + (1 - Self.firstDecay) * gradient
            let second =
                Self.secondDecay * secondMoments[slot][i]
                + (1 - Self.secondDecay) * gradient * gradient
            firstMoments[slot][i] = first
            secondMoments[slot][i] = second
            let stepSize =
                first * firstCorrection / ((second * secondCorrection).squareRoot() + Self.epsilon)
            values[i] -= learningRate * (stepSize + decay * values[i])
        }
    }
}
