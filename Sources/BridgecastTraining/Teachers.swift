// The teachers that the network learns from: boosted trees, an additive model and other networks.
private import BridgecastCore
internal import BridgecastEngine
private import Foundation

/// Teachers of different kinds, fitted to outcomes; the network learns the weighted mean of their log-odds.
struct Teachers: Sendable {
    private let trees: [GradientBoostedTrees]
    private let additive: AdditiveLogOdds?
    private let networks: NetworkTeachers?
    private let plan: TrainingPlan

    /// Rows of one evaluation of the trees.
    private static let rowsAtOnce = 1 << 12

    /// Fits the teachers of a plan; nil if it has none.
    ///
    /// - Parameters:
    ///   - normalisation: Of the network's inputs.
    ///   - validation: Rows of a later time, to report on.
    init?(
        _ plan: TrainingPlan, sampler: Sampler, normalisation: InputNormalisation,
        validation: SampleSet?, _ progress: @Sendable (TrainingProgress) -> Void
    ) async {
        guard plan.teachers > 0 else { return nil }
        self.plan = plan
        trees = await Self.trees(plan, sampler: sampler, validation: validation, progress)
        var random = SeededRandom(seed: plan.seed &+ 500)
        if plan.additiveShare > 0 {
            let rows = sampler.trainingRows(
                everyMinutes: plan.minutesBetweenIssueTimes, passes: plan.additivePasses,
                undelayedShare: plan.undelayedShare, random: &random)
            additive = AdditiveLogOdds(
                rows, undelayedShare: plan.undelayedShare, settings: AdditiveLogOdds.Settings())
        } else {
            additive = nil
        }
        networks =
            plan.networkShare > 0 && plan.networkTeachers > 0
            ? NetworkTeachers(plan, sampler: sampler, normalisation: normalisation) : nil
        report(on: validation, normalisation, progress)
    }

    private func report(
        on validation: SampleSet?, _ normalisation: InputNormalisation,
        _ progress: (TrainingProgress) -> Void
    ) {
        let byNetworks = validation.flatMap {
            networks?.probabilities(PreparedSamples($0, normalisation))
        }
        func report(_ teacher: String, _ logits: (SampleSet) -> [Float]) {
            progress(
                .fitted(
                    teacher: teacher,
                    validationLoss: validation.map { $0.blockedLogLoss(logits($0)) }))
        }
        if let additive { report("additive form") { additive.logits($0) } }
        if networks != nil { report("networks") { _ in Self.delayLogOdds(byNetworks ?? []) } }
        report("all teachers together") { logits($0, byNetworks: byNetworks) }
    }

    /// Samples with the teachers' forecasts as targets.
    func softened(_ samples: SampleSet, _ normalisation: InputNormalisation) -> PreparedSamples {
        var prepared = PreparedSamples(samples, normalisation)
        let byNetworks = networks?.probabilities(prepared)
        prepared.soften(delayLogOdds: logits(samples, byNetworks: byNetworks), lengths: byNetworks)
        return prepared
    }

    /// Log-odds of a delay by all teachers together, [B].
    ///
    /// - Parameter probabilities: Of the bins, by the networks, [B, K].
    private func logits(_ samples: SampleSet, byNetworks probabilities: [Float]?) -> [Float] {
        let byTrees = Self.meanLogits(of: trees, samples)
        let byAdditive = additive?.logits(samples)
        let byNetworks = probabilities.map { Self.delayLogOdds($0) }
        let additiveShare = byAdditive == nil ? 0 : plan.additiveShare
        let networkShare = byNetworks == nil ? 0 : plan.networkShare
        return byTrees.indices.map { row in
            var logit = (1 - additiveShare - networkShare) * byTrees[row]
            if let byAdditive { logit += additiveShare * byAdditive[row] }
            if let byNetworks { logit += networkShare * byNetworks[row] }
            return logit
        }
    }

    private static func delayLogOdds(_ probabilities: [Float]) -> [Float] {
        stride(from: 0, to: probabilities.count, by: DelayBins.count).map { cell in
            let none = min(max(probabilities[cell], 1e-6), 1 - 1e-6)
            return log((1 - none) / none)
        }
    }

    /// Fits the sets of trees, two at a time.
    private static func trees(
        _ plan: TrainingPlan, sampler: Sampler, validation: SampleSet?,
        _ progress: @Sendable (TrainingProgress) -> Void
    ) async -> [GradientBoostedTrees] {
        var random = SeededRandom(seed: plan.seed)
        let rows = sampler.trainingRows(
            everyMinutes: plan.minutesBetweenIssueTimes, passes: plan.boostingPasses,
            undelayedShare: plan.undelayedShare, inputs: .trees, random: &random)
        progress(.sampled(treeRows: rows.count, validationRows: validation?.count ?? 0))
        let inputs = BinnedColumns(rows.treeInputs, width: TreeInputs.count)
        let delayed = rows.bins.map { $0 > 0 }
        let shift = Float(-log(plan.undelayedShare))
        let prior = rows.priorLogOdds.map { $0 + shift }
        var sets: [Int: GradientBoostedTrees] = [:]
        for pair in stride(from: 0, to: plan.teachers, by: 2) {
            await withTaskGroup(of: (Int, GradientBoostedTrees).self) { group in
                for member in pair..<min(pair + 2, plan.teachers) {
                    group.addTask {
                        let trees = GradientBoostedTrees(
                            inputs, prior: prior, happened: delayed,
                            settings: member.isMultiple(of: 2)
                                ? plan.boosting : plan.boosting.regularised,
                            seed: plan.seed &+ UInt64(member) &+ 1)
                        return (member, trees)
                    }
                }
                for await (member, trees) in group {
                    sets[member] = trees
                    let loss = validation.map { $0.blockedLogLoss(meanLogits(of: [trees], $0)) }
                    progress(.fitted(teacher: "trees \(member + 1)", validationLoss: loss))
                }
            }
        }
        return sets.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Mean log-odds of a delay by sets of trees, [B].
    private static func meanLogits(
        of trees: [GradientBoostedTrees], _ samples: SampleSet
    ) -> [Float] {
        let width = TreeInputs.count
        var parts = stride(from: 0, to: samples.count, by: rowsAtOnce).map {
            (rows: $0..<min($0 + rowsAtOnce, samples.count), logits: [Float]())
        }
        Halves.forEach(&parts) { part, _ in
            let values = part.rows.lowerBound * width..<part.rows.upperBound * width
            part.logits = GradientBoostedTrees.meanLogits(
                trees, samples.treeInputs[values], prior: Array(samples.priorLogOdds[part.rows]))
        }
        return parts.flatMap(\.logits)
    }
}

extension SampleSet {
    /// Mean log loss of forecasts [B], as log-odds, over the rows that ask for "blocked".
    fileprivate func blockedLogLoss(_ logits: [Float]) -> Double {
        let rows = isUnqueued.indices.filter { isUnqueued[$0] }
        return rows.reduce(0) { sum, row in
            sum + EventScores.logLoss(1 / (1 + exp(-logits[row])), bins[row] > 0)
        } / Double(max(rows.count, 1))
    }
}

/// Networks of the same shape as the final one, each with its own initial weights and order of rows.
///
/// Outcomes are noisy, so they see few epochs, with much dropout. Their mean is better than each, and the mean with
/// trees and the additive model is better still.
private struct NetworkTeachers: Sendable {
    private let trainers: [Trainer]

    /// Trains them on rows of their own, the same for all.
    init(_ plan: TrainingPlan, sampler: Sampler, normalisation: InputNormalisation) {
        var settings = plan.networkTeacherSettings
        settings.hiddenSizes = plan.settings.hiddenSizes
        var trainers = (0..<plan.networkTeachers).map {
            Trainer(settings, seed: plan.seed &+ 3_000 &+ UInt64($0))
        }
        for epoch in 1...settings.epochs {
            var random = SeededRandom(seed: plan.seed &+ 4_000 &+ UInt64(epoch))
            let samples = PreparedSamples(
                sampler.trainingRows(everyMinutes: plan.minutesBetweenIssueTimes, random: &random),
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
