// The journal on disk: a private file of its own, opened and read. Writing is in JourneyStore+Writing.swift.
public import BridgecastCore
public import BridgecastStore
public import Foundation
internal import BridgecastSupport
internal import GRDB

/// Journeys, favourites, reminders and settings in a private file.
///
/// Only its owner may read it: its mode is 0600 from the first byte, that of its logs too. It is apart from the history
/// store, which is exported and backed up. As there, a change is one transaction that is on the disk when it returns. With a
/// key the file is encrypted: only ciphertext is written, and each change writes all of it.
public final class JourneyStore: Sendable {
    let database: PrivateDatabase
    /// The journal's file.
    public let path: String
    let access: HistoryStore.Access
    private let keySource: JournalKeySource
    /// The features that are switched on.
    let features: PersonFeatures
    /// Called after each change with the file's problem, nil if there was none.
    let noteWrite: @Sendable (StoreProblem?) -> Void

    /// How many journeys are kept by default.
    public static let defaultMaxJourneys = 1_000
    /// The largest number of journeys that can be kept.
    public static let largestMaxJourneys = 100_000
    /// How many favourites there may be.
    public static let maxFavourites = 200

    /// The location of the user's journal: `$XDG_DATA_HOME/bridgecast/journeys.sqlite`, by default under
    /// `~/.local/share`; nil if the environment names neither an absolute XDG_DATA_HOME nor such a HOME.
    package static func defaultURL(environment: [String: String]) -> URL? {
        UserFolder.data.url(of: "journeys.sqlite", environment: environment)
    }

    /// Opens a journal; for writing, file and folder are created if missing.
    ///
    /// A file that is no journal is recognised before anything is written, and is not changed.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted journal; a new one is encrypted with it. Nil for one that is not encrypted.
    ///   - keySource: What names the key, for messages.
    ///   - isBoundToName: Whether an encrypted journal can be read under no other file name, so that the journals of several
    ///     people cannot be exchanged. One that was encrypted without that is refused.
    ///   - features: The features that are switched on; all by default.
    ///   - noteWrite: Called after each change with the file's problem, nil if there was none.
    /// - Throws: ``JourneyStoreError``.
    public init(
        _ url: URL, _ access: HistoryStore.Access, key: StoreKey? = nil,
        keySource: JournalKeySource = .option, isBoundToName: Bool = false,
        features: PersonFeatures = PersonFeatures(),
        noteWrite: @escaping @Sendable (StoreProblem?) -> Void = { _ in }
    ) throws(JourneyStoreError) {
        path = url.path
        self.access = access
        self.keySource = keySource
        self.features = features
        self.noteWrite = noteWrite
        database = try JourneyStoreError.about(url.path, access, keySource: keySource) {
            try PrivateDatabase(
                url, access, key: key, isBoundToName: isBoundToName, as: JourneySchema.schema,
                missing: JourneyStoreProblem.missing)
        }
    }

    /// Closes the journal, which must not be used afterwards.
    public func close() { database.close() }

    func reading<Result>(_ body: (Database) throws -> Result) throws(JourneyStoreError) -> Result {
        try about { try database.read(body) }
    }

    /// Runs a body whose errors become those of this journal.
    func about<Result>(_ body: () throws -> Result) throws(JourneyStoreError) -> Result {
        try JourneyStoreError.about(path, access, keySource: keySource, body)
    }

    // MARK: Journeys

    /// Journeys in order of their start; O(n).
    ///
    /// - Parameter from: The earliest start; nil for all.
    /// - Throws: ``JourneyStoreError``.
    public func journeys(from: Timestamp? = nil) throws(JourneyStoreError) -> [Journey] {
        try reading { try Self.journeys(from: from, in: $0) }
    }

    static func journeys(from: Timestamp?, in database: Database) throws -> [Journey] {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT \(Journey.columns) FROM journey WHERE start >= ? ORDER BY start, id",
            arguments: [from?.secondsSinceEpoch ?? 0])
        var journeys: [Journey] = []
        while let row = try rows.next() { journeys.append(try Journey(row: row)) }
        return journeys
    }

    /// The journey that is under way, the latest if there are several; nil if none is.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func underWay() throws(JourneyStoreError) -> Journey? {
        try reading { try Self.underWay(in: $0) }
    }

    static func underWay(in database: Database) throws -> Journey? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(Journey.columns) FROM journey WHERE arrival IS NULL AND isAbandoned = 0
                ORDER BY start DESC, id LIMIT 1
                """
        ).map(Journey.init)
    }

    /// The trips and lines that were used last, each once, the latest first.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func recents(max count: Int = 10) throws(JourneyStoreError) -> [Journey] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Journey.columns), max(start) FROM journey GROUP BY route
                    ORDER BY max(start) DESC, id LIMIT ?
                    """, arguments: [count])
            return try rows.map(Journey.init)
        }
    }

    /// The number of journeys that are kept at most.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func maxJourneys() throws(JourneyStoreError) -> Int {
        try reading { try Self.maxJourneys(in: $0) }
    }

    static func maxJourneys(in database: Database) throws -> Int {
        guard let max = try Int.fetchOne(database, sql: "SELECT maxJourneys FROM journal") else {
            throw StoreProblem.damaged("its settings are missing")
        }
        return max
    }

    /// The secret by which routes are hashed in anonymous exports; random, and only in this file.
    ///
    /// - Throws: ``JourneyStoreError``.
    func salt() throws(JourneyStoreError) -> [UInt8] {
        try reading { database in
            guard let salt = try Data.fetchOne(database, sql: "SELECT salt FROM journal"),
                !salt.isEmpty
            else { throw StoreProblem.damaged("its salt is missing") }
            return Array(salt)
        }
    }

    // MARK: Favourites

    /// All favourites in their order.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func favourites() throws(JourneyStoreError) -> [Favourite] {
        try reading { try Self.favourites(in: $0) }
    }

    static func favourites(in database: Database) throws -> [Favourite] {
        try Row.fetchAll(
            database, sql: "SELECT \(Favourite.columns) FROM favourite ORDER BY position, id"
        ).map(Favourite.init)
    }

    /// The favourite of a name, ignoring case, accents and blanks, or of the beginning of an id.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func favourite(_ text: String) throws(JourneyStoreError) -> Favourite {
        try reading { try Self.favourite(text, of: try Self.favourites(in: $0)) }
    }

    static func favourite(_ text: String, of all: [Favourite]) throws -> Favourite {
        let folded = Favourite.folded(text)
        if let named = all.first(where: { Favourite.folded($0.name) == folded }) { return named }
        return try only(text, of: all)
    }

    /// The one whose id begins with a text.
    static func only<Entry: Identifiable>(
        _ text: String, of entries: [Entry]
    ) throws -> Entry where Entry.ID == String {
        if let exact = entries.first(where: { $0.id == text }) { return exact }
        let found = text.isEmpty ? [] : entries.filter { $0.id.hasPrefix(text) }
        guard let first = found.first else { throw JourneyStoreProblem.unknown(text) }
        guard found.count == 1 else { throw JourneyStoreProblem.ambiguous(text) }
        return first
    }

    // MARK: Reminders

    /// How many reminders there may be.
    public static let maxReminders = 200

    /// All reminders, those of the first favourite first, then by time of day.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func reminders() throws(JourneyStoreError) -> [Reminder] {
        try reading { try Self.reminders(in: $0) }
    }

    static func reminders(in database: Database) throws -> [Reminder] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(Reminder.columns) FROM reminder
                ORDER BY (SELECT position FROM favourite WHERE favourite.id = reminder.favourite),
                    minuteOfDay, id
                """
        ).map(Reminder.init)
    }

    // MARK: All

    /// Everything that an export has, as of one time.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func contents() throws(JourneyStoreError) -> JournalContents {
        try reading { database in
            JournalContents(
                journeys: try Self.journeys(from: nil, in: database),
                favourites: try Self.favourites(in: database),
                reminders: try Self.reminders(in: database))
        }
    }
}

/// The journeys, favourites and reminders of a journal.
public struct JournalContents: Sendable, Equatable {
    /// In order of their start.
    public var journeys: [Journey]
    /// In their order.
    public var favourites: [Favourite]
    /// Each of a favourite, here or in the journal that they are added to.
    public var reminders: [Reminder]

    /// Creates contents.
    public init(
        journeys: [Journey] = [], favourites: [Favourite] = [], reminders: [Reminder] = []
    ) {
        self.journeys = journeys
        self.favourites = favourites
        self.reminders = reminders
    }
}
