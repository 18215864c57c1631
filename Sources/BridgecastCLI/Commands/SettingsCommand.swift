// `bridgecast settings`: a person's settings and consents, kept in the journal; no network.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows and changes your settings: defaults, and what may be kept of you.",
        subcommands: [
            SettingsShow.self, SettingsSet.self, SettingsReset.self, SettingsExport.self,
            SettingsImport.self,
        ])
}

/// `bridgecast settings show`.
struct SettingsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows your settings; without a journal, the defaults.")

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let settings = try await settings()
            switch format {
            case .json: try Console.print(settings.jsonText())
            case .table: try Console.print(SettingsText.table(settings))
            }
        }
    }
}

extension SettingsShow {
    private func settings() async throws -> JournalSettings {
        do {
            return try await journal.with(.reading) { try $0.settings() }
        } catch let error as JourneyStoreError
            where [.missing, .file(.empty)].contains(error.problem)
        {
            remark(["there is no journal yet: these are the defaults"])
            return JournalSettings()
        }
    }
}

/// `bridgecast settings set`.
struct SettingsSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes settings.",
        discussion: """
            Both consents are off until you give them. Without --keep-history nothing is learned from your journeys, and no \
            service records any; what you enter with `journey` is kept. Without --keep-location nothing is kept that has \
            coordinates.
            """)

    @Option(
        name: .long,
        help: "Minutes between refreshes of a new favourite: manual, 1, 2, 5, 10 or 15.")
    var refresh: FavouriteRefresh?

    @Option(
        name: .long,
        help: "Minutes before leaving at which a new reminder reminds you, or such as 90s.")
    var lead: TypedDuration?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether a reminder is announced again when the time to leave moves.")
    var announceMoves: Bool?

    @Flag(inversion: .prefixedNo, help: "Whether journeys are recorded at all.")
    var trackJourneys: Bool?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Your consent to a history: services may record journeys, and it is learned from them.")
    var keepHistory: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Your consent to keeping coordinates. --no-keep-location removes those that are kept."
    )
    var keepLocation: Bool?

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            var change = JournalSettingsChange()
            change.refresh = refresh
            change.reminderLeadSeconds = try lead.map {
                try ReminderText.seconds($0, option: "--lead")
            }
            change.announcesMoves = announceMoves
            change.tracksJourneys = trackJourneys
            change.keepsHistory = keepHistory
            change.keepsLocation = keepLocation
            guard !change.isEmpty else {
                throw CommandFailure(
                    .usage, "nothing to change: write a setting, such as --keep-history")
            }
            let report = try await journal.with(.writing) { try $0.change(change) }
            try SettingsText.show(report, as: format)
        }
    }
}

/// `bridgecast settings reset`.
struct SettingsReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Returns to the defaults and withdraws both consents.",
        discussion: "What was kept with coordinates is removed.")

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let report = try await journal.with(.writing) { try $0.resetSettings() }
            try SettingsText.show(report, as: format)
        }
    }
}

/// `bridgecast settings export`.
struct SettingsExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes your settings as JSON.")

    @Option(
        name: .shortAndLong,
        help: "File to write, readable by you alone. Default: standard output.",
        completion: .file())
    var output: String?

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let settings = try await journal.with(.reading) { try $0.settings() }
            let text = settings.jsonText() + "\n"
            guard let output else { return try Console.print(text, terminator: "") }
            try OutputFile(output, isPrivate: true).write(text)
            BridgecastCLI.note("settings written to \(output)")
        }
    }
}

/// `bridgecast settings import`.
struct SettingsImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes all settings from an export, or none.",
        discussion: "Without consent to coordinates in it, those that are kept are removed.")

    @Argument(help: "What export wrote.", completion: .file())
    var file: String

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let settings: JournalSettings
            let bytes = try LocalInput.bytes(of: file, maxBytes: JournalSettings.maxBytes)
            do throws(DocumentProblem) {
                settings = try JournalSettings(reading: bytes)
            } catch {
                throw DocumentError(error, in: file)
            }
            let report = try await journal.with(.writing) {
                try $0.change(JournalSettingsChange(to: settings))
            }
            try SettingsText.show(report, as: format)
        }
    }
}

// MARK: - Text

private enum SettingsText {
    static func show(_ report: JourneyStore.SettingsReport, as format: ReportFormat) throws {
        if report.removedJourneys + report.removedFavourites > 0 {
            remark([
                "removed with their coordinates: \(counted(report.removedJourneys, "journey")), "
                    + "\(counted(report.removedFavourites, "favourite")) with "
                    + counted(report.removedReminders, "reminder")
            ])
        }
        switch format {
        case .json: try Console.print(report.settings.jsonText())
        case .table: try Console.print(table(report.settings))
        }
    }

    static func table(_ settings: JournalSettings) -> String {
        var table = TextTable(["setting", "value", "what for"], [.left, .left, .left])
        let refresh = settings.refresh == .manual ? "manual" : "\(settings.refresh.text) min"
        let lead = "\(plainNumber(Double(settings.reminderLeadSeconds) / 60)) min"
        table.add(["refresh", refresh, "of new favourites"])
        table.add(["lead", lead, "of new reminders"])
        table.add([
            "announce-moves", flag(settings.announcesMoves),
            "announces a reminder again when the time to leave moves",
        ])
        table.add(["track-journeys", flag(settings.tracksJourneys), "records journeys at all"])
        table.add([
            "keep-history", flag(settings.keepsHistory),
            "consent: services record journeys, and it is learned from them",
        ])
        table.add([
            "keep-location", flag(settings.keepsLocation), "consent: coordinates are kept",
        ])
        return table.text()
    }

    private static func flag(_ value: Bool) -> String { value ? "yes" : "no" }
}
