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
    /// Trees are fitted first; then the network learns what they say about fresh rows in each epoch.
    ///
    /// - Parameter validates: Whether to report log losses on the plan's validation period.
    package func fit(before end: Timestamp, validates: Bool) async -> TrainedModel {
        let history = plan.history.before(end)
        let climatology = Climatology(ClimatologyCounts(history))
        let sampler = Sampler(trainingOn: history)
        let validationRows = validates ? validationSamples(climatology) : nil
        let teachers = await teachers(sampler, validationRows)
        let first = networkRows(sampler, epoch: 1)
        let moments = first.inputMoments()
        let normalisation = InputNormalisation(moments)
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

    private func networkRows(_ sampler: Sampler, epoch: Int) -> SampleSet {
        var random = SeededRandom(seed: plan.seed &+ 2_000 &+ UInt64(epoch))
        return sampler.trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes,
            inputs: plan.teachers > 0 ? .both : .network, random: &random)
    }

    private func prepared(
        _ samples: consuming SampleSet, _ normalisation: InputNormalisation,
        _ teachers: [GradientBoostedTrees]
    ) -> PreparedSamples {
        let logOdds = teachers.isEmpty ? nil : Self.mean(teachers, on: samples)
        var prepared = PreparedSamples(samples, normalisation)
        if let logOdds { prepared.soften(delayLogOdds: logOdds) }
        return prepared
    }

    private func validationSamples(_ climatology: Climatology) -> SampleSet {
        Sampler(validatingOn: plan.history.before(plan.validationTo), climatology: climatology)
            .protocolRows(
                in: plan.validationFrom..<plan.validationTo,
                inputs: plan.teachers > 0 ? .both : .network)
    }

    /// Fits the teachers, two at a time.
    private func teachers(
        _ sampler: Sampler, _ validation: SampleSet?
    ) async -> [GradientBoostedTrees] {
        guard plan.teachers > 0 else { return [] }
        let (plan, progress) = (plan, progress)
        var random = SeededRandom(seed: plan.seed)
        let rows = sampler.trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes, passes: plan.boostingPasses,
            inputs: .trees, random: &random)
        progress(.sampled(treeRows: rows.count, validationRows: validation?.count ?? 0))
        let inputs = BinnedColumns(rows.treeInputs, width: TreeInputs.count)
        let delayed = rows.bins.map { $0 > 0 }
        let prior = rows.priorLogOdds
        var teachers: [Int: GradientBoostedTrees] = [:]
        for pair in stride(from: 0, to: plan.teachers, by: 2) {
            await withTaskGroup(of: (Int, GradientBoostedTrees).self) { group in
                for member in pair..<min(pair + 2, plan.teachers) {
                    group.addTask {
                        let trees = GradientBoostedTrees(
                            inputs, prior: prior, happened: delayed, settings: plan.boosting,
                            seed: plan.seed &+ UInt64(member) &+ 1)
                        progress(
                            .taught(
                                teacher: member + 1,
                                validationLoss: validation.map { trees.blockedLogLoss(on: $0) }))
                        return (member, trees)
                    }
                }
                for await (member, trees) in group { teachers[member] = trees }
            }
        }
        return teachers.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Mean log-odds of a delay by the teachers, [B].
    private static func mean(
        _ teachers: [GradientBoostedTrees], on samples: SampleSet
    ) -> [Float] {
        var sum = [Float](repeating: 0, count: samples.count)
        for teacher in teachers {
            let logits = teacher.logits(samples.treeInputs, prior: samples.priorLogOdds)
            for row in sum.indices { sum[row] += logits[row] / Float(teachers.count) }
        }
        return sum
    }
}

extension GradientBoostedTrees {
    /// Mean log loss of "blocked" over the rows that ask for it.
    fileprivate func blockedLogLoss(on samples: SampleSet) -> Double {
        let logits = logits(samples.treeInputs, prior: samples.priorLogOdds)
        let rows = samples.isUnqueued.indices.filter { samples.isUnqueued[$0] }
        return rows.reduce(0) { sum, row in
            let probability = 1 / (1 + exp(-logits[row]))
            return sum + EventScores.logLoss(probability, samples.bins[row] > 0)
        } / Double(max(rows.count, 1))
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
