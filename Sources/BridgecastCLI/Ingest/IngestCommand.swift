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
                note(
                    "bridgecast: note: \(coverage ?? ""): periods are taken from 2001 up to now only"
                )
            }
            // A store is made for the first file that has something to put into it.
            var history: HistoryStore?
            defer { history?.close() }
            var reports: [IngestReport] = []
            var stored = 0
            var refusals: [CommandFailure] = []
            for path in files {
                do {
                    let file = try RecordFile(URL(fileURLWithPath: path), now: .now)
                    guard !file.records.isEmpty else {
                        reports.append(IngestReport(refused: file))
                        throw file.noUsableRow
                    }
                    let opened = try history ?? HistoryStore(try store.url(), .writing)
                    history = opened
                    let report = try opened.ingest(
                        file, coverage: stated, gapSeconds: merging.gapSeconds, at: .now)
                    reports.append(report)
                    stored += 1
                } catch let error as DocumentError {
                    refusals.append(CommandFailure(error))
                } catch let error as HistoryStoreError {
                    // The next file would fare no better; what was stored before is reported.
                    refusals.append(CommandFailure(error))
                    break
                }
            }
            switch format {
            case .json: try Console.print(try json(reports))
            case .table:
                let texts = reports.map { IngestText.text($0) + "\n" }
                let place = history.map { ["store: \($0.path)"] } ?? []
                let lines = texts + place
                if !lines.isEmpty { try Console.print(lines.joined(separator: "\n")) }
            }
            guard let first = refusals.first else { return }
            for refusal in refusals { _ = refusal.told() }
            if files.count > 1 {
                note(
                    "bridgecast: \(stored) of \(files.count) files stored, nothing of the others")
            }
            throw ExitCode(first.code.rawValue)
        }
    }
}
