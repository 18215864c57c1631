// From records to a model file: the whole of `bridgecast train`, in the order it happens.
package import BridgecastCore
package import BridgecastEngine

/// What a training is made of.
package struct TrainingPlan: Sendable {
    /// All records that may be used.
    package var history: OpeningHistory
    /// The fit uses nothing from this moment on while it chooses when to stop.
    package var validationFrom: Timestamp
    /// Issue times of the validation end here.
    package var validationTo: Timestamp
    /// Whether to fit again to everything up to `validationTo`, through the whole schedule.
    package var refitsOnAll = false
    /// Networks that are trained and averaged into the targets of the one that ships; 1 for none.
    package var teachers = 4
    /// Mean minutes between the issue times of training rows.
    package var minutesBetweenIssueTimes = 2.0
    /// Settings of each network.
    package var settings = TrainingSettings()
    /// Seed of all random numbers.
    package var seed: UInt64 = 1

    package init(history: OpeningHistory, validationFrom: Timestamp, validationTo: Timestamp) {
        self.history = history
        self.validationFrom = validationFrom
        self.validationTo = validationTo
    }
}

/// Something to tell the person who waits.
package enum TrainingProgress: Sendable {
    case sampled(trainingRows: Int, validationRows: Int)
    case epoch(network: String, EpochReport)
    case finished(network: String, bestEpoch: Int, validationLoss: Double?)
}

/// The outcome of a training: what a model file is written from.
package struct TrainedModel: Sendable {
    /// No record from this moment on was used for the fit.
    package let fittedBefore: Timestamp
    /// Layers, normalisation and climatology; provenance is filled in by the caller.
    package let layers: [DenseLayer]
    package let normalisation: InputNormalisation
    package let climatology: Climatology
    /// Steps of the activations for int8.
    package let calibration: ActivationCalibration
    /// Log loss of "blocked" on the validation rows of the fit that was validated.
    package let validationLoss: Double
    /// The same of the climatological prior alone.
    package let priorValidationLoss: Double
    /// The epoch whose weights these are.
    package let epochs: Int
}

/// Runs a training plan.
package struct ModelTraining: Sendable {
    private let plan: TrainingPlan
    private let progress: @Sendable (TrainingProgress) -> Void

    package init(
        _ plan: TrainingPlan, progress: @escaping @Sendable (TrainingProgress) -> Void
    ) {
        self.plan = plan
        self.progress = progress
    }

    /// Samples, trains, distils, and refits if the plan says so.
    ///
    /// - Returns: The model that has seen nothing of the validation period and, if the plan says
    ///   so, the one refitted to everything.
    package func run() async -> (validated: TrainedModel, refitted: TrainedModel?) {
        BLAS.useOneThread()
        let past = plan.history.before(plan.validationFrom)
        let chosen = await fit(to: past, validates: true)
        let validated = chosen.model(choice: chosen, fittedBefore: plan.validationFrom)
        guard plan.refitsOnAll else { return (validated, nil) }
        let all = plan.history.before(plan.validationTo)
        // The whole schedule again: the loss is flat at its end, and a schedule that is cut to the
        // best epoch of another anneals too early (skill 0.129 instead of 0.133 when tried).
        let refitted = await fit(to: all, validates: false)
        return (validated, refitted.model(choice: chosen, fittedBefore: plan.validationTo))
    }

    private struct Fit {
        let layers: [DenseLayer]
        let normalisation: InputNormalisation
        let climatology: Climatology
        let calibration: ActivationCalibration
        let epochs: Int
        let validationLoss: Double?
        let priorValidationLoss: Double?

        func model(choice: Fit, fittedBefore: Timestamp) -> TrainedModel {
            TrainedModel(
                fittedBefore: fittedBefore, layers: layers, normalisation: normalisation,
                climatology: climatology,
                calibration: calibration, validationLoss: choice.validationLoss ?? .nan,
                priorValidationLoss: choice.priorValidationLoss ?? .nan, epochs: epochs)
        }
    }

    private func fit(to history: OpeningHistory, validates: Bool) async -> Fit {
        var random = SeededRandom(seed: plan.seed)
        let climatology = Climatology(ClimatologyCounts(history))
        let samples = Sampler(trainingOn: history).trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes, random: &random)
        let normalisation = InputNormalisation(of: samples)
        let calibrationRows = samples.batch.spread(rows: 8_192)
        let validation = validates ? validationSamples(climatology, normalisation) : nil
        progress(.sampled(trainingRows: samples.count, validationRows: validation?.count ?? 0))
        var prepared = PreparedSamples(samples, normalisation)
        if plan.teachers > 1 {
            await teach(&prepared, plan.settings, validation)
        }
        var trainer = Trainer(plan.settings, seed: plan.seed &+ 1_000)
        let result = trainer.train(on: prepared, validation: validation) {
            progress(.epoch(network: "network", $0))
        }
        progress(
            .finished(
                network: "network", bestEpoch: result.bestEpoch,
                validationLoss: result.validationLoss))
        return Fit(
            layers: result.layers, normalisation: normalisation, climatology: climatology,
            calibration: ActivationCalibration(
                result.layers, normalisation, rows: calibrationRows),
            epochs: result.bestEpoch, validationLoss: result.validationLoss,
            priorValidationLoss: validation.map { Trainer.priorLogLoss(on: $0) })
    }

    private func validationSamples(
        _ climatology: Climatology, _ normalisation: InputNormalisation
    ) -> PreparedSamples {
        let sampler = Sampler(
            validatingOn: plan.history.before(plan.validationTo), climatology: climatology)
        return PreparedSamples(
            sampler.protocolRows(in: plan.validationFrom..<plan.validationTo), normalisation)
    }

    /// Trains the teachers, two at a time, and replaces the targets by the mean of what happened
    /// and what the teachers say.
    private func teach(
        _ samples: inout PreparedSamples, _ settings: TrainingSettings,
        _ validation: PreparedSamples?
    ) async {
        let (plan, progress, prepared) = (plan, progress, samples)
        var sum = [Float](repeating: 0, count: samples.targets.count)
        for pair in stride(from: 0, to: plan.teachers, by: 2) {
            let members = pair..<min(pair + 2, plan.teachers)
            await withTaskGroup(of: (Int, [Float]).self) { group in
                for member in members {
                    group.addTask {
                        var trainer = Trainer(settings, seed: plan.seed &+ UInt64(member) &+ 1)
                        let name = "teacher \(member + 1)"
                        let result = trainer.train(on: prepared, validation: validation) {
                            progress(.epoch(network: name, $0))
                        }
                        progress(
                            .finished(
                                network: name, bestEpoch: result.bestEpoch,
                                validationLoss: result.validationLoss))
                        return (member, Trainer.probabilities(of: result.layers, on: prepared))
                    }
                }
                // Sums in the order of the members, so that the result does not depend on timing.
                var results: [Int: [Float]] = [:]
                for await (member, probabilities) in group { results[member] = probabilities }
                for member in members {
                    guard let probabilities = results[member] else { continue }
                    for i in sum.indices { sum[i] += probabilities[i] }
                }
            }
        }
        let share: Float = 0.7
        let scale = share / Float(plan.teachers)
        for i in sum.indices {
            samples.targets[i] = (1 - share) * samples.targets[i] + scale * sum[i]
        }
    }
}

extension Trainer {
    /// Log loss of "blocked" of the prior alone.
    package static func priorLogLoss(on samples: PreparedSamples) -> Double {
        let layers = [
            DenseLayer(
                inputs: FeatureSchema.count, outputs: DelayBins.count,
                weights: Array(repeating: 0, count: FeatureSchema.count * DelayBins.count),
                bias: Array(repeating: 0, count: DelayBins.count), hasReLU: false)
        ]
        return blockedLogLoss(probabilities(of: layers, on: samples), on: samples)
    }
}
