// From records to a model file: the whole of `bridgecast train`, in the order it happens.
// Belongs here: the training as a whole; its parts are in the folders beside it.
package import BridgecastCore
private import BridgecastEngine
private import Foundation

/// Runs a training plan.
package struct ModelTraining: Sendable {
    private let plan: TrainingPlan
    private let progress: @Sendable (TrainingProgress) -> Void

    /// Prepares a plan; `progress` is called as it goes, possibly from two tasks at once.
    package init(
        _ plan: TrainingPlan, progress: @escaping @Sendable (TrainingProgress) -> Void = { _ in }
    ) {
        self.plan = plan
        self.progress = progress
    }

    /// Fits to what lies before the validation period, and to everything if the plan says so.
    ///
    /// - Returns: The model that has seen nothing of the validation period and, if the plan says
    ///   so, the one refitted to everything by the same recipe.
    package func run() async -> (validated: TrainedModel, refitted: TrainedModel?) {
        let validated = await fit(before: plan.validationFrom, validates: true)
        guard plan.refitsOnAll else { return (validated, nil) }
        return (validated, await fit(before: plan.validationTo, validates: false))
    }

    /// Fits to the records before a moment.
    ///
    /// Teachers are fitted first; then the network learns what they say about fresh rows in each epoch.
    ///
    /// - Parameter validates: Whether to report log losses on the plan's validation period.
    package func fit(before end: Timestamp, validates: Bool) async -> TrainedModel {
        let history = (validates ? plan.history : plan.refitHistory ?? plan.history).before(end)
        let climatology = Self.climatology(of: history)
        let sampler = Sampler(trainingOn: history, lengthLaw: climatology.lengthLaw)
        let validationRows = validates ? validationSamples(climatology) : nil
        let first = networkRows(sampler, epoch: 1)
        let moments = first.inputMoments()
        let normalisation = InputNormalisation(moments)
        let teachers = await Teachers(
            plan, sampler, normalisation, validation: validationRows, progress)
        let calibrationRows = first.batch.spread(rows: 8_192)
        let validation = validationRows.map { PreparedSamples($0, normalisation) }
        var trainer = Trainer(plan.settings, seed: plan.seed &+ 1_000)
        var validationLoss: Double?
        // While one epoch is learned, the rows of the next are made on the other core.
        var upcoming = Task { prepared(first, normalisation, teachers) }
        for epoch in 1...plan.settings.epochs {
            let samples = await upcoming.value
            if epoch < plan.settings.epochs {
                upcoming = Task {
                    prepared(networkRows(sampler, epoch: epoch + 1), normalisation, teachers)
                }
            }
            let report = trainer.run(epoch: epoch, on: samples, validation: validation)
            validationLoss = report.validationLoss
            progress(.epoch(report))
        }
        var layers = trainer.layers
        layers[0] = layers[0].withoutUntaught(moments.deviation)
        return TrainedModel(
            fittedBefore: end, layers: layers, normalisation: normalisation,
            climatology: climatology,
            calibration: ActivationCalibration(layers, normalisation, rows: calibrationRows),
            validationLoss: validationLoss,
            priorValidationLoss: validation.map { Trainer.priorLogLoss(on: $0) })
    }

    /// The climatology of records, with the law of lengths fitted to them: what a network's prior is made of.
    package static func climatology(of history: OpeningHistory) -> Climatology {
        var climatology = Climatology(ClimatologyCounts(history))
        climatology.lengthLaw = LengthFit.law(of: history)
        return climatology
    }

    private func networkRows(_ sampler: Sampler, epoch: Int) -> SampleSet {
        var random = SeededRandom(seed: plan.seed &+ 2_000 &+ UInt64(epoch))
        return sampler.trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes,
            inputs: plan.teachers > 0 ? .both : .network, random: &random)
    }

    private func prepared(
        _ samples: SampleSet, _ normalisation: InputNormalisation,
        _ teachers: Teachers?
    ) -> PreparedSamples {
        teachers?.taught(samples, normalisation) ?? PreparedSamples(samples, normalisation)
    }

    private func validationSamples(_ climatology: Climatology) -> SampleSet {
        Sampler(validatingOn: plan.history.before(plan.validationTo), climatology: climatology)
            .protocolRows(
                in: plan.validationFrom..<plan.validationTo,
                inputs: plan.teachers > 0 ? .both : .network)
    }
}
