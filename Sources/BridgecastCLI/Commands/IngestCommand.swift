// `bridgecast ingest`: reads files of opening records into the history store, with a report on every row.
import ArgumentParser
package import BridgecastCore
import BridgecastData
import BridgecastStore
internal import BridgecastSupport
import BridgecastTraining
import Foundation

struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract:
            "Reads SDOT opening records (CSV or JSON) into the history store and reports on every row.",
        discussion: """
            Each file is one transaction; ingesting it again changes nothing. A bad row is counted \
            and located, never fatal. A file of another kind, or without a usable row, is refused: \
            nothing of it is stored, the other files are, and the exit code is that of the first \
            refusal.
            """)

    @Argument(
        help:
            "Files of records: the API's or the portal's CSV, a SODA JSON array, or an object a line (NDJSON); each also compressed with gzip."
    )
    var files: [String]

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help: "Statement of the periods for which the files are complete (JSON). Default: inferred."
    )
    var coverage: String?

    @OptionGroup var merging: MergeOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let stated = try coverage.map { try CoverageFile.read(URL(fileURLWithPath: $0)) }
            if let stated, stated != stated.clamped(to: .earliestPlausible..<Timestamp.now) {
                remark(["periods are taken from 2001 up to now only"], on: coverage)
            }
            var run = IngestRun(store: store, coverage: stated, gapSeconds: merging.gapSeconds)
            defer { run.history?.close() }
            for path in files {
                guard try run.take(URL(fileURLWithPath: path)) else { break }
            }
            switch format {
            case .json: try Console.print(try json(run.reports))
            case .table:
                let texts = run.reports.map { IngestText.text($0) + "\n" }
                let store = run.history.map { ["store: \($0.path)"] } ?? []
                let lines = texts + store
                if !lines.isEmpty { try Console.print(lines.joined(separator: "\n")) }
            }
            for refusal in run.refusals { _ = refusal.report() }
            if !run.refusals.isEmpty, files.count > 1 {
                note(
                    "bridgecast: \(run.stored) of \(files.count) files stored, nothing of the others"
                )
            }
            if run.stored > 0, let history = run.history {
                remark(IngestReview.lines { try history.history(gapSeconds: merging.gapSeconds) })
            }
            if let first = run.refusals.first { throw ExitCode(first.code.rawValue) }
        }
    }
}

// MARK: - Run

/// A run over several files.
struct IngestRun {
    let store: StoreOptions
    /// Where the files' records are complete; nil to infer it.
    let coverage: Coverage?
    let gapSeconds: Int64

    /// The store; created for the first file with records.
    private(set) var history: HistoryStore?
    private(set) var reports: [IngestReport] = []
    private(set) var refusals: [CommandFailure] = []
    private(set) var stored = 0

    init(store: StoreOptions, coverage: Coverage?, gapSeconds: Int64) {
        self.store = store
        self.coverage = coverage
        self.gapSeconds = gapSeconds
    }

    /// Stores a file, or keeps its refusal.
    ///
    /// - Returns: Whether to go on with the next file.
    mutating func take(_ url: URL) throws -> Bool {
        do {
            try ingest(try RecordFile(url, now: .now))
            return true
        } catch let error as DocumentError {
            refusals.append(CommandFailure(error))
            return true
        } catch let error as HistoryStoreError {
            refusals.append(CommandFailure(error))
            return false
        }
    }

    private mutating func ingest(_ file: RecordFile) throws {
        guard !file.records.isEmpty else {
            reports.append(IngestReport(refused: file))
            throw file.noUsableRow
        }
        let opened = try history ?? HistoryStore.open(try store.location(), .writing)
        history = opened
        reports.append(
            try opened.ingest(file, coverage: coverage, gapSeconds: gapSeconds, at: .now))
        stored += 1
    }
}

/// The review of all records in the store, by `ingest` and `sync`.
package enum IngestReview {
    /// Maximum openings that are reviewed; more would delay every ingest.
    package static let maxOpenings = 30_000

    /// The findings, a line each; or why there was no review.
    ///
    /// - Parameters:
    ///   - maxOpenings: More openings are not reviewed.
    ///   - history: Reads the store; an error becomes a line.
    package static func lines(
        maxOpenings: Int = maxOpenings, of history: () throws -> OpeningHistory
    ) -> [String] {
        do {
            let history = try history()
            guard history.count <= maxOpenings else {
                // This test is fast, and what the city publishes has such starts.
                return RecordsReviewText.lines(
                    EdgeStarts.findings(in: history), consequence: "")
                    + [
                        "records: not reviewed further, since the store has \(history.count) openings and at "
                            + "most \(maxOpenings) are reviewed here; `train` reviews them all"
                    ]
            }
            return RecordsReviewText.lines(
                RecordsReview(history).findings,
                consequence:
                    "training leaves it out, or refuses records if it is over a quarter of them")
        } catch {
            return ["records: not reviewed: \(CommandFailure(error).message)"]
        }
    }
}

// MARK: - Text

enum IngestText {
    private static let outcomes: [(IngestReport.Outcome, String)] = [
        (.stored, "new openings"), (.merged, "pieces of an opening recorded in parts, merged"),
        (.duplicate, "exact duplicates of earlier rows, dropped"),
        (.alreadyStored, "in the store already"),
    ]

    private static let rejections: [RecordRejection: String] = [
        .wrongShape: "wrong number of fields, or not an object", .badQuoting: "broken quoting",
        .notABridge: "entitytype is not Bridge", .unknownBridge: "unknown bridge",
        .contradictoryBridge: "id and name of different bridges",
        .missingOpenTime: "no opening time", .unreadableTime: "unreadable time",
        .nonexistentTime: "a time that clocks skipped", .inTheFuture: "in the future",
        .tooEarly: "before 2001",
        .closesBeforeOpening: "closes before it opens", .implausiblyLong: "longer than a day",
        .implausibleLocation: "coordinates not at the bridge",
    ]

    private static let flags: [RecordFlag: String] = [
        .short: "of at most 1 min (tests, aborted)",
        .long: "of at least 30 min (maintenance, stuck)",
        .missingEnd: "without a closing time (length unknown)",
        .minutesDisagree: "whose minutesopen disagrees with its times",
        .repeatedHour: "in the hour that clocks repeat",
    ]

    /// The report of one file.
    static func text(_ report: IngestReport) -> String {
        var table = TextTable(["rows", "result"], [.right, .left])
        for (outcome, text) in outcomes {
            table.add([String(report.outcomes[outcome] ?? 0), text])
        }
        for rejection in RecordRejection.allCases {
            guard let count = report.rejections[rejection] else { continue }
            table.add([String(count), "rejected: \(rejections[rejection] ?? rejection.rawValue)"])
        }
        table.add([String(report.rowsRead), "rows read in all"])
        var lines = [
            "\(printable(report.file, maxLength: 500)) (\(report.form.rawValue)), coverage \(report.coverage.rawValue)"
        ]
        lines.append(table.text(indent: "  "))
        for flag in RecordFlag.allCases {
            guard let count = report.flags[flag] else { continue }
            lines.append("  kept, but flagged: \(count) \(flags[flag] ?? flag.rawValue)")
        }
        for (reason, examples) in report.examples.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            for example in examples {
                lines.append(
                    "  \(reason.rawValue): \(example.unit.rawValue) \(example.number), \(example.field)"
                        + (example.value.isEmpty ? "" : ": '\(printable(example.value))'"))
            }
        }
        return lines.joined(separator: "\n")
    }
}
