// How a model is trained, as `train` and `origins run` are told: the recipe, without its records and dates.
import ArgumentParser
import BridgecastTraining

/// `--seed`, `--teachers` and the other settings of a training.
struct TrainingOptions: ParsableArguments {
    @Option(name: .long, help: "Seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(
        name: .long,
        help:
            "Sets of boosted trees that teach the network; 0: the network learns what happened, from no teacher at all."
    )
    var teachers = TrainingPlan.usualTeachers

    @Option(
        name: .long,
        help: "Share of an additive teacher beside the trees in what the network learns, 0 to 1.")
    var additiveShare = TrainingPlan.usualAdditiveShare

    @Option(
        name: .long,
        help: "Networks that learn what happened and teach the one that is written; 0 for none.")
    var networkTeachers = TrainingPlan.usualNetworkTeachers

    @Option(name: .long, help: "Share of these networks in what the network learns, 0 to 1.")
    var networkShare = TrainingPlan.usualNetworkShare

    @Option(name: .long, help: "Trees of each teacher.")
    var trees = BoostingSettings().trees

    @Option(name: .long, help: "Leaves of each tree; every other set of trees has half of them.")
    var leaves = BoostingSettings().leaves

    @Option(name: .long, help: "How often the trees' rows go through the records.")
    var boostingPasses = TrainingPlan.usualBoostingPasses

    @Option(name: .long, help: "The network's passes through the records, each with other rows.")
    var epochs = TrainingSettings().epochs

    @Option(name: .long, help: "Mean minutes between the issue times of training rows.")
    var minutesBetweenIssueTimes = TrainingPlan.usualMinutesBetweenIssueTimes

    @Option(name: .long, help: "Sizes of the hidden layers, such as 128,64.")
    var hidden = TrainingSettings().hiddenSizes.map(String.init).joined(separator: ",")

    @Option(name: .long, help: "Learning rate at the start.")
    var learningRate = TrainingSettings().learningRate

    @Option(name: .long, help: "Decoupled weight decay.")
    var weightDecay = TrainingSettings().weightDecay

    @Option(name: .long, help: "Share of hidden activations switched off in training.")
    var dropout = TrainingSettings().dropout

    mutating func validate() throws {
        guard (0...64).contains(teachers) else { throw ValidationError("--teachers: 0 to 64") }
        guard additiveShare >= 0, networkShare >= 0, additiveShare + networkShare <= 1 else {
            throw ValidationError("--additive-share and --network-share: 0 to 1 together")
        }
        guard (0...32).contains(networkTeachers) else {
            throw ValidationError("--network-teachers: 0 to 32")
        }
        guard (1...10_000).contains(trees), (2...255).contains(leaves),
            (1...20).contains(boostingPasses)
        else {
            throw ValidationError(
                "--trees: 1 to 10000; --leaves: 2 to 255; --boosting-passes: 1 to 20")
        }
        guard (1...200).contains(epochs) else { throw ValidationError("--epochs: 1 to 200") }
        guard minutesBetweenIssueTimes >= 1, minutesBetweenIssueTimes <= 1440 else {
            throw ValidationError("--minutes-between-issue-times: 1 to 1440")
        }
        guard dropout >= 0, dropout < 0.9 else { throw ValidationError("--dropout: 0 to 0.9") }
        guard learningRate > 0, learningRate < 1, weightDecay >= 0, weightDecay < 1 else {
            throw ValidationError("--learning-rate and --weight-decay: 0 to 1")
        }
        guard hiddenSizes != nil else {
            throw ValidationError("--hidden: one to four sizes from 4 to 1024, such as 128,64")
        }
    }

    private var hiddenSizes: [Int]? {
        let sizes = hidden.split(separator: ",").map { Int($0) }
        guard (1...4).contains(sizes.count) else { return nil }
        let valid = sizes.compactMap { $0 }.filter { (4...1024).contains($0) }
        return valid.count == sizes.count ? valid : nil
    }

    /// Writes the settings into a plan.
    func apply(to plan: inout TrainingPlan) {
        plan.seed = seed
        plan.teachers = teachers
        // Without trees there is no teacher of any kind, and the plan says so.
        plan.additiveShare = teachers > 0 ? additiveShare : 0
        plan.networkTeachers = teachers > 0 ? networkTeachers : 0
        plan.networkShare = teachers > 0 ? networkShare : 0
        plan.boosting.trees = trees
        plan.boosting.leaves = leaves
        plan.boostingPasses = boostingPasses
        plan.minutesBetweenIssueTimes = minutesBetweenIssueTimes
        plan.settings.epochs = epochs
        plan.settings.hiddenSizes = hiddenSizes ?? plan.settings.hiddenSizes
        plan.settings.learningRate = learningRate
        plan.settings.weightDecay = weightDecay
        plan.settings.dropout = dropout
    }
}
