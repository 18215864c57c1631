// Networks that learn what happened itself; with the other Teachers they teach the one that ships.
private import BridgecastCore
internal import BridgecastEngine

/// Networks of the same shape as the one that ships, each from weights and an order of rows of its own.
///
/// What happened is noisy, so they see few epochs, with many activations switched off. Their mean is better than each,
/// and the mean with trees and the additive form is better still.
struct NetworkTeachers: Sendable {
    private let trainers: [Trainer]

    /// Trains them on rows of their own, the same for all.
    init(_ plan: TrainingPlan, _ sampler: Sampler, _ normalisation: InputNormalisation) {
        var settings = plan.networkTeacherSettings
        settings.hiddenSizes = plan.settings.hiddenSizes
        var trainers = (0..<plan.networkTeachers).map {
            Trainer(settings, seed: plan.seed &+ 3_000 &+ UInt64($0))
        }
        for epoch in 1...settings.epochs {
            var random = SeededRandom(seed: plan.seed &+ 4_000 &+ UInt64(epoch))
            let samples = PreparedSamples(
                sampler.trainingRows(
                    everyMinutes: plan.minutesBetweenIssueTimes, random: &random),
                normalisation)
            for index in trainers.indices {
                _ = trainers[index].run(epoch: epoch, on: samples, validation: nil)
            }
        }
        self.trainers = trainers
    }

    /// Probabilities of the delay bins, the mean over the networks, [B, K].
    func probabilities(_ samples: PreparedSamples) -> [Float] {
        var sum = [Float](repeating: 0, count: samples.count * DelayBins.count)
        for trainer in trainers {
            for (cell, probability) in trainer.probabilities(on: samples).enumerated() {
                sum[cell] += probability / Float(trainers.count)
            }
        }
        return sum
    }
}
