// `bridgecast ingest`: files of opening records into the history store, with an account of each row.
import ArgumentParser
import BridgecastCore
import BridgecastData
import Foundation

struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract:
            "Reads SDOT opening records (CSV or JSON) into the history store and reports on every row.",
        discussion: """
            Each file is one transaction; ingesting it again changes nothing. A bad row is counted \
            and located, never fatal; a file that is not what it claims is refused and nothing of \
            it is stored.
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
            // All files are read before the first is stored: a refusal leaves the store untouched.
            let contents = try files.map { try RecordFile(URL(fileURLWithPath: $0), now: .now) }
            let history = try HistoryStore(store.url, .writing)
            defer { history.close() }
            let reports = try contents.map {
                try history.ingest($0, coverage: stated, gapSeconds: merging.gapSeconds, at: .now)
            }
            switch format {
            case .json: try Console.print(try json(reports))
            case .table:
                try Console.print(reports.map(IngestText.text).joined(separator: "\n\n"))
                try Console.print("\nstore: \(store.url.path)")
            }
        }
    }
}
