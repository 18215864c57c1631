// `bridgecast history export`: the store's openings, and who says so.
import ArgumentParser
import BridgecastCore
import BridgecastStore

/// `bridgecast history export`.
struct HistoryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all openings, records and observations reconciled, with who says so.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var merging: MergeOptions

    @Option(name: .long, help: "Output: csv, json or ndjson.")
    var format = ExportFormat.csv

    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from: String?

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to: String?

    @Option(name: .shortAndLong, help: "File to write. Default: standard output.")
    var output: String?

    func run() async throws {
        try await reportingFailures {
            let start = try from.map { try PeriodText.start($0) }
            let end = try to.map { try PeriodText.end($0) }
            if let start, let end, start >= end {
                throw CommandFailure(.usage, "--to lies before --from")
            }
            let history = try store.existing()
            defer { history.close() }
            let contents = try history.contents(gapSeconds: merging.gapSeconds)
            let openings = HistoryText.inOrder(contents.openings).filter { item in
                start.map { item.opening.start >= $0 } ?? true
                    && end.map { item.opening.start < $0 } ?? true
            }
            let text = try HistoryText.text(openings, format)
            guard let output else { return try Console.print(text, terminator: "") }
            try OutputFile(output).write(text)
            note("\(openings.count) openings written to \(output)")
        }
    }
}
