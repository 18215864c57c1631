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

    private func plan(_ records: OpeningHistory) throws -> TrainingPlan {
        let cut = try PeriodText.start(validationFrom)
        let history = try review.accepted(records, before: cut, quiet: quiet)
        var plan = TrainingPlan(
            history: history, validationFrom: cut,
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
        plan.refitsOnAll = refitOnAll
        if refitOnAll {
            plan.refitHistory = try review.accepted(records, before: plan.validationTo, quiet: true)
        }
        training.apply(to: &plan)
        return plan
    }

    private func write(
        _ model: TrainedModel, _ plan: TrainingPlan, _ sources: [ModelProvenance.Source],
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
