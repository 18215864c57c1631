// `bridgecast refit`: fits again on the records of the store, scores the fit next to the model in use on the newest
// days, and takes over if it is not worse. `train` trains without a comparison.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastStore
import BridgecastSupport
import BridgecastTraining
import Foundation
import Glibc

struct RefitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refit",
        abstract:
            "Fits a model again on the store's records, and puts it in use if it is not worse.",
        discussion: """
            Two fits by the recipe of `train`, on the store's records and the shipped ones. The first does not \
            see the newest two weeks; it and the model in use are scored on them, row by row. It takes over if \
            its skill for being stopped is at least that of the model in use, and its skill for a raised span is not \
            surely below it (95 % of days drawn again, the same days for both). Then the second fit, to all \
            records, replaces the model's file; the first is kept in the folder "validation". A model in use \
            that was fitted to some of these days is represented by its own validation model. Exit code 0 \
            whether or not the model is replaced.
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help:
            "The model in use, NAME.int8.bcm; without such a file the shipped model is compared with."
    )
    var model: String

    @Option(name: .long, help: "Newest days of the store that are scored.")
    var days = 14

    @Option(name: .long, help: "Of these, days that the store must cover at least.")
    var minCoveredDays = 10

    @OptionGroup var review: RecordsReviewOptions
    @OptionGroup var training: TrainingOptions

    @Flag(name: .long, help: "Run at the lowest priority.")
    var background = false

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    @Flag(name: .shortAndLong, help: "No progress on standard error.")
    var quiet = false

    mutating func validate() throws {
        guard (2...60).contains(days) else { throw ValidationError("--days: 2 to 60") }
        guard (2...days).contains(minCoveredDays) else {
            throw ValidationError("--min-covered-days: 2 to --days")
        }
        let file = URL(fileURLWithPath: model).lastPathComponent
        guard file.hasSuffix(RefitFiles.suffix), file != RefitFiles.suffix else {
            throw ValidationError("--model: a file NAME\(RefitFiles.suffix)")
        }
        try checkFileName(String(file.dropLast(RefitFiles.suffix.count)), of: "--model")
    }

    func run() async throws {
        try await reportingFailures {
            if background { Background.begin() }
            let records = try RefitRecords(store)
            let period = try RefitPeriod(records.stored, days: days, minCoveredDays: minCoveredDays)
            let files = try RefitFiles(model)
            let inUse = try files.modelInUse(notFittedTo: period.interval)
            let plan = try plan(records.loaded.history, period)
            let sources = try records.loaded.provenance()
            let reporter = quiet ? nil : TrainingReporter()
            let training = ModelTraining(plan) { reporter?.report($0) }
            let validated = await training.fit(before: plan.validationFrom, validates: true)
            let candidate = RefitModel(files.name, validated, of: plan, sources: sources)
            let report = RefitReport(
                try ModelFile.read(candidate.bytes), inUse, on: records.loaded.history, period)
            if report.takesOver {
                let refitted = await training.fit(before: plan.validationTo, validates: false)
                try files.replace(
                    with: RefitModel(files.name, refitted, of: plan, sources: sources),
                    validated: candidate)
            }
            switch format {
            case .table: try Console.print(report.text(of: files))
            case .json: try Console.print(try json(report))
            }
        }
    }

    private func plan(_ records: OpeningHistory, _ period: RefitPeriod) throws -> TrainingPlan {
        let cut = period.interval.lowerBound
        let history = try review.accepted(records, before: cut, quiet: true)
        guard !history.before(cut).coverage.isEmpty else {
            throw CommandFailure(
                .data, "there are no covered records before \(period.text) to fit to; sync more")
        }
        var plan = TrainingPlan(
            history: history, validationFrom: cut, validationTo: period.interval.upperBound)
        plan.refitHistory = try review.accepted(records, before: plan.validationTo, quiet: true)
        training.apply(to: &plan)
        return plan
    }
}

// MARK: - Records

/// The records of a refit: the store's, and the shipped ones with them.
private struct RefitRecords {
    let stored: OpeningHistory
    let loaded: LoadedRecords

    /// - Throws: ``CommandFailure`` if there is no store, or nothing in it.
    init(_ options: StoreOptions) throws {
        let store = try options.existing()
        let url = URL(fileURLWithPath: store.path)
        defer { store.close() }
        stored = try store.history()
        let gap = OpeningConsolidation.defaultGapSeconds
        let own = try RecordSource(url, gapSeconds: gap)
        guard ShippedFiles.home() != nil else {
            loaded = LoadedRecords([own], stated: [stored.coverage], gapSeconds: gap)
            return
        }
        let shipped = try LoadedRecords.shipped().history.coverage
        loaded = LoadedRecords(
            [own] + (try LoadedRecords.shippedSources()), stated: [stored.coverage, shipped],
            gapSeconds: gap)
    }
}

/// The newest days of a store, on which models are compared.
struct RefitPeriod {
    /// Whole civil days up to the last one that the store covers.
    let interval: Range<Timestamp>
    /// Days of it of which at least half is covered at some bridge.
    let coveredDays: Int

    /// - Throws: ``CommandFailure`` if too few of the days are covered.
    init(_ stored: OpeningHistory, days: Int, minCoveredDays: Int) throws {
        let coverage = stored.coverage
        guard let end = coverage.periods.compactMap({ $0.last?.upperBound }).max() else {
            throw CommandFailure(
                .data,
                "the store covers no time; \(minCoveredDays) covered days are needed: run `bridgecast sync`"
            )
        }
        let last = SeattleTime.civil(at: end.adding(seconds: -1)).date
        let numbers = last.dayNumber - days + 1...last.dayNumber
        interval = SeattleTime.period(ofDays: numbers)
        coveredDays = numbers.count { number in
            let day = coverage.clamped(to: SeattleTime.period(ofDays: number...number))
            return BridgeIndex.all.contains { day.minutes(of: $0) >= 720 }
        }
        guard coveredDays >= minCoveredDays else {
            throw CommandFailure(
                .data,
                "of the store's newest \(days) days, \(text), \(coveredDays) are covered; "
                    + "\(minCoveredDays) are needed: sync daily, and try again later")
        }
    }

    /// Such as "2026-09-11 to 2026-09-24".
    var text: String {
        let last = SeattleTime.civil(at: interval.upperBound.adding(seconds: -1)).date
        return "\(SeattleTime.civil(at: interval.lowerBound).date) to \(last)"
    }
}

// MARK: - Comparison

/// The scores of a new fit and the model in use on the same rows, and which of them is to be used.
struct RefitReport: Encodable {
    let from: String
    let days: Int
    /// The model that the fit was compared with, and what it was fitted before.
    let inUse: String
    let inUseFittedBefore: String
    /// Of being stopped, queue included; positive differences favour the new fit.
    let stopped: ModelComparison
    /// Of a span that is up on arrival.
    let raised: ModelComparison
    /// Whether the new fit takes over.
    let takesOver: Bool

    init(
        _ candidate: LoadedModel, _ inUse: LoadedModel, on history: OpeningHistory,
        _ period: RefitPeriod
    ) {
        let scored = EvaluationProtocol(
            history: RecordsReviewText.withoutDoubtedStarts(history), interval: period.interval)
        let rows = Self.rows(of: candidate, scored)
        let others = Self.rows(of: inUse, scored)
        let name = inUse.header.name
        raised = ModelComparison(rows, others, name: name)
        stopped = ModelComparison(rows.asStopped(), others.asStopped(), name: name)
        from = period.text
        days = period.coveredDays
        self.inUse = name
        inUseFittedBefore = TimeText.rfc3339(inUse.header.provenance.fittedBefore)
        takesOver = Self.isNotWorse(
            stopped: stopped.skillDifference, raised: raised.skillDifference)
    }

    /// Both are scored with what the live feed would have known, since that is what they are used with.
    private static func rows(of model: LoadedModel, _ scored: EvaluationProtocol) -> ScoredRows {
        scored.rows(of: model, knowing: .liveDay)
    }

    /// The rule: at least as good for being stopped, and not surely worse for a raised span.
    static func isNotWorse(stopped: Estimate, raised: Estimate) -> Bool {
        stopped.value >= 0 && raised.high >= 0
    }

    func text(of files: RefitFiles) -> String {
        var table = TextTable(
            ["skill", "new fit", "in use", "difference", "95 % of days drawn again"],
            [.left, .right, .right, .right, .left])
        for (name, scores) in [("stopped", stopped), ("raised on arrival", raised)] {
            let difference = scores.skillDifference
            table.add([
                name, fixed(scores.skill, 4), fixed(scores.otherSkill, 4),
                fixed(difference.value, 4),
                "\(fixed(difference.low, 4)) to \(fixed(difference.high, 4))",
            ])
        }
        let result =
            takesOver
            ? "the new fit is not worse and takes over: \(files.path)"
            : "the model in use is better and stays: \(files.path)"
        return "\(from), \(days) covered days\n\(table.text(indent: "  "))\n\(result)"
    }
}

// MARK: - Files

/// A fitted model as its file in int8 and its manifest.
struct RefitModel {
    let bytes: [UInt8]
    let manifest: TrainingManifest

    init(
        _ name: String, _ model: TrainedModel, of plan: TrainingPlan,
        sources: [ModelProvenance.Source]
    ) {
        let provenance = plan.provenance(of: model, sources: sources)
        let draft = ModelDraft(
            name: name, layers: model.layers, normalisation: model.normalisation,
            climatology: model.climatology, provenance: provenance)
        bytes = ModelFile.bytes(of: draft, as: .int8, calibration: model.calibration)
        var manifest = TrainingManifest(name: name, provenance)
        manifest.add(name + RefitFiles.suffix, bytes)
        self.manifest = manifest
    }
}

/// The files of the model in use: NAME.int8.bcm, NAME.manifest.json, and the same in "validation".
struct RefitFiles {
    static let suffix = ".int8.bcm"
    /// The model's file.
    let path: String
    let name: String
    private let folder: OutputFolder
    private let lock: FolderLock?

    /// Creates the folder if needed, and locks it.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written, or another refit runs.
    init(_ path: String) throws {
        self.path = path
        let url = URL(fileURLWithPath: path)
        name = String(url.lastPathComponent.dropLast(Self.suffix.count))
        folder = try OutputFolder(url.deletingLastPathComponent().path)
        lock = try FolderLock(folder.path, remedy: "wait for its end")
    }

    /// The model in use, or the one that stands for it because it has not seen a period.
    ///
    /// - Throws: ``CommandFailure`` if both have seen some of it.
    func modelInUse(notFittedTo period: Range<Timestamp>) throws -> LoadedModel {
        let isThere = FileManager.default.fileExists(atPath: path)
        let inUse = isThere ? URL(fileURLWithPath: path) : try ShippedFiles.defaultModel()
        let model = try ModelLoading.load(inUse)
        func isFair(_ model: LoadedModel) -> Bool {
            model.header.provenance.fittedBefore <= period.lowerBound
        }
        if isFair(model) { return model }
        let other = inUse.deletingLastPathComponent()
            .appendingPathComponent("validation/\(inUse.lastPathComponent)")
        if FileManager.default.fileExists(atPath: other.path) {
            let validated = try ModelLoading.load(other)
            if isFair(validated) { return validated }
        }
        throw CommandFailure(
            .data,
            "\(inUse.path): was fitted to days that it would be scored on, as was the model in validation/, "
                + "if there is one: sync newer records, or compare fewer --days")
    }

    /// Replaces the model in use, or nothing: all files are written and synchronised before the first is renamed.
    ///
    /// - Throws: ``CommandFailure``; the files in use are as they were.
    func replace(with model: RefitModel, validated: RefitModel) throws {
        let staging = try folder.folder(".refit")
        defer { try? FileManager.default.removeItem(atPath: staging.path) }
        let validation = try folder.folder("validation")
        let stagedValidation = try staging.folder("validation")
        try stage(validated, in: stagedValidation)
        try stage(model, in: staging)
        try move(from: stagedValidation, to: validation)
        try move(from: staging, to: folder)
    }

    private var manifestName: String { "\(name).manifest.json" }

    private func stage(_ model: RefitModel, in staging: OutputFolder) throws {
        try staging.file(name + Self.suffix).write(Data(model.bytes))
        try model.manifest.write(to: staging.file(manifestName))
    }

    private func move(from staging: OutputFolder, to folder: OutputFolder) throws {
        for file in [name + Self.suffix, manifestName] {
            let target = "\(folder.path)/\(file)"
            guard unsafe rename("\(staging.path)/\(file)", target) == 0 else {
                throw CommandFailure(
                    .io, "\(target): cannot be replaced: \(systemReason(POSIXError.last))")
            }
        }
    }
}

/// Keeps this process out of the way of others.
private enum Background {
    /// Gives it the lowest priority.
    ///
    /// Linux has one for each thread: those that exist get it, and threads that they start inherit it.
    static func begin() {
        let threads =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for thread in threads.compactMap({ id_t($0) }) {
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), thread, 19)
        }
    }
}
