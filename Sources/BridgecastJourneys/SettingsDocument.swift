// Settings as a document: what `settings export` writes and `settings import` reads.
import BridgecastCore
public import BridgecastSupport

/// The fields of settings in documents, in their order.
enum SettingsField: String, CaseIterable, CodingKey, Sendable {
    case format, version
    case refreshMinutes = "refresh_min"
    case reminderLeadSeconds = "reminder_lead_s"
    case announcesMoves = "announces_moves"
    case tracksJourneys = "tracks_journeys"
    case keepsHistory = "keeps_history"
    case keepsLocation = "keeps_location"
}

extension JournalSettings {
    /// The name of the format, in each document.
    static let format = "bridgecast-settings"
    /// The version of the format that is written, and the newest that is read.
    public static let version = 1
    /// How long a document may be, bytes.
    public static let maxBytes = 16 << 10

    /// Reads a document, which has all settings.
    ///
    /// - Throws: `DocumentProblem` with the line and the field.
    public init(reading bytes: [UInt8]) throws(DocumentProblem) {
        self = try VersionedReader.content(
            of: bytes, format: Self.format, newestVersion: Self.version
        ) { (entry: JournalEntry<SettingsField>) throws(JournalEntryProblem<SettingsField>) in
            try JournalSettings(entry)
        }
    }

    private init(
        _ entry: JournalEntry<SettingsField>
    ) throws(JournalEntryProblem<SettingsField>) {
        func flag(_ field: SettingsField) throws(JournalEntryProblem<SettingsField>) -> Bool {
            guard let flag = try entry.flag(field) else {
                throw JournalEntryProblem(field: field, text: "is missing")
            }
            return flag
        }
        self.init()
        refresh = try entry.required(.refreshMinutes, "0, 1, 2, 5, 10 or 15", as: .literal) {
            Int($0).flatMap(FavouriteRefresh.init(rawValue:))
        }
        reminderLeadSeconds = try entry.required(
            .reminderLeadSeconds, "0 to \(Reminder.maxSeconds) seconds", as: .literal
        ) { text in
            Int(text).flatMap { (0...Reminder.maxSeconds).contains($0) ? $0 : nil }
        }
        announcesMoves = try flag(.announcesMoves)
        tracksJourneys = try flag(.tracksJourneys)
        keepsHistory = try flag(.keepsHistory)
        keepsLocation = try flag(.keepsLocation)
    }
}

extension JournalSettings: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("format", Self.format)
        json.field("version", Self.version)
        json.field("refresh_min", refresh.rawValue)
        json.field("reminder_lead_s", reminderLeadSeconds)
        json.field("announces_moves", announcesMoves)
        json.field("tracks_journeys", tracksJourneys)
        json.field("keeps_history", keepsHistory)
        json.field("keeps_location", keepsLocation)
    }
}

extension JourneyStore.SettingsReport: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("settings", settings)
        json.field("removed_journeys", removedJourneys)
        json.field("removed_favourites", removedFavourites)
        json.field("removed_reminders", removedReminders)
    }
}
