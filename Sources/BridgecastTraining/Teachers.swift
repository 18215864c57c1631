// Whom the network learns from: boosted trees, an additive form and other networks, and what they say together.
// ModelTraining asks.
private import BridgecastCore
internal import BridgecastEngine
private import Foundation

/// Teachers of different kinds, fitted to what happened; the mean of their log-odds is what the network learns.
struct Teachers: Sendable {
    private let trees: [GradientBoostedTrees]
    private let additive: AdditiveLogOdds?
    private let networks: NetworkTeachers?
    private let plan: TrainingPlan

    /// Rows that teachers are asked about at once.
    private static let rowsAtOnce = 1 << 12

    /// Fits the teachers of a plan; nil if it has none.
    ///
    /// - Parameters:
    ///   - normalisation: Of the network's inputs.
    ///   - validation: Rows of a later time, to report on.
    init?(
        _ plan: TrainingPlan, _ sampler: Sampler, _ normalisation: InputNormalisation,
        validation: SampleSet?, _ progress: @Sendable (TrainingProgress) -> Void
    ) async {
        guard plan.teachers > 0 else { return nil }
        self.plan = plan
        trees = await Self.trees(plan, sampler, validation, progress)
        var random = SeededRandom(seed: plan.seed &+ 500)
        if plan.additiveShare > 0 {
            let rows = sampler.trainingRows(
                everyMinutes: plan.minutesBetweenIssueTimes, random: &random)
            additive = AdditiveLogOdds(rows, settings: AdditiveLogOdds.Settings())
        } else {
            additive = nil
        }
        networks =
            plan.networkShare > 0 && plan.networkTeachers > 0
            ? NetworkTeachers(plan, sampler, normalisation) : nil
        report(to: validation, normalisation, progress)
    }

    private func report(
        to validation: SampleSet?, _ normalisation: InputNormalisation,
        _ progress: (TrainingProgress) -> Void
    ) {
        let told = validation.flatMap {
            networks?.probabilities(PreparedSamples($0, normalisation))
        }
        func say(_ teacher: String, _ logits: (SampleSet) -> [Float]) {
            progress(
                .taught(
                    teacher: teacher,
                    validationLoss: validation.map { $0.blockedLogLoss(logits($0)) }))
        }
        if let additive { say("additive form") { additive.logits($0) } }
        if networks != nil { say("networks") { _ in Self.delayLogOdds(told ?? []) } }
        say("all teachers together") { logits($0, told) }
    }

    /// Samples with what the teachers say of them for targets.
    func taught(
        _ samples: SampleSet, _ normalisation: InputNormalisation
    ) -> PreparedSamples {
        var prepared = PreparedSamples(samples, normalisation)
        let told = networks?.probabilities(prepared)
        prepared.soften(delayLogOdds: logits(samples, told), lengths: told)
        return prepared
    }

    /// Log-odds of a delay by all teachers together, [B].
    ///
    /// - Parameter told: What the networks say, [B, K].
    private func logits(_ samples: SampleSet, _ told: [Float]?) -> [Float] {
        let byTrees = Self.meanLogits(of: trees, samples)
        let byAdditive = additive?.logits(samples)
        let byNetworks = told.map { Self.delayLogOdds($0) }
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

    /// Fits the trees, two sets at a time: one as the plan's settings say, one of the steadier kind.
    private static func trees(
        _ plan: TrainingPlan, _ sampler: Sampler, _ validation: SampleSet?,
        _ progress: @Sendable (TrainingProgress) -> Void
    ) async -> [GradientBoostedTrees] {
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
                            inputs, prior: prior, happened: delayed,
                            settings: member.isMultiple(of: 2)
                                ? plan.boosting : plan.boosting.steadier,
                            seed: plan.seed &+ UInt64(member) &+ 1)
                        return (member, trees)
                    }
                }
                for await (member, trees) in group {
                    teachers[member] = trees
                    progress(
                        .taught(
                            teacher: "trees \(member + 1)",
                            validationLoss: validation.map {
                                $0.blockedLogLoss(meanLogits(of: [trees], $0))
                            }))
                }
            }
        }
        return teachers.sorted { $0.key < $1.key }.map(\.value)
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
    /// Mean log loss of "blocked" of forecasts [B], as log-odds, over the rows that ask for it.
    fileprivate func blockedLogLoss(_ logits: [Float]) -> Double {
        let rows = isUnqueued.indices.filter { isUnqueued[$0] }
        return rows.reduce(0) { sum, row in
            sum + EventScores.logLoss(1 / (1 + exp(-logits[row])), bins[row] > 0)
        } / Double(max(rows.count, 1))
    }
}
