// The optimiser: Adam with decoupled weight decay.
private import Dispatch
private import Foundation

/// Adam with decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
package struct Adam: Sendable {
    private static let firstDecay: Float = 0.9
    private static let secondDecay: Float = 0.999
    private static let epsilon: Float = 1e-8
    /// Fewer parameters are not worth a second thread.
    private static let leastToHalve = 1 << 16

    private let weightDecay: Float
    private var step = 0
    private var firstMoments: [[Float]] = []
    private var secondMoments: [[Float]] = []

    /// Starts at step 0; weights, not biases, decay by learning rate times `weightDecay` in each step.
    package init(weightDecay: Float) { self.weightDecay = weightDecay }

    /// Moves a network against the gradients of its last backward pass.
    package mutating func update(_ network: inout TrainableNetwork, learningRate: Float) {
        if firstMoments.isEmpty {
            firstMoments = network.parameters.map { $0.map { _ in 0 } }
            secondMoments = firstMoments
        }
        step += 1
        for slot in network.parameters.indices {
            let rule = Rule(
                learningRate: learningRate,
                // Weights and biases by turns.
                decay: slot % 2 == 0 ? weightDecay : 0,
                firstCorrection: 1 / (1 - pow(Self.firstDecay, Float(step))),
                secondCorrection: 1 / (1 - pow(Self.secondDecay, Float(step))))
            rule.apply(
                to: &network.parameters[slot], network.summedGradients[slot],
                &firstMoments[slot], &secondMoments[slot])
        }
    }

    private struct Rule {
        let learningRate: Float
        let decay: Float
        let firstCorrection: Float
        let secondCorrection: Float

        /// Moves every parameter, whether its input was in the mini-batch or not: moments decay all the same.
        func apply(
            to values: inout [Float], _ gradients: [Float], _ firsts: inout [Float],
            _ seconds: inout [Float]
        ) {
            let count = values.count
            precondition(
                gradients.count == count && firsts.count == count && seconds.count == count)
            unsafe values.withUnsafeMutableBufferPointer { values in
                unsafe firsts.withUnsafeMutableBufferPointer { firsts in
                    unsafe seconds.withUnsafeMutableBufferPointer { seconds in
                        unsafe gradients.withUnsafeBufferPointer { gradients in
                            nonisolated(unsafe) let (values, gradients) = unsafe (values, gradients)
                            nonisolated(unsafe) let (firsts, seconds) = unsafe (firsts, seconds)
                            // Every parameter belongs to one thread.
                            let parts = count < Adam.leastToHalve ? 1 : Halves.count
                            DispatchQueue.concurrentPerform(iterations: parts) { part in
                                unsafe move(
                                    part * count / parts..<(part + 1) * count / parts, values,
                                    gradients, firsts, seconds)
                            }
                        }
                    }
                }
            }
        }

        private func move(
            _ range: Range<Int>, _ values: UnsafeMutableBufferPointer<Float>,
            _ gradients: UnsafeBufferPointer<Float>, _ firsts: UnsafeMutableBufferPointer<Float>,
            _ seconds: UnsafeMutableBufferPointer<Float>
        ) {
            for i in range {
                let gradient = unsafe gradients[i]
                let first =
                    unsafe Adam.firstDecay * firsts[i] + (1 - Adam.firstDecay) * gradient
                let second =
                    unsafe Adam.secondDecay * seconds[i]
                    + (1 - Adam.secondDecay) * gradient * gradient
                unsafe firsts[i] = first
                unsafe seconds[i] = second
                let stepSize =
                    first * firstCorrection
                    / ((second * secondCorrection).squareRoot() + Adam.epsilon)
                unsafe values[i] -= learningRate * (stepSize + decay * values[i])
            }
        }
    }
}
