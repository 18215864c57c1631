// `bridgecast train`: from records to a model file in int8, fp16 and fp32.
// The training itself is in BridgecastTraining.
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
            uses records before --validation-from; the validation days are only scored. With \
            --refit-on-all it is then repeated on everything up to --validation-to: that model is \
            shipped, and the model without the validation days goes to the folder "validation". \
            NAME.manifest.json has the inputs and the digests of the files; the same seed, records \
            and machine give the same weights.
            """)

    @OptionGroup var records: RecordOptions
    @OptionGroup var review: RecordsReviewOptions

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

    @OptionGroup var training: TrainingOptions

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    mutating func validate() throws {
        try checkFileName(name, of: "--name")
    }

    func run() async throws {
        try await reportingFailures {
            let loaded = try records.load()
            let plan = try plan(loaded.history)
            let sources = try loaded.provenance()
            let folder = try OutputFolder(output)
            let reporter = quiet ? nil : TrainingReporter()
            let (validated, refitted) = await ModelTraining(plan) { reporter?.report($0) }.run()
            let validatedFolder = refitted == nil ? folder : try folder.folder("validation")
            try write(validated, of: plan, sources: sources, to: validatedFolder)
            if let refitted { try write(refitted, of: plan, sources: sources, to: folder) }
            if let loss = validated.validationLoss, let prior = validated.priorValidationLoss {
                try Console.print(
                    "validation: log loss \(fixed(loss, 5)), "
                        + "skill over the model's own prior \(fixed(1 - loss / prior, 4))")
            }
        }
    }

    private func plan(_ records: OpeningHistory) throws -> TrainingPlan {
        let cut = try PeriodText.start(validationFrom)
        let history = try review.accepted(records, before: cut, quiet: quiet)
        var plan = TrainingPlan(
            history: history, validationFrom: cut,
            validationTo: try PeriodText.end(validationTo))
        guard plan.validationFrom < plan.validationTo else {
            throw CommandFailure(.usage, "--validation-to is before --validation-from")
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
        plan.refitsOnAll = refitOnAll
        if refitOnAll {
            plan.refitHistory = try review.accepted(records, before: plan.validationTo, quiet: true)
        }
        training.apply(to: &plan)
        return plan
    }

    private func write(
        _ model: TrainedModel, of plan: TrainingPlan, sources: [ModelProvenance.Source],
        to folder: OutputFolder
    ) throws {
        var provenance = plan.provenance(of: model, sources: sources)
        provenance.settings.merge(records.merging.namedSettings) { $1 }
        if review.keepAllRecords { provenance.settings["keepAllRecords"] = "true" }
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

// MARK: - Options

/// `--seed`, `--teachers` and the other settings of a training.
struct TrainingOptions: ParsableArguments {
    @Option(name: .long, help: "Seed of all random numbers.")
    var seed: UInt64 = 1

    @Option(
        name: .long,
        help:
            "Sets of boosted trees that teach the network; 0: the network learns the outcomes, without any teacher."
    )
    var teachers = TrainingPlan.defaultTeachers

    @Option(
        name: .long,
        help: "Share of an additive teacher, next to the trees, in the network's targets, 0 to 1.")
    var additiveShare = TrainingPlan.defaultAdditiveShare

    @Option(
        name: .long,
        help: "Networks that learn the outcomes and teach the one that is written; 0 for none.")
    var networkTeachers = TrainingPlan.defaultNetworkTeachers

    @Option(name: .long, help: "Share of these networks in the network's targets, 0 to 1.")
    var networkShare = TrainingPlan.defaultNetworkShare

    @Option(name: .long, help: "Trees of each teacher.")
    var trees = BoostingSettings().trees

    @Option(name: .long, help: "Leaves of each tree; every other set of trees has half of them.")
    var leaves = BoostingSettings().leaves

    @Option(name: .long, help: "Passes of the trees' rows through the records.")
    var boostingPasses = TrainingPlan.defaultBoostingPasses

    @Option(
        name: .long,
        help: "Share of the rows without a delay that trees and the additive teacher learn from.")
    var undelayedShare = TrainingPlan.defaultUndelayedShare

    @Option(name: .long, help: "The network's passes through the records, each with other rows.")
    var epochs = TrainingSettings().epochs

    @Option(name: .long, help: "Mean minutes between the issue times of training rows.")
    var minutesBetweenIssueTimes = TrainingPlan.defaultMinutesBetweenIssueTimes

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
        guard undelayedShare > 0, undelayedShare <= 1 else {
            throw ValidationError("--undelayed-share: above 0, at most 1")
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

    func apply(to plan: inout TrainingPlan) {
        plan.seed = seed
        plan.teachers = teachers
        // Without trees there is no teacher of any kind.
        plan.additiveShare = teachers > 0 ? additiveShare : 0
        plan.networkTeachers = teachers > 0 ? networkTeachers : 0
        plan.networkShare = teachers > 0 ? networkShare : 0
        plan.boosting.trees = trees
        plan.boosting.leaves = leaves
        plan.boostingPasses = boostingPasses
        plan.undelayedShare = undelayedShare
        plan.minutesBetweenIssueTimes = minutesBetweenIssueTimes
        plan.settings.epochs = epochs
        plan.settings.hiddenSizes = hiddenSizes ?? plan.settings.hiddenSizes
        plan.settings.learningRate = learningRate
        plan.settings.weightDecay = weightDecay
        plan.settings.dropout = dropout
    }
}

// MARK: - Progress

/// Prints the progress of a training, with the time so far.
final class TrainingReporter: Sendable {
    private let start = ContinuousClock.now

    func report(_ progress: TrainingProgress) {
        let time =
            "\(minutesAndSeconds(Double((ContinuousClock.now - start).components.seconds))) min"
        switch progress {
        case .sampled(let rows, let validation):
            note("\(time): \(rows) rows for the trees, \(validation) to validate on")
        case .fitted(let teacher, let loss):
            note("\(time): \(teacher) done\(validation(loss))")
        case .epoch(let epoch):
            note(
                "\(time): network, epoch \(epoch.epoch) of \(epoch.epochs), "
                    + "loss \(fixed(epoch.trainingLoss, 5))\(validation(epoch.validationLoss))")
        }
    }

    private func validation(_ loss: Double?) -> String {
        loss.map { ", validation \(fixed($0, 5))" } ?? ""
    }
}

// MARK: - Manifest and provenance

/// `NAME.manifest.json`.
struct TrainingManifest: Encodable {
    struct File: Encodable {
        let name: String
        let bytes: Int
        let sha256: String
        /// Digest of the weights and tables alone: equal for repeated trainings, whatever the commit and date in the
        /// header.
        let weightsSHA256: String
    }

    let name: String
    let provenance: ModelProvenance
    /// OpenBLAS's name for the CPU: on others sums have another order, and the weights differ.
    let blasCore = BLAS.coreName
    private(set) var files: [File] = []

    init(name: String, _ provenance: ModelProvenance) {
        self.name = name
        self.provenance = provenance
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) {
        files.append(
            File(
                name: name, bytes: bytes.count, sha256: ModelFile.digest(of: bytes),
                weightsSHA256: ModelFile.weightsDigest(of: bytes)))
    }

    func write(to file: OutputFile) throws {
        try file.write(try json(self) + "\n")
    }
}

extension TrainingPlan {
    /// The settings of the trainer by name: equal for equal recipes.
    var namedSettings: [String: String] {
        [
            "hidden": settings.hiddenSizes.map(String.init).joined(separator: ","),
            "batchRows": "\(settings.batchRows)", "epochs": "\(settings.epochs)",
            "learningRate": "\(settings.learningRate)",
            "weightDecay": "\(settings.weightDecay)", "dropout": "\(settings.dropout)",
            "teachers": "\(teachers)", "trees": "\(boosting.trees)",
            "networkTeachers": "\(networkTeachers)", "networkShare": "\(networkShare)",
            "additiveShare": "\(additiveShare)",
            "leaves": "\(boosting.leaves)", "boostingPasses": "\(boostingPasses)",
            "additivePasses": "\(additivePasses)", "undelayedShare": "\(undelayedShare)",
            "minutesBetweenIssueTimes": "\(minutesBetweenIssueTimes)",
        ]
    }

    /// The provenance of a model file.
    func provenance(of model: TrainedModel, sources: [ModelProvenance.Source]) -> ModelProvenance {
        let end = model.fittedBefore
        let starts = history.coverage.periods.compactMap { $0.first?.lowerBound }
        return ModelProvenance(
            sources: sources, fittedFrom: starts.min() ?? end, fittedBefore: end, seed: seed,
            commit: GitCommit.current(), settings: namedSettings, scores: scores(of: model))
    }

    private func scores(of model: TrainedModel) -> [String: Double] {
        var scores: [String: Double] = [:]
        scores["validationLogLoss"] = model.validationLoss
        scores["validationLogLossOfPrior"] = model.priorValidationLoss
        return scores
    }
}

/// The commit of the checkout, for provenance.
enum GitCommit {
    /// The commit's hash, with "+" if the work tree differs; "unknown" outside a checkout.
    static func current() -> String {
        guard let home = ShippedFiles.home(), let hash = run(["rev-parse", "HEAD"], home) else {
            return "unknown"
        }
        let isClean = run(["status", "--porcelain", "--", "Sources", "Package.swift"], home) == ""
        return isClean ? hash : hash + "+"
    }

    private static func run(_ arguments: [String], _ folder: URL) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Reading must not write to the index.
        process.arguments = ["git", "--no-optional-locks", "-C", folder.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
