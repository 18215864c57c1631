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
            unless --again is given.
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
            let folder = try OriginFolder(options)
            let loaded = try records.load()
            let sources = try loaded.provenance()
            // All that could be refused, before anything is fitted.
            var open: [(origin: RollingOrigin, plan: TrainingPlan, making: OriginScores.Making)] =
                []
            for origin in origins {
                _ = try Self.scorer(origin, loaded.history)
                let plan = try plan(loaded.history, origin)
                let making = making(plan, origin, sources)
                if try folder.hasScores(of: origin, making: making) { continue }
                _ = try folder.hasModel(of: origin, making: making)
                open.append((origin, plan, making))
            }
            let done = origins.count - open.count
            if done > 0 { say("\(done) of \(origins.count) origins are there already") }
            for (origin, plan, making) in open {
                let scorer = try Self.scorer(origin, loaded.history)
                try await fit(plan, making, sources, at: origin, by: scorer, to: folder)
            }
        }
    }

    private func say(_ words: String) { if !quiet { note("bridgecast: \(words)") } }

    private func fit(
        _ plan: TrainingPlan, _ making: OriginScores.Making, _ sources: [ModelProvenance.Source],
        at origin: RollingOrigin, by scorer: OriginScorer, to folder: OriginFolder
    ) async throws {
        if try folder.hasModel(of: origin, making: making) {
            // A run ended between the model and its scores.
            let model = try ModelLoading.load(folder.model(origin).path)
            try await Self.score(
                model, fp32: nil, making, at: origin, by: scorer, to: folder, options)
            return
        }
        say("fitting to the records before \(making.fittedBefore) ...")
        let reporter = quiet ? nil : TrainingReporter()
        let trained = await ModelTraining(plan) { reporter?.report($0) }
            .fit(before: origin.fittedBefore, validates: false)
        var provenance = plan.provenance(of: trained, sources: sources)
        provenance.settings = making.settings
        let draft = ModelDraft(
            name: options.recipeName, layers: trained.layers, normalisation: trained.normalisation,
            climatology: trained.climatology, provenance: provenance)
        let bytes = ModelFile.bytes(of: draft, as: .int8, calibration: trained.calibration)
        try folder.model(origin).write(Data(bytes))
        try await Self.score(
            try ModelFile.read(bytes),
            fp32: try ModelFile.read(ModelFile.bytes(of: draft, as: .fp32)),
            making, at: origin, by: scorer, to: folder, options)
    }

    private func plan(
        _ history: OpeningHistory, _ origin: RollingOrigin
    ) throws -> TrainingPlan {
        let past = history.before(origin.fittedBefore)
        var plan = TrainingPlan(
            history: try review.accepted(past, quiet: true),
            validationFrom: origin.interval.lowerBound,
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

    /// Prepares the scoring of an origin.
    ///
    /// - Throws: ``CommandFailure`` if the records do not cover it.
    static func scorer(
        _ origin: RollingOrigin, _ history: OpeningHistory
    ) throws -> OriginScorer {
        guard let scorer = OriginScorer(origin, history: history) else {
            throw CommandFailure(
                .data,
                "\(origin.name): no covered records before \(TimeText.rfc3339(origin.fittedBefore)), or none "
                    + "in the \(origin.days) days that are scored")
        }
        return scorer
    }

    /// Scores a model and writes what it came to.
    static func score(
        _ model: LoadedModel, fp32: LoadedModel?, _ making: OriginScores.Making,
        at origin: RollingOrigin, by scorer: OriginScorer, to folder: OriginFolder,
        _ options: OriginOptions
    ) async throws {
        guard
            let scores = await scorer.scores(
                of: model, recipe: options.recipeName, making: making, fp32: fp32)
        else {
            throw CommandFailure(
                .data, "\(origin.name): no covered rows in the \(origin.days) days that are scored")
        }
        try folder.write(scores, of: origin)
        let (loss, usual) = scores.rows.reduce((0.0, 0.0)) {
            ($0.0 + $1.loss, $0.1 + $1.climatologyLoss)
        }
        try Console.print(
            "\(origin.name): skill \(fixed(1 - loss / usual, 4)), \(folder.scores(origin).path)")
    }
}
