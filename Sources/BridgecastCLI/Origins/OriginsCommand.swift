// `bridgecast origins`: compares recipes by fits at several cuts in the records, each scored on the days after. The
// scores are in BridgecastTraining.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct OriginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origins",
        abstract: "Chooses a training recipe by rolling origins: fits, scores and tables.",
        discussion: """
            An origin cuts the records: the fit uses those before it, the days after it are scored. By \
            default there are ten, two weeks each, spread over all covered records. Results are in a \
            folder, DIR/NAME/ORIGIN.json for each recipe and origin; an interrupted run continues \
            there.
            """,
        subcommands: [OriginsRun.self, OriginsScore.self, OriginsTable.self])
}

// MARK: - Run

struct OriginsRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Fits a recipe at every origin and scores each fit on the days after.",
        discussion: """
            Writes DIR/NAME/ORIGIN.int8.bcm and DIR/NAME/ORIGIN.json for each origin. Files of the same \
            settings, seed, records and inputs stay; files of others are refused unless --again is \
            given. One run at a time writes to the folder of a recipe.
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
            let scored = loaded.history.doubtingEdgeStarts
            // All refusals, before anything is fitted.
            var open: [(work: OriginWork, plan: TrainingPlan, model: LoadedModel?)] = []
            var reported: [RecordsFinding] = []
            let recipes = origins.map { origin in
                let plan = plan(loaded.history.before(origin.fittedBefore), origin)
                return (
                    origin: origin, plan: plan, making: making(plan, at: origin, sources: sources)
                )
            }
            if let making = recipes.first?.making {
                try folder.checkOthers(than: origins, making.recipeFacts)
            }
            for (origin, recipe, making) in recipes {
                var plan = recipe
                let hasScores = try folder.hasScores(of: origin, making: making)
                let model = try folder.foundModel(of: origin, making: making)
                if hasScores, model != nil { continue }
                let work = try OriginWork(origin, scored, making: making)
                if model == nil {
                    plan.history = try review.accepted(plan.history, reported: &reported)
                }
                open.append((work, plan, model))
            }
            let done = origins.count - open.count
            if done > 0 { report("\(done) of \(origins.count) origins exist already") }
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

    private func report(_ text: String) { if !quiet { note("bridgecast: \(text)") } }

    private func fit(
        _ plan: TrainingPlan, _ sources: [ModelProvenance.Source], for work: OriginWork,
        to folder: OriginFolder
    ) async throws {
        report("fitting to the records before \(work.making.fittedBefore) ...")
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
        _ plan: TrainingPlan, at origin: RollingOrigin, sources: [ModelProvenance.Source]
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

// MARK: - Score

struct OriginsScore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Scores models that were fitted elsewhere at their origins.",
        discussion: """
            The model of an origin is ORIGIN.int8.bcm or ORIGIN/bridgecast.int8.bcm in the folder; \
            the same model in fp32 may be next to it. Origins without a model are left out, unless \
            they are named.
            """)

    @Option(name: .long, help: "Folder of the models.")
    var modelFolder: String

    @OptionGroup var options: OriginOptions

    @OptionGroup var records: RecordOptions

    func run() async throws {
        try await reportingFailures {
            let models = try models()
            let folder = OriginFolder(options)
            var lock = try folder.lock()
            defer { withExtendedLifetime(lock) {} }
            let history = try records.load().history
            let digest = history.digest
            let scored = history.doubtingEdgeStarts
            // All refusals, before anything is scored.
            var open: [(work: OriginWork, model: LoadedModel)] = []
            for (origin, model) in models {
                let making = OriginScores.Making(model.header, scoredOn: digest)
                try folder.checkOthers(than: models.map(\.origin), making.recipeFacts)
                if try folder.hasScores(of: origin, making: making) { continue }
                open.append((try OriginWork(origin, scored, making: making), model))
            }
            let done = models.count - open.count
            if done > 0 {
                note("bridgecast: \(done) of \(models.count) origins exist already")
            }
            remark(RecordsReviewText.scored(history, in: open.map(\.work.origin.interval)))
            if !open.isEmpty { lock = try folder.make(lock) }
            for (work, model) in open {
                try await work.score(
                    model, fp32: fp32(of: model, at: work.origin), recipe: options.recipeName,
                    to: folder)
            }
        }
    }

    /// The existing models, none fitted to the days it is scored on.
    private func models() throws -> [(origin: RollingOrigin, model: LoadedModel)] {
        let origins = try options.origins()
        let found = origins.compactMap { origin in
            path(of: origin, "int8").map { (origin: origin, path: $0) }
        }
        let missing = origins.filter { origin in !found.contains { $0.origin == origin } }
        // Named origins are all required; of the default ones some may be missing.
        guard !found.isEmpty, missing.isEmpty || options.origin.isEmpty else {
            throw CommandFailure(
                .missingInput,
                "\(modelFolder): there is no ORIGIN.int8.bcm or ORIGIN/bridgecast.int8.bcm "
                    + "of \(missing.map(\.name).joined(separator: ", "))")
        }
        return try found.map { origin, path in
            let model = try ModelLoading.load(path)
            let fittedBefore = model.header.provenance.fittedBefore
            guard fittedBefore <= origin.fittedBefore else {
                throw CommandFailure(
                    .data,
                    "\(path): was fitted to records before \(TimeText.rfc3339(fittedBefore)), "
                        + "but the origin needs a fit to those before "
                        + TimeText.rfc3339(origin.fittedBefore))
            }
            return (origin, model)
        }
    }

    /// The same weights in fp32, if they exist; a file of another fit is not used.
    private func fp32(of model: LoadedModel, at origin: RollingOrigin) -> LoadedModel? {
        guard let path = path(of: origin, "fp32") else { return nil }
        do {
            let other = try ModelLoading.load(path)
            guard other.header.weightFormat == .fp32,
                other.header.schemaHash == model.header.schemaHash,
                other.header.provenance == model.header.provenance
            else {
                remark(["is not of the same fit as the int8 file, not used"], on: path)
                return nil
            }
            return other
        } catch {
            remark(["\(CommandFailure(error).message); not used"])
            return nil
        }
    }

    private func path(of origin: RollingOrigin, _ format: String) -> String? {
        [
            "\(modelFolder)/\(origin.name).\(format).bcm",
            "\(modelFolder)/\(origin.name)/bridgecast.\(format).bcm",
        ].first { FileManager.default.fileExists(atPath: $0) }
    }
}

// MARK: - Table

struct OriginsTable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Compares the recipes of a folder.",
        discussion: """
            A recipe is a folder with a file of scores for each origin. Figures are means over \
            origins; intervals come from days resampled within each origin, the same days for all \
            recipes. Other programs may write such files too.
            """)

    @Option(name: .long, help: "Folder of all recipes.")
    var folder: String

    @Option(name: .long, help: "Compare the others with this recipe.")
    var against: String?

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let table = try OriginTable(try scores(), against: against)
            switch format {
            case .table: try Console.print(OriginsText.text(table))
            case .json: try Console.print(try json(table))
            }
        }
    }

    private func scores() throws -> [OriginScores] {
        let root = URL(fileURLWithPath: folder)
        let recipes = try contents(of: root).filter(\.hasDirectoryPath)
        let scores = try recipes.flatMap(scores(ofRecipe:))
        guard !scores.isEmpty else {
            throw CommandFailure(
                .missingInput,
                "\(folder): there is no NAME/ORIGIN.json; `bridgecast origins run` writes them")
        }
        return scores
    }

    /// The scores of one recipe; its files may differ in the origin only.
    private func scores(ofRecipe recipe: URL) throws -> [OriginScores] {
        // Those of the first file, and of the first with facts about its making.
        var days: (file: URL, facts: [String: String])?
        var making: (file: URL, facts: [String: String])?
        return try contents(of: recipe).filter { $0.pathExtension == "json" }.map { file in
            var scores = try OriginScoresFile.read(file.path)
            guard scores.origin == file.deletingPathExtension().lastPathComponent else {
                throw CommandFailure(
                    .data,
                    "\(file.path): holds scores at '\(scores.origin)'; a file is named for its origin"
                )
            }
            try Self.compare(file, ["days": "\(scores.days)"], with: &days)
            if let facts = scores.making?.recipeFacts {
                try Self.compare(file, facts, with: &making)
            }
            // The folder decides the recipe.
            scores.recipe = recipe.lastPathComponent
            return scores
        }
    }

    private static func compare(
        _ file: URL, _ facts: [String: String],
        with first: inout (file: URL, facts: [String: String])?
    ) throws {
        guard let known = first else {
            first = (file, facts)
            return
        }
        let different = OriginScores.Making.differences(facts, from: known.facts)
        guard different.isEmpty else {
            throw CommandFailure(
                .data,
                "\(file.path): is not of the recipe of \(known.file.lastPathComponent) next to it: "
                    + different.joined(separator: "; "))
        }
    }

    private func contents(of folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch {
            throw CommandFailure(
                .missingInput, "\(folder.path): cannot be read: \(systemReason(error))")
        }
    }
}

// MARK: - Options

/// `--origin`, `--days`, `--purge-days`, `--recipe-name`, `--folder`, `--again`.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "First day that is scored (Seattle); may be repeated. Default: ten dates.")
    var origin: [String] = []

    @Option(name: .long, help: "Days from it that are scored.")
    var days = RollingOrigin.defaultDays

    @Option(name: .long, help: "Days before it that the fit does not use either.")
    var purgeDays = RollingOrigin.defaultPurgeDays

    @Option(name: .long, help: "Name of the recipe, and of its folder.")
    var recipeName: String

    @Option(name: .long, help: "Folder for all recipes; created if needed.")
    var folder: String

    @Flag(name: .long, help: "Overwrite files of other settings and unreadable ones.")
    var again = false

    mutating func validate() throws {
        guard (1...366).contains(days) else { throw ValidationError("--days: 1 to 366") }
        guard (0...366).contains(purgeDays) else { throw ValidationError("--purge-days: 0 to 366") }
        try checkFileName(recipeName, of: "--recipe-name")
    }

    /// The origins in order, each once.
    func origins() throws -> [RollingOrigin] {
        let dates = try origin.map(Self.date)
        return Set(dates.isEmpty ? RollingOrigin.defaultDates : dates).sorted().map {
            RollingOrigin($0, days: days, purgeDays: purgeDays)
        }
    }

    /// The date of an `--origin`.
    static func date(_ text: String) throws -> CivilDate {
        guard let date = TimeText.parseDate(text) else {
            throw CommandFailure(.usage, "--origin '\(text)': expected a date, 2026-02-15")
        }
        return date
    }
}
