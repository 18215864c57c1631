// `bridgecast ingest`: files of opening records into the history store, with an account of each row.
// Belongs here: `ingest` and its report; not: reading records (BridgecastData).
import ArgumentParser
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract:
            "Reads SDOT opening records (CSV or JSON) into the history store and reports on every row.",
        discussion: """
            Each file is one transaction; ingesting it again changes nothing. A bad row is counted \
            and located, never fatal. A file that is not what it claims, or has no usable row, is \
            refused: nothing of it is stored, the other files are, and the exit code is that of the \
            first refusal.
            """)

    @Argument(help: "Files of records: the API's or the portal's CSV, or a SODA JSON array.")
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
                let place = run.history.map { ["store: \($0.path)"] } ?? []
                let lines = texts + place
                if !lines.isEmpty { try Console.print(lines.joined(separator: "\n")) }
            }
            for refusal in run.refusals { _ = refusal.told() }
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
