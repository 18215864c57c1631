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

    /// Probabilities of the bins for all rows, [B, K].
    package static func probabilities(
        of layers: [DenseLayer], on samples: PreparedSamples
    ) -> [Float] {
        var random = SeededRandom(seed: 0)
        var network = TrainableNetwork(
            sizes: [FeatureSchema.count] + layers.map(\.outputs), dropout: 0, random: &random)
        network.adopt(layers)
        var result: [Float] = []
        result.reserveCapacity(samples.count * DelayBins.count)
        for start in stride(from: 0, to: samples.count, by: 4096) {
            let rows = start..<min(start + 4096, samples.count)
            result += network.probabilities(
                inputs: samples.inputs.rows(rows, width: FeatureSchema.count),
                prior: samples.prior.rows(rows, width: DelayBins.count), rows: rows.count)
        }
        return result
    }

    /// Mean log loss of "blocked" over the rows that ask for it.
    private mutating func blockedLogLoss(on samples: PreparedSamples) -> Double {
        let probabilities = Self.probabilities(of: network.layers, on: samples)
        return Self.blockedLogLoss(probabilities, on: samples)
    }

    /// Mean log loss of "blocked" of forecasts [B, K] over the rows that ask for it.
    package static func blockedLogLoss(
        _ probabilities: [Float], on samples: PreparedSamples
    ) -> Double {
        var loss = 0.0
        var count = 0
        for row in 0..<samples.count where samples.isUnqueued[row] {
            let cell = row * DelayBins.count
            let none = Double(min(max(probabilities[cell], 1e-7), 1 - 1e-7))
            loss -= log(samples.targets[cell] == 1 ? none : 1 - none)
            count += 1
        }
        return loss / Double(max(count, 1))
    }

    private mutating func trainBatch(
        _ samples: PreparedSamples, _ rows: ArraySlice<Int>, learningRate: Float
    ) -> Double {
        let loss = network.lossAndGradients(
            inputs: samples.inputs.gathered(rows, width: FeatureSchema.count),
            prior: samples.prior.gathered(rows, width: DelayBins.count),
            targets: samples.targets.gathered(rows, width: DelayBins.count), rows: rows.count,
            random: SeededRandom(seed: random.next()))
        optimiser.update(
            &network.layers, gradients: network.gradients, learningRate: learningRate)
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
