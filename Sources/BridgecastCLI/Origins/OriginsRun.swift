// `bridgecast origins run`: a fit and its scores at every origin; what is there already stays.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct OriginsRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Fits a recipe at every origin and scores each fit on the days after.",
        discussion: """
            Writes DIR/NAME/ORIGIN.int8.bcm and DIR/NAME/ORIGIN.json for each origin. What is there of \
            the same settings, seed, records and inputs stays; what is there of others is refused \
            unless --again is given. One run at a time writes to the folder of a recipe.
            """)

    @OptionGroup var options: OriginOptions

    @OptionGroup var records: RecordOptions

    @OptionGroup var review: RecordsReviewOptions

    @OptionGroup var training: TrainingOptions

    @Flag(
        name: .long,
        help:
            "A lighter fit of about two minutes: half the trees, at most 2 passes and 4 epochs, rows twice as far apart."
    )
    var light = false

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    func run() async throws {
        try await reportingFailures {
            let origins = try options.origins()
            let folder = OriginFolder(options)
            var lock = try folder.lock()
            defer { withExtendedLifetime(lock) {} }
            let loaded = try records.load()
            var sources = try loaded.provenance()
            sources.append(
                ModelProvenance.Source(
                    file: "openings and coverage", sha256: loaded.history.digest))
            // All that could be refused, before anything is fitted.
            var open: [(work: OriginWork, plan: TrainingPlan, model: LoadedModel?)] = []
            var told: [RecordsFinding] = []
            let recipes = origins.map { origin in
                let plan = plan(loaded.history.before(origin.fittedBefore), origin)
                return (origin: origin, plan: plan, making: making(plan, origin, sources))
            }
            if let making = recipes.first?.making {
                try folder.checkOthers(than: origins, making.recipeFacts)
            }
            for (origin, recipe, making) in recipes {
                var plan = recipe
                let hasScores = try folder.hasScores(of: origin, making: making)
                let model = try folder.foundModel(of: origin, making: making)
                if hasScores, model != nil { continue }
                let work = try OriginWork(origin, loaded.history, making: making)
                if model == nil { plan.history = try review.accepted(plan.history, told: &told) }
                open.append((work, plan, model))
            }
            let done = origins.count - open.count
            if done > 0 { say("\(done) of \(origins.count) origins are there already") }
            remark(RecordsReviewText.scored(loaded.history, in: open.map(\.work.origin.interval)))
            if !open.isEmpty { lock = try folder.make(lock) }
            for (work, plan, model) in open {
                if let model {
                    // A run ended between the model and its scores.
                    try await work.score(
                        model, fp32: nil, recipe: options.recipeName, to: folder)
                } else {
                    try await fit(plan, sources, for: work, to: folder)
                }
            }
        }
    }

    private func say(_ words: String) { if !quiet { note("bridgecast: \(words)") } }

    private func fit(
        _ plan: TrainingPlan, _ sources: [ModelProvenance.Source], for work: OriginWork,
        to folder: OriginFolder
    ) async throws {
        say("fitting to the records before \(work.making.fittedBefore) ...")
        let reporter = quiet ? nil : TrainingReporter()
        let trained = await ModelTraining(plan) { reporter?.report($0) }
            .fit(before: work.origin.fittedBefore, validates: false)
        var provenance = plan.provenance(of: trained, sources: sources)
        provenance.settings = work.making.settings
        let draft = ModelDraft(
            name: options.recipeName, layers: trained.layers, normalisation: trained.normalisation,
            climatology: trained.climatology, provenance: provenance)
        let bytes = ModelFile.bytes(of: draft, as: .int8, calibration: trained.calibration)
        try folder.model(work.origin).write(Data(bytes))
        try await work.score(
            try ModelFile.read(bytes),
            fp32: try ModelFile.read(ModelFile.bytes(of: draft, as: .fp32)),
            recipe: options.recipeName, to: folder)
    }

    private func plan(_ past: OpeningHistory, _ origin: RollingOrigin) -> TrainingPlan {
        var plan = TrainingPlan(
            history: past, validationFrom: origin.interval.lowerBound,
            validationTo: origin.interval.upperBound)
        training.apply(to: &plan)
        if light {
            plan.boosting.trees = max(1, plan.boosting.trees / 2)
            plan.boostingPasses = min(plan.boostingPasses, 2)
            plan.minutesBetweenIssueTimes *= 2
            plan.settings.epochs = min(plan.settings.epochs, 4)
        }
        return plan
    }

    private func making(
        _ plan: TrainingPlan, _ origin: RollingOrigin, _ sources: [ModelProvenance.Source]
    ) -> OriginScores.Making {
        var settings = plan.namedSettings.merging(records.merging.namedSettings) { $1 }
        if review.keepAllRecords { settings["keepAllRecords"] = "true" }
        return OriginScores.Making(
            settings: settings,
            seed: plan.seed, fittedBefore: TimeText.rfc3339(origin.fittedBefore),
            records: sources.map(\.sha256),
            schemaHash: ModelHeader.text(ofHash: FeatureSchema.hash))
    }
}
