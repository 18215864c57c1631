// One training run: epochs over samples, with early stopping on samples from a later time.
private import BridgecastCore
package import BridgecastEngine
private import Foundation

/// Settings of a training run.
package struct TrainingSettings: Sendable {
    /// Sizes of the hidden layers.
    package var hiddenSizes = [128, 64]
    /// Rows of a mini-batch.
    package var batchRows = 1024
    /// The most passes over the samples.
    package var epochs = 12
    /// Epochs without a better validation loss after which training stops.
    package var patience = 3
    /// Learning rate at the start; it falls to a twentieth along a cosine.
    package var learningRate: Float = 1e-3
    /// Decoupled weight decay.
    package var weightDecay: Float = 1e-2
    /// Share of hidden activations switched off.
    package var dropout: Float = 0.1

    package init() {}
}

/// What a training run reports after each epoch.
package struct EpochReport: Sendable {
    package let epoch: Int
    package let epochs: Int
    package let trainingLoss: Double
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
}

/// Trains one network.
package struct Trainer {
    private let settings: TrainingSettings
    private var network: TrainableNetwork
    private var optimiser: Adam
    private var random: SeededRandom

    package init(_ settings: TrainingSettings, seed: UInt64) {
        self.settings = settings
        random = SeededRandom(seed: seed)
        network = TrainableNetwork(
            sizes: [FeatureSchema.count] + settings.hiddenSizes + [DelayBins.count],
            dropout: settings.dropout, random: &random)
        optimiser = Adam(weightDecay: settings.weightDecay)
    }

    /// Trains and returns the layers of the best epoch, and which epoch that was.
    ///
    /// - Parameters:
    ///   - validation: Rows of a later time; without them all epochs are run and the last is best.
    ///   - report: Called after each epoch.
    package mutating func train(
        on samples: PreparedSamples, validation: PreparedSamples?,
        report: (EpochReport) -> Void = { _ in }
    ) -> (layers: [DenseLayer], bestEpoch: Int, validationLoss: Double?) {
        var best = (layers: network.layers, epoch: 0, loss: Double.infinity)
        var order = Array(0..<samples.count)
        let batchesPerEpoch = max(1, samples.count / settings.batchRows)
        let totalSteps = batchesPerEpoch * settings.epochs
        for epoch in 1...settings.epochs {
            order.shuffle(using: &random)
            var loss = 0.0
            for batch in 0..<batchesPerEpoch {
                let step = (epoch - 1) * batchesPerEpoch + batch
                loss += trainBatch(
                    samples,
                    order[
                        batch * order.count / batchesPerEpoch..<(batch + 1) * order.count
                            / batchesPerEpoch],
                    learningRate: rate(step, of: totalSteps))
            }
            let validationLoss = validation.map { blockedLogLoss(on: $0) }
            report(
                EpochReport(
                    epoch: epoch, epochs: settings.epochs,
                    trainingLoss: loss / Double(batchesPerEpoch), validationLoss: validationLoss))
            guard let validationLoss else {
                best = (network.layers, epoch, .infinity)
                continue
            }
            if validationLoss < best.loss { best = (network.layers, epoch, validationLoss) }
            if epoch - best.epoch >= settings.patience { break }
        }
        return (best.layers, best.epoch, best.loss.isFinite ? best.loss : nil)
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

    private func rate(_ step: Int, of steps: Int) -> Float {
        let progress = Double(step) / Double(steps)
        let share = 0.05 + 0.95 * 0.5 * (1 + cos(Double.pi * progress))
        let warmUp = min(1, Double(step + 1) / 200)
        return settings.learningRate * Float(share * warmUp)
    }
}
