// `bridgecast train`: from records to a model file in int8, fp16 and fp32.
// Belongs here: `train`: progress, manifest, provenance; not: the training (BridgecastTraining).
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct TrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train",
        abstract:
            "Trains a model on opening records and writes it as NAME.int8.bcm, .fp16.bcm and .fp32.bcm.",
        discussion: """
            Boosted trees learn from the records, and the network learns from the trees. The fit \
            uses records before --validation-from; the validation days are only reported on. With \
            --refit-on-all it is then repeated on everything up to --validation-to: that is what \
            ships, and the model that has not seen the validation days goes to the folder \
            "validation". NAME.manifest.json states what went in and the digests of what came out; \
            the same seed, records and machine give the same weights.
            """)

    @OptionGroup var records: RecordOptions

    @Option(name: .long, help: "First validation day (Seattle).")
    var validationFrom = "2026-02-15"

    @Option(name: .long, help: "Last validation day (Seattle).")
    var validationTo = "2026-02-28"

    @Flag(name: .long, help: "Fit again to all records, validation days included.")
    var refitOnAll = false

    @Option(name: .long, help: "Folder for the model files.")
    var output = "."

    @Option(name: .long, help: "Name of the model, and of its files.")
    var name = "bridgecast"

    @Option(name: .long, help: "Seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "Sets of boosted trees that teach the network; 0 for none.")
    var teachers = 2

    @Option(name: .long, help: "Trees of each teacher.")
    var trees = BoostingSettings().trees

    @Option(name: .long, help: "Leaves of each tree.")
    var leaves = BoostingSettings().leaves

    @Option(name: .long, help: "How often the trees' rows go through the records.")
    var boostingPasses = 4

    @Option(name: .long, help: "The network's passes through the records, each with other rows.")
    var epochs = TrainingSettings().epochs

    @Option(name: .long, help: "Mean minutes between the issue times of training rows.")
    var minutesBetweenIssueTimes = 2.0

    @Option(name: .long, help: "Sizes of the hidden layers, such as 128,64.")
    var hidden = TrainingSettings().hiddenSizes.map(String.init).joined(separator: ",")

    @Option(name: .long, help: "Learning rate at the start.")
    var learningRate = TrainingSettings().learningRate

    @Option(name: .long, help: "Decoupled weight decay.")
    var weightDecay = TrainingSettings().weightDecay

    @Option(name: .long, help: "Share of hidden activations switched off in training.")
    var dropout = TrainingSettings().dropout

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    mutating func validate() throws {
        guard (0...64).contains(teachers) else { throw ValidationError("--teachers: 0 to 64") }
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
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
        else { throw ValidationError("--name: letters, digits, - _ .") }
    }

    func run() async throws {
        try await reportingFailures {
            let loaded = try records.load()
            let (plan, sources) = (try plan(loaded.history), try loaded.provenance())
            let folder = try OutputFolder(output)
            let reporter = quiet ? nil : TrainingReporter()
            let (validated, refitted) = await ModelTraining(plan) { reporter?.report($0) }.run()
            let validatedFolder = refitted == nil ? folder : try folder.folder("validation")
            try write(validated, plan, sources, to: validatedFolder)
            if let refitted { try write(refitted, plan, sources, to: folder) }
            if let loss = validated.validationLoss, let prior = validated.priorValidationLoss {
                try Console.print(
                    "validation: log loss \(fixed(loss, 5)), "
                        + "skill over the model's own prior \(fixed(1 - loss / prior, 4))")
            }
        }
    }

    private var hiddenSizes: [Int]? {
        let sizes = hidden.split(separator: ",").map { Int($0) }
        guard (1...4).contains(sizes.count) else { return nil }
        let valid = sizes.compactMap { $0 }.filter { (4...1024).contains($0) }
        return valid.count == sizes.count ? valid : nil
    }

    private func plan(_ history: OpeningHistory) throws -> TrainingPlan {
        var plan = TrainingPlan(
            history: history, validationFrom: try PeriodText.start(validationFrom),
            validationTo: try PeriodText.end(validationTo))
        guard plan.validationFrom < plan.validationTo else {
            throw CommandFailure(.usage, "--validation-to lies before --validation-from")
        }
        let validationCoverage = history.coverage.clamped(
            to: plan.validationFrom..<plan.validationTo)
        guard !history.before(plan.validationFrom).coverage.isEmpty, !validationCoverage.isEmpty
        else {
            throw CommandFailure(
                .data,
                "covered records are needed before --validation-from \(validationFrom), and from then to "
                    + "--validation-to \(validationTo)")
        }
        let later = history.openings.joined().count { $0.start >= plan.validationTo }
        if later > 0 {
            remark(["\(later) openings after --validation-to \(validationTo) are not used"])
        }
        plan.seed = seed
        plan.refitsOnAll = refitOnAll
        plan.teachers = teachers
        plan.boosting.trees = trees
        plan.boosting.leaves = leaves
        plan.boostingPasses = boostingPasses
        plan.minutesBetweenIssueTimes = minutesBetweenIssueTimes
        plan.settings.epochs = epochs
        plan.settings.hiddenSizes = hiddenSizes ?? plan.settings.hiddenSizes
        plan.settings.learningRate = learningRate
        plan.settings.weightDecay = weightDecay
        plan.settings.dropout = dropout
        return plan
    }

    private func write(
        _ model: TrainedModel, _ plan: TrainingPlan, _ sources: [ModelProvenance.Source],
        to folder: OutputFolder
    ) throws {
        var provenance = plan.provenance(of: model, sources: sources)
        let gap = records.merging.gapSeconds
        if gap != OpeningConsolidation.defaultGapSeconds {
            provenance.settings["mergeGapSeconds"] = "\(gap)"
        }
        let draft = ModelDraft(
            name: name, layers: model.layers, normalisation: model.normalisation,
            climatology: model.climatology, provenance: provenance)
        var manifest = TrainingManifest(name: name, provenance)
        for format in WeightFormat.allCases {
            let bytes = ModelFile.bytes(
                of: draft, as: format, calibration: format == .int8 ? model.calibration : nil)
            let file = "\(name).\(format.rawValue).bcm"
            try folder.file(file).write(Data(bytes))
            manifest.add(file, bytes)
            try Console.print("wrote \(folder.file(file).path): \(bytes.count) bytes")
        }
        try manifest.write(to: folder.file("\(name).manifest.json"))
    }
}

extension TrainingPlan {
    /// What a model file says about its making.
    func provenance(of model: TrainedModel, sources: [ModelProvenance.Source]) -> ModelProvenance {
        let end = model.fittedBefore
        let starts = history.coverage.periods.compactMap { $0.first?.lowerBound }
        return ModelProvenance(
            sources: sources, fittedFrom: starts.min() ?? end, fittedBefore: end, seed: seed,
            commit: GitCommit.current(),
            settings: [
                "hidden": settings.hiddenSizes.map(String.init).joined(separator: ","),
                "batchRows": "\(settings.batchRows)", "epochs": "\(settings.epochs)",
                "learningRate": "\(settings.learningRate)",
                "weightDecay": "\(settings.weightDecay)", "dropout": "\(settings.dropout)",
                "teachers": "\(teachers)", "trees": "\(boosting.trees)",
                "leaves": "\(boosting.leaves)", "boostingPasses": "\(boostingPasses)",
                "minutesBetweenIssueTimes": "\(minutesBetweenIssueTimes)",
            ],
            scores: scores(of: model))
    }

    private func scores(of model: TrainedModel) -> [String: Double] {
        var scores: [String: Double] = [:]
        scores["validationLogLoss"] = model.validationLoss
        scores["validationLogLossOfPrior"] = model.priorValidationLoss
        return scores
    }
}
