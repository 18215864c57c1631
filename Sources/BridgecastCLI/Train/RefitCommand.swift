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
            "Fits the model again to the store's records, and replaces it if the new fit is not worse.",
        discussion: """
            Two fits by the recipe of `train`, to the store's records and the shipped ones. The first does not \
            use the newest two weeks; it and the model in use are scored on them, row by row. It takes over if \
            its skill for being stopped is at least that of the model in use, and its skill for a raised span is \
            not significantly lower (95 % interval of the difference, days resampled in pairs). Then the second \
            fit, to all records, replaces the model's file; the first is kept in the folder "validation". If the \
            model in use was fitted to some of these days, its own validation model is scored in its place. \
            A replacement that was interrupted is completed by the next run. Exit code 0 whether or not the \
            model is replaced.
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help:
            "The model in use, NAME.int8.bcm; if there is no such file, the shipped model is in use."
    )
    var model: String

    @Option(name: .long, help: "The newest days of the store, on which both are scored.")
    var days = 14

    @Option(name: .long, help: "Minimum number of these days that the store covers.")
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
        guard RefitFiles.name(ofModel: model) != nil else {
            throw ValidationError("--model: not a file \(RefitFiles.pattern)")
        }
    }

    func run() async throws {
        try await reportingFailures {
            if background { Background.begin() }
            let data = try RefitData(store)
            let period = try RefitPeriod(data.stored, days: days, minCoveredDays: minCoveredDays)
            let files = try RefitFiles(model)
            let inUse = try files.modelInUse(notFittedTo: period.interval)
            let plan = try plan(data.all.history, period)
            let sources = try data.all.provenance()
            let reporter = quiet ? nil : TrainingReporter()
            let training = ModelTraining(plan) { reporter?.report($0) }
            let validated = await training.fit(before: plan.validationFrom, validates: true)
            let candidate = RefitModel(files.name, validated, of: plan, sources: sources)
            let report = RefitReport(
                try ModelFile.read(candidate.bytes), inUse, on: data.all.history, period)
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

// MARK: - Data

/// The openings that a refit is fitted to and scored on.
private struct RefitData {
    /// Those of the store.
    let stored: OpeningHistory
    /// Those of the store and the shipped records.
    let all: LoadedRecords

    /// - Throws: ``CommandFailure`` if there is no store, or nothing in it.
    init(_ options: StoreOptions) throws {
        let store = try options.existing()
        defer { store.close() }
        stored = try store.history()
        let gap = OpeningConsolidation.defaultGapSeconds
        let own = try RecordSource(store, gapSeconds: gap)
        guard ShippedFiles.home() != nil else {
            all = LoadedRecords([own], stated: [stored.coverage], gapSeconds: gap)
            return
        }
        let shipped = try LoadedRecords.shipped().history.coverage
        all = LoadedRecords(
            [own] + (try LoadedRecords.shippedSources()), stated: [stored.coverage, shipped],
            gapSeconds: gap)
    }
}

/// The newest days of a store, on which models are compared.
struct RefitPeriod {
    /// Whole civil days, up to the last one that the store covers.
    let interval: Range<Timestamp>
    /// Its days of which at least half is covered at one bridge or more.
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

/// The scores of a new fit and of the model in use on the same rows, and the decision between them.
struct RefitReport: Encodable {
    let from: String
    let days: Int
    /// Name of the model that the fit was compared with.
    let inUse: String
    /// The end of its training period.
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
            history: history.doubtingEdgeStarts, interval: period.interval)
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

    /// Both are scored as live, with what the live feed would have reported, since that is how they are used.
    private static func rows(of model: LoadedModel, _ scored: EvaluationProtocol) -> ScoredRows {
        scored.rows(of: model, knowing: .liveDay)
    }

    /// The rule: at least as skilful for being stopped, and not significantly less so for a raised span.
    static func isNotWorse(stopped: Estimate, raised: Estimate) -> Bool {
        stopped.value >= 0 && raised.high >= 0
    }

    func text(of files: RefitFiles) -> String {
        var table = TextTable(
            ["skill", "new fit", "in use", "difference", "95 %, days resampled"],
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

private enum Background {
    /// Gives this process the lowest priority.
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
