// `bridgecast journey export`, `import`, `clear` and `limit`: the journal as a whole.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

/// `bridgecast journey export`.
struct JournalExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the journal: all of it, or counts without names and times.")

    @Option(name: .long, help: "Output: json, or csv, which has journeys alone.")
    var format = JournalFormat.json

    @Flag(
        name: .long,
        help:
            "Only counts of journeys by hashed route, part of the day and class of delay; those that fewer than 5 share are left out."
    )
    var anonymous = false

    @Option(
        name: .shortAndLong,
        help: "File to write, readable by you alone. Default: standard output.",
        completion: .file())
    var output: String?

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let zone = try zone.timeZone()
            let (text, note) = try await journal.with(.reading) { store in
                anonymous ? try anonymousText(store, zone) : try fullText(store)
            }
            guard let output else { return try Console.print(text, terminator: "") }
            try OutputFile(output, isPrivate: true).write(text)
            BridgecastCLI.note("\(note) written to \(output)")
        }
    }

    private func fullText(_ store: JourneyStore) throws -> (text: String, note: String) {
        let contents = try store.contents()
        let journeys = counted(contents.journeys.count, "journey")
        switch format {
        case .csv: return (contents.csv, journeys)
        case .json:
            return (
                contents.jsonText() + "\n",
                "\(journeys), \(counted(contents.favourites.count, "favourite")) and "
                    + counted(contents.reminders.count, "reminder")
            )
        }
    }

    private func anonymousText(
        _ store: JourneyStore, _ zone: TimeZone
    ) throws -> (text: String, note: String) {
        let export = try store.anonymousExport(zone: zone)
        remark([
            "left out: \(counted(export.leftOutJourneys, "journey")) in "
                + "\(counted(export.leftOutRows, "combination")) that fewer than "
                + "\(AnonymousExport.minJourneys) share"
        ])
        return (
            format == .csv ? export.csv : export.jsonText() + "\n",
            counted(export.rows.count, "row")
        )
    }
}

/// `--format` of journals.
enum JournalFormat: String, ExpressibleByArgument, CaseIterable {
    case json, csv
}

/// `bridgecast journey import`.
struct JournalImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds all that an export has, or nothing.",
        discussion: """
            Those whose id is kept already are replaced. A favourite with the name and the trip of one that is kept is that \
            one; with the name of another trip it is refused.
            """)

    @Argument(help: "An export, JSON or CSV.", completion: .file())
    var file: String

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let document = try Self.document(file, now: now)
            let report = try await merge(document, now: now)
            if report.overlapping > 0 {
                remark(["\(report.overlapping) journeys begin before an earlier one has ended"])
            }
            if report.dropped > 0 {
                remark(["the journal is full: \(report.dropped) of the oldest were dropped"])
            }
            try Console.print(
                "\(counted(report.added, "journey")) added, \(report.replaced) replaced; "
                    + "\(counted(report.favourites, "favourite")), "
                    + counted(report.reminders, "reminder"))
        }
    }

    private func merge(
        _ document: JournalDocument, now: Timestamp
    ) async throws -> JourneyStore.ImportReport {
        do {
            return try await journal.with(.writing) { try $0.merge(document.contents, now: now) }
        } catch let error as JourneyStoreError {
            guard case .conflict(let conflict) = error.problem else { throw error }
            throw DocumentError(document.problem(of: conflict), in: file)
        }
    }

    private static func document(_ file: String, now: Timestamp) throws -> JournalDocument {
        let bytes = try LocalInput.bytes(of: file, maxBytes: JournalContents.maxBytes)
        do throws(DocumentProblem) {
            return try JournalDocument(reading: bytes, now: now)
        } catch {
            throw DocumentError(error, in: file)
        }
    }
}

/// `bridgecast journey clear`.
struct JournalClear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes the journeys that began before a day.")

    @Option(name: .long, help: "The first day (Seattle) that is kept, or a time.")
    var before: String

    @Flag(name: .long, help: "Only show how many would be removed.")
    var dryRun = false

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let time = try PeriodText.start(before)
            let count = try await journal.with(.writing) {
                try $0.clear(before: time, isTrial: dryRun)
            }
            try Console.print(
                "\(dryRun ? "Would remove" : "Removed") \(counted(count, "journey")) before "
                    + TimeText.rfc3339(time))
        }
    }
}

/// `bridgecast journey limit`.
struct JournalLimit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Shows or sets how many journeys are kept; the oldest beyond that are dropped.")

    @Argument(help: "How many. Default: show it.")
    var count: Int?

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            guard let count else {
                let limit = try await journal.with(.reading) { try $0.maxJourneys() }
                return try Console.print("At most \(limit) journeys are kept")
            }
            let dropped = try await journal.with(.writing) { try $0.setMaxJourneys(count) }
            try Console.print(
                "At most \(count) journeys are kept; \(dropped) of the oldest were dropped")
        }
    }
}
