// The training as a whole, from records to what a model file is written from, in the order that it happens.
package import BridgecastCore
package import BridgecastEngine
private import Foundation

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

    /// Fits to the records before the validation period, and again to all of them if the plan says so.
    ///
    /// - Returns: The model that has seen nothing of the validation period and, if the plan says
    ///   so, the one refitted to everything by the same recipe.
    package func run() async -> (validated: TrainedModel, refitted: TrainedModel?) {
        let validated = await fit(before: plan.validationFrom, validates: true)
        guard plan.refitsOnAll else { return (validated, nil) }
        return (validated, await fit(before: plan.validationTo, validates: false))
    }

    /// Fits to the records before a time.
    ///
    /// Teachers are fitted first; then the network learns their forecasts of fresh rows in each epoch.
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
            plan, sampler: sampler, normalisation: normalisation, validation: validationRows,
            progress)
        let calibrationRows = first.batch.spread(rows: 8_192)
        let validation = validationRows.map { PreparedSamples($0, normalisation) }
        var trainer = Trainer(plan.settings, seed: plan.seed &+ 1_000)
        var validationLoss: Double?
        func prepared(_ samples: SampleSet) -> PreparedSamples {
            teachers?.softened(samples, normalisation) ?? PreparedSamples(samples, normalisation)
        }
        // While one epoch is learned, the rows of the next are made on the other core.
        var upcoming = Task { prepared(first) }
        for epoch in 1...plan.settings.epochs {
            let samples = await upcoming.value
            if epoch < plan.settings.epochs {
                upcoming = Task { prepared(networkRows(sampler, epoch: epoch + 1)) }
            }
            let report = trainer.run(epoch: epoch, on: samples, validation: validation)
            validationLoss = report.validationLoss
            progress(.epoch(report))
        }
        var layers = trainer.layers
        layers[0] = layers[0].withoutConstantInputs(moments.deviation)
        return TrainedModel(
            fittedBefore: end, layers: layers, normalisation: normalisation,
            climatology: climatology,
            calibration: ActivationCalibration(layers, normalisation, rows: calibrationRows),
            validationLoss: validationLoss,
            priorValidationLoss: validation.map { Trainer.priorLogLoss(on: $0) })
    }

    /// The climatology of records, with the law of lengths fitted to them: the prior of a network.
    package static func climatology(of history: OpeningHistory) -> Climatology {
        var climatology = Climatology(ClimatologyCounts(history))
        climatology.lengthLaw = LengthFit.law(of: history)
        return climatology
    }

    private func networkRows(_ sampler: Sampler, epoch: Int) -> SampleSet {
        var random = SeededRandom(seed: plan.seed &+ 2_000 &+ UInt64(epoch))
        return sampler.trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes, inputs: inputs, random: &random)
    }

    private var inputs: SampleSet.Inputs { plan.teachers > 0 ? .both : .network }

    private func validationSamples(_ climatology: Climatology) -> SampleSet {
        Sampler(validatingOn: plan.history.before(plan.validationTo), climatology: climatology)
            .protocolRows(in: plan.validationFrom..<plan.validationTo, inputs: inputs)
    }
}

/// The records and settings of a training.
package struct TrainingPlan: Sendable {
    package static let defaultTeachers = 2
    package static let defaultBoostingPasses = 13
    package static let defaultUndelayedShare = 0.25
    package static let defaultMinutesBetweenIssueTimes = 5.0
    package static let defaultAdditiveShare: Float = 0.2
    package static let defaultNetworkTeachers = 1
    package static let defaultNetworkShare: Float = 0.2

    /// All records that may be used.
    package var history: OpeningHistory
    /// The first fit uses nothing from this time on; issue times of the validation begin here.
    package var validationFrom: Timestamp
    /// Issue times of the validation are before this time.
    package var validationTo: Timestamp
    /// Whether to fit again to everything up to `validationTo`, through the whole schedule.
    package var refitsOnAll = false
    /// Number of sets of boosted trees whose mean the network learns, every second one more regularised; with 0 there
    /// are no teachers of any kind, and the network learns the outcomes.
    package var teachers = TrainingPlan.defaultTeachers
    /// Share of the additive teacher in what the network learns, 0...1; the trees have the rest.
    package var additiveShare = TrainingPlan.defaultAdditiveShare
    /// Number of networks that learn the outcomes and are teachers together with the trees.
    package var networkTeachers = TrainingPlan.defaultNetworkTeachers
    /// Share of these networks in what the network learns, 0...1.
    package var networkShare = TrainingPlan.defaultNetworkShare
    /// Settings of these networks, except the hidden sizes, which are those of the final network: few epochs and much
    /// dropout, since outcomes are noisy.
    package var networkTeacherSettings = {
        var settings = TrainingSettings()
        settings.epochs = 3
        settings.dropout = 0.35
        return settings
    }()
    /// Records of the second fit, reviewed together with the validation days; nil for ``history``.
    package var refitHistory: OpeningHistory?
    package var boosting = BoostingSettings()
    /// How often the trees' rows go through the records.
    package var boostingPasses = TrainingPlan.defaultBoostingPasses
    /// The same of the additive teacher's rows.
    package var additivePasses = 2
    /// Share of the rows without a delay that trees and the additive teacher learn from, above 0 and at most 1; the
    /// prior that they begin from is shifted by its logarithm.
    ///
    /// One row in twelve has a delay: what there is to learn is in those.
    package var undelayedShare = TrainingPlan.defaultUndelayedShare
    /// Mean minutes between the issue times of training rows, in each pass and epoch; at least 1.
    package var minutesBetweenIssueTimes = TrainingPlan.defaultMinutesBetweenIssueTimes
    package var settings = TrainingSettings()
    package var seed: UInt64 = 1

    /// Plans a validation on issue times `validationFrom` ..< `validationTo`; settings have their defaults.
    package init(history: OpeningHistory, validationFrom: Timestamp, validationTo: Timestamp) {
        self.history = history
        self.validationFrom = validationFrom
        self.validationTo = validationTo
    }
}

/// Steps of a training, for reports.
package enum TrainingProgress: Sendable {
    /// Rows for the teachers were drawn; `validationRows` is 0 without validation.
    case sampled(treeRows: Int, validationRows: Int)
    /// A teacher was fitted; its log loss of "blocked" on the validation rows, nil without validation.
    case fitted(teacher: String, validationLoss: Double?)
    /// The network was trained for an epoch.
    case epoch(EpochReport)
}

/// The result of a training: what a model file is written from.
package struct TrainedModel: Sendable {
    /// No record from this time on was used for the fit.
    package let fittedBefore: Timestamp
    /// Layers in order, from F inputs to K logits.
    package let layers: [DenseLayer]
    /// How raw inputs [F] become those of the first layer.
    package let normalisation: InputNormalisation
    /// Climatology of the records before `fittedBefore`: the network's prior.
    package let climatology: Climatology
    /// Steps of the activations for int8.
    package let calibration: ActivationCalibration
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
    /// The same of the prior alone.
    package let priorValidationLoss: Double?
}
