// `bridgecast history`: exports, backs up and prunes the store.
public import ArgumentParser
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Exports, backs up and prunes the history store.",
        subcommands: [HistoryExport.self, HistoryBackup.self, HistoryPrune.self])
}

/// `bridgecast history export`.
struct HistoryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all openings, records and observations reconciled, with their witnesses.")

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
                throw CommandFailure(.usage, "--to is before --from")
            }
            let history = try store.existing()
            defer { history.close() }
            let contents = try history.contents(gapSeconds: merging.gapSeconds)
            let openings = HistoryText.sorted(contents.openings).filter { item in
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

/// `--format` of exports.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json, ndjson
}

// MARK: - Backup

/// `bridgecast history backup`.
struct HistoryBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a consistent copy of the store, even while it is read and written.")

    @OptionGroup var store: StoreOptions

    @Argument(help: "The copy; an older copy is replaced, any other file is not.")
    var file: String

    func run() async throws {
        try await reportingFailures {
            let history = try store.existing()
            defer { history.close() }
            try history.backUp(to: URL(fileURLWithPath: file))
            try Console.print("\(history.path) copied to \(file)")
        }
    }
}

// MARK: - Prune

/// `bridgecast history prune`.
struct HistoryPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes openings that ended before a day from the store, with their coverage.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "The first day (Seattle) that is kept, or a time.")
    var before: String

    @Option(name: .long, help: "What to remove: observed, records or all.")
    var of: HistoryStore.PruneScope = .observed

    @Flag(name: .long, help: "Only show what would be removed.")
    var dryRun = false

    func run() async throws {
        try await reportingFailures {
            let time = try PeriodText.start(before)
            let history = try store.existing(.writing)
            defer { history.close() }
            let report = try history.prune(before: time, of, isTrial: dryRun)
            let verb = dryRun ? "would be" : "were"
            try Console.print(
                "\(report.records) recorded and \(report.observed) observed openings before "
                    + "\(TimeText.rfc3339(time)) \(verb) removed")
        }
    }
}

/// `--of`.
extension HistoryStore.PruneScope: ExpressibleByArgument {}

// MARK: - Openings as text

/// Openings as text.
///
/// Models identify their store by the digest of its CSV: another layout would give another digest.
enum HistoryText {
    /// One opening with the field names of data set gm8h-9449, and absolute times.
    private struct Entry: Encodable {
        let entityid: String
        let entityname: String
        let opendatetime: String
        let closedatetime: String?
        let minutesopen: Double?
        let openedAt: String
        let closedAt: String?
        let witnesses: [String]

        init(_ item: WitnessedOpening) {
            let bridge = BridgeCatalogue[item.opening.bridge]
            entityid = "\(bridge.id)"
            entityname = bridge.name
            opendatetime = Self.floating(item.opening.start)
            closedatetime = item.opening.end.map(Self.floating)
            minutesopen = item.opening.minutes
            openedAt = TimeText.rfc3339(item.opening.start)
            closedAt = item.opening.end.map(TimeText.rfc3339)
            witnesses = item.witnesses.sorted().map(\.rawValue)
        }

        private static func floating(_ time: Timestamp) -> String {
            String(TimeText.rfc3339(time).prefix(19)) + ".000"
        }
    }

    /// Openings of all bridges in the order of their starts, then of the bridges.
    static func sorted(_ byBridge: [[WitnessedOpening]]) -> [WitnessedOpening] {
        byBridge.flatMap { $0 }.sorted {
            ($0.opening.start, $0.opening.bridge) < ($1.opening.start, $1.opening.bridge)
        }
    }

    /// Openings in a format, with a final line end.
    static func text(_ openings: [WitnessedOpening], _ format: ExportFormat) throws -> String {
        let entries = openings.map(Entry.init)
        switch format {
        case .json: return try json(entries) + "\n"
        case .ndjson: return try entries.map { try json($0, isLine: true) + "\n" }.joined()
        case .csv:
            let header =
                "entityid,entityname,opendatetime,closedatetime,minutesopen,opened_at,closed_at,"
                + "witnesses\n"
            return header
                + entries.map { entry in
                    [
                        entry.entityid, entry.entityname, entry.opendatetime,
                        entry.closedatetime ?? "", entry.minutesopen.map { fixed($0, 2) } ?? "",
                        entry.openedAt, entry.closedAt ?? "",
                        entry.witnesses.joined(separator: "+"),
                    ].joined(separator: ",") + "\n"
                }.joined()
        }
    }
}
