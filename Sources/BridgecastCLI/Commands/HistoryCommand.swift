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
            func isWanted(_ time: Timestamp) -> Bool {
                (start.map { time >= $0 } ?? true) && (end.map { time < $0 } ?? true)
            }
            guard let output else {
                _ = try write(history, isWanted) { try Console.print($0, terminator: "") }
                return
            }
            var count = 0
            try OutputFile(output).write { file in
                count = try write(history, isWanted) { try file(Data($0.utf8)) }
            }
            note("\(count) openings written to \(output)")
        }
    }

    /// - Parameter isWanted: By the start of an opening.
    /// - Returns: The number of openings that were written.
    private func write(
        _ history: HistoryStore, _ isWanted: (Timestamp) -> Bool,
        to sink: @escaping (String) throws -> Void
    ) throws -> Int {
        var export = OpeningExport(format, to: sink)
        try history.forEachOpening(gapSeconds: merging.gapSeconds) { item in
            if isWanted(item.opening.start) { try export.add(item) }
        }
        try export.finish()
        return export.count
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
        abstract: "Writes a consistent copy of the store, even while it is read and written.",
        discussion: """
            The copy is a file, whichever kind of store is copied; or it is the empty schema of a PostgreSQL database \
            that a URL names.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help:
            "The copy, a file or a URL; an older copy in a file is replaced, any other file is not."
    )
    var file: String

    func run() async throws {
        try await reportingFailures {
            let history = try store.existing()
            defer { history.close() }
            let target = try StoreLocation(file)
            if case .file(let url) = target {
                try history.backUp(to: url)
            } else {
                let copy = try HistoryStore.open(target, .writing)
                defer { copy.close() }
                try history.copy(to: copy)
            }
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

/// Openings as text, written in pieces, so that memory does not grow with their number.
///
/// Models identify their store by the digest of its CSV: another layout would give another digest.
struct OpeningExport {
    /// The number of openings so far.
    private(set) var count = 0

    private let format: ExportFormat
    private let sink: (String) throws -> Void
    /// Openings that are not written yet.
    private var entries: [Entry] = []

    private static let entriesOfPiece = 4096
    private static let header =
        "entityid,entityname,opendatetime,closedatetime,minutesopen,opened_at,closed_at,witnesses\n"

    /// - Parameter sink: Gets the pieces of the text in order.
    init(_ format: ExportFormat, to sink: @escaping (String) throws -> Void) {
        self.format = format
        self.sink = sink
    }

    /// Adds an opening; they come in the order of their starts, then of the bridges.
    mutating func add(_ item: WitnessedOpening) throws {
        entries.append(Entry(item))
        if entries.count == Self.entriesOfPiece { try writePiece() }
    }

    /// Writes the rest, up to the final line end.
    mutating func finish() throws {
        if count == 0 || !entries.isEmpty { try writePiece() }
        if format == .json { try sink("\n]\n") }
    }

    private mutating func writePiece() throws {
        let isFirst = count == 0
        count += entries.count
        try sink((isFirst ? beginning : "") + (try text(isFirst: isFirst)))
        entries.removeAll(keepingCapacity: true)
    }

    private var beginning: String {
        switch format {
        case .csv: Self.header
        case .json: "[\n"
        case .ndjson: ""
        }
    }

    private func text(isFirst: Bool) throws -> String {
        switch format {
        case .csv: entries.map(\.line).joined()
        case .ndjson: try entries.map { try json($0, isLine: true) + "\n" }.joined()
        // Without the brackets of a list, which the pieces share.
        case .json: (isFirst ? "" : ",\n") + (try json(entries)).dropFirst(2).dropLast(2)
        }
    }

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

        /// A line of CSV.
        var line: String {
            [
                entityid, entityname, opendatetime, closedatetime ?? "",
                minutesopen.map { fixed($0, 2) } ?? "", openedAt, closedAt ?? "",
                witnesses.joined(separator: "+"),
            ].joined(separator: ",") + "\n"
        }
    }
}
