// Trains one network: epochs over samples, their settings, and the optimiser.
private import BridgecastCore
package import BridgecastEngine
private import Dispatch
private import Foundation

package struct Trainer {
    private let settings: TrainingSettings
    private var network: TrainableNetwork
    private var optimiser: Adam
    private var random: SeededRandom
    private var step = 0

    /// Begins with an untrained network, which returns the prior; `seed` determines weights, row order and dropout.
    package init(_ settings: TrainingSettings, seed: UInt64) {
        self.settings = settings
        random = SeededRandom(seed: seed)
        network = TrainableNetwork(
            sizes: [FeatureSchema.count] + settings.hiddenSizes + [DelayBins.count],
            dropout: settings.dropout, random: &random)
        optimiser = Adam(weightDecay: settings.weightDecay)
    }

    package var layers: [DenseLayer] { network.layers }

    /// Runs one epoch, 1 to the settings' count, over rows in random order.
    ///
    /// There is no early stopping: the learning rate falls over all epochs, and validation rows have
    /// no influence on the weights.
    ///
    /// - Parameter validation: Rows of a later time, to report on.
    package mutating func run(
        epoch: Int, on samples: PreparedSamples, validation: PreparedSamples?
    ) -> EpochReport {
        var order = Array(0..<samples.count)
        order.shuffle(using: &random)
        let batches = max(1, samples.count / settings.batchRows)
        var loss = 0.0
        for batch in 0..<batches {
            let rows = order[batch * order.count / batches..<(batch + 1) * order.count / batches]
            let done = Double(epoch - 1) + Double(batch) / Double(batches)
            loss += trainBatch(samples, rows, learningRate: rate(done / Double(settings.epochs)))
        }
        return EpochReport(
            epoch: epoch, epochs: settings.epochs, trainingLoss: loss / Double(batches),
            validationLoss: validation.map { blockedLogLoss(on: $0) })
    }

    /// Probabilities of the delay bins for all rows, [B, K], without dropout.
    func probabilities(on samples: PreparedSamples) -> [Float] {
        var network = network
        var result: [Float] = []
        result.reserveCapacity(samples.count * DelayBins.count)
        for start in stride(from: 0, to: samples.count, by: Self.rowsAtOnce) {
            let rows = start..<min(start + Self.rowsAtOnce, samples.count)
            let cells = rows.lowerBound * DelayBins.count..<rows.upperBound * DelayBins.count
            result += network.probabilities(
                inputs: samples.inputs, rows: Array(rows), prior: Array(samples.prior[cells]))
        }
        return result
    }

    /// Mean log loss over the rows that ask for "blocked".
    private mutating func blockedLogLoss(on samples: PreparedSamples) -> Double {
        let unqueued = (0..<samples.count).filter { samples.isUnqueued[$0] }
        var loss = 0.0
        for start in stride(from: 0, to: unqueued.count, by: Self.rowsAtOnce) {
            let rows = unqueued[start..<min(start + Self.rowsAtOnce, unqueued.count)]
            let probabilities = network.probabilities(
                inputs: samples.inputs, rows: Array(rows),
                prior: samples.prior.gathered(rows, width: DelayBins.count))
            for (index, row) in rows.enumerated() {
                let none = probabilities[index * DelayBins.count]
                loss += EventScores.logLoss(1 - none, samples.isDelayed(row))
            }
        }
        return loss / Double(max(unqueued.count, 1))
    }

    /// Mean log loss of the prior alone over the rows that ask for "blocked".
    package static func priorLogLoss(on samples: PreparedSamples) -> Double {
        let unqueued = (0..<samples.count).filter { samples.isUnqueued[$0] }
        let loss = unqueued.reduce(0) { loss, row in
            let logits = samples.prior[row * DelayBins.count..<(row + 1) * DelayBins.count]
            let none = exp(logits[logits.startIndex]) / logits.reduce(0) { $0 + exp($1) }
            return loss + EventScores.logLoss(1 - none, samples.isDelayed(row))
        }
        return loss / Double(max(unqueued.count, 1))
    }

    /// Rows of one forward pass.
    private static let rowsAtOnce = 4096

    private mutating func trainBatch(
        _ samples: PreparedSamples, _ rows: ArraySlice<Int>, learningRate: Float
    ) -> Double {
        let loss = network.lossAndGradients(
            inputs: samples.inputs, rows: Array(rows),
            prior: samples.prior.gathered(rows, width: DelayBins.count),
            targets: samples.targets.gathered(rows, width: DelayBins.count),
            random: SeededRandom(seed: random.next()))
        optimiser.update(&network, learningRate: learningRate)
        return loss
    }

    /// The learning rate after a share of all steps.
    private mutating func rate(_ progress: Double) -> Float {
        step += 1
        let share = 0.05 + 0.95 * 0.5 * (1 + cos(Double.pi * progress))
        let warmUp = min(1, Double(step) / 200)
        return settings.learningRate * Float(share * warmUp)
    }
}

package struct TrainingSettings: Sendable {
    package var hiddenSizes = [256, 128]
    package var batchRows = 1024
    /// Epochs, each over newly sampled rows.
    package var epochs = 5
    /// Learning rate at the start; it falls to a twentieth along a cosine.
    package var learningRate: Float = 1e-3
    package var weightDecay: Float = 1e-3
    /// Share of hidden activations that are dropped.
    package var dropout: Float = 0

    /// The defaults of `bridgecast train`.
    package init() {}
}

package struct EpochReport: Sendable {
    /// 1...`epochs`.
    package let epoch: Int
    package let epochs: Int
    /// Mean cross-entropy of the delay bins over the epoch's mini-batches, nats a row, each before its update.
    package let trainingLoss: Double
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
}

/// Adam with decoupled weight decay (Kingma and Ba, 2015; Loshchilov and Hutter, 2019).
package struct Adam: Sendable {
    private static let firstDecay: Float = 0.9
    private static let secondDecay: Float = 0.999
    private static let epsilon: Float = 1e-8
    /// Fewer parameters than this are updated by one thread.
    private static let minCountForThreads = 1 << 16

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
                // Biases, at odd indices, do not decay.
                decay: slot % 2 == 0 ? weightDecay : 0,
                firstCorrection: 1 / (1 - pow(Self.firstDecay, Float(step))),
                secondCorrection: 1 / (1 - pow(Self.secondDecay, Float(step))))
            rule.apply(
                to: &network.parameters[slot], gradients: network.summedGradients[slot],
                firsts: &firstMoments[slot], seconds: &secondMoments[slot])
        }
    }

    private struct Rule {
        let learningRate: Float
        let decay: Float
        let firstCorrection: Float
        let secondCorrection: Float

        /// Updates every parameter, also those without gradient in the mini-batch: their moments decay.
        func apply(
            to values: inout [Float], gradients: [Float], firsts: inout [Float],
            seconds: inout [Float]
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
                            let parts = count < Adam.minCountForThreads ? 1 : Halves.count
                            DispatchQueue.concurrentPerform(iterations: parts) { part in
                                unsafe update(
                                    values, part * count / parts..<(part + 1) * count / parts,
                                    gradients: gradients, firsts: firsts, seconds: seconds)
                            }
                        }
                    }
                }
            }
        }

        private func update(
            _ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>,
            gradients: UnsafeBufferPointer<Float>, firsts: UnsafeMutableBufferPointer<Float>,
            seconds: UnsafeMutableBufferPointer<Float>
        ) {
            for i in range {
                let gradient = unsafe gradients[i]
                let first = unsafe Adam.firstDecay * firsts[i] + (1 - Adam.firstDecay) * gradient
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

/// Divides work among two cores, in halves or by the elements of an array.
enum Halves {
    static let count = 2

    /// Half of a range of numbers.
    static func part(_ half: Int, of count: Int) -> Range<Int> {
        half * count / Self.count..<(half + 1) * count / Self.count
    }

    /// Works on the elements at once; returns when all are done.
    static func forEach<Element>(
        _ elements: inout [Element], _ work: @Sendable (inout Element, Int) -> Void
    ) {
        unsafe elements.withUnsafeMutableBufferPointer { elements in
            // Each element is the work of one thread, and all are done when concurrentPerform returns.
            nonisolated(unsafe) let elements = unsafe elements
            unsafe DispatchQueue.concurrentPerform(iterations: elements.count) { index in
                unsafe work(&elements[index], index)
            }
        }
    }

    /// Works on both halves of an array at once.
    static func forEach(
        _ values: inout [Float], _ work: @Sendable (inout MutableSpan<Float>, Range<Int>) -> Void
    ) {
        unsafe values.withUnsafeMutableBufferPointer { values in
            nonisolated(unsafe) let values = unsafe values
            DispatchQueue.concurrentPerform(iterations: count) { half in
                let range = unsafe part(half, of: values.count)
                var span = unsafe UnsafeMutableBufferPointer(rebasing: values[range]).mutableSpan
                work(&span, range)
            }
        }
    }
}
