// One training run of the network: epochs over samples.
private import BridgecastCore
package import BridgecastEngine
private import Foundation

/// Trains one network.
package struct Trainer {
    private let settings: TrainingSettings
    private var network: TrainableNetwork
    private var optimiser: Adam
    private var random: SeededRandom
    private var step = 0

    /// Begins with an untrained network, which returns the prior; `seed` fixes weights, row order and dropout.
    package init(_ settings: TrainingSettings, seed: UInt64) {
        self.settings = settings
        random = SeededRandom(seed: seed)
        network = TrainableNetwork(
            sizes: [FeatureSchema.count] + settings.hiddenSizes + [DelayBins.count],
            dropout: settings.dropout, random: &random)
        optimiser = Adam(weightDecay: settings.weightDecay)
    }

    /// The layers as they are now.
    package var layers: [DenseLayer] { network.layers }

    /// Runs one epoch, 1 to the settings' count, over rows in random order.
    ///
    /// There is no early stopping: the learning rate falls to its end over all epochs, and no
    /// validation rows have a say in the weights.
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
            let rows =
                order[batch * order.count / batches..<(batch + 1) * order.count / batches]
            let done = Double(epoch - 1) + Double(batch) / Double(batches)
            loss += trainBatch(samples, rows, learningRate: rate(done / Double(settings.epochs)))
        }
        return EpochReport(
            epoch: epoch, epochs: settings.epochs, trainingLoss: loss / Double(batches),
            validationLoss: validation.map { blockedLogLoss(on: $0) })
    }

    /// Probabilities of the delay bins for all rows, [B, K], no activation switched off.
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

    /// Mean log loss of "blocked" over the rows that ask for it.
    private mutating func blockedLogLoss(on samples: PreparedSamples) -> Double {
        let asked = (0..<samples.count).filter { samples.isUnqueued[$0] }
        var loss = 0.0
        for start in stride(from: 0, to: asked.count, by: Self.rowsAtOnce) {
            let rows = asked[start..<min(start + Self.rowsAtOnce, asked.count)]
            let probabilities = network.probabilities(
                inputs: samples.inputs, rows: Array(rows),
                prior: samples.prior.gathered(rows, width: DelayBins.count))
            for (place, row) in rows.enumerated() {
                let none = probabilities[place * DelayBins.count]
                loss += EventScores.logLoss(1 - none, samples.isDelayed(row))
            }
        }
        return loss / Double(max(asked.count, 1))
    }

    /// Mean log loss of "blocked" of the prior alone over the rows that ask for it.
    package static func priorLogLoss(on samples: PreparedSamples) -> Double {
        let asked = (0..<samples.count).filter { samples.isUnqueued[$0] }
        let loss = asked.reduce(0) { loss, row in
            let logits = samples.prior[row * DelayBins.count..<(row + 1) * DelayBins.count]
            let none = exp(logits[logits.startIndex]) / logits.reduce(0) { $0 + exp($1) }
            return loss + EventScores.logLoss(1 - none, samples.isDelayed(row))
        }
        return loss / Double(max(asked.count, 1))
    }

    /// Rows that a forecast is made for at once.
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
