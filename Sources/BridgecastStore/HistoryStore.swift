public import BridgecastCore
public import Foundation
internal import Dispatch
internal import BridgecastSupport

/// Openings and coverage on disk, in a file of SQLite or in a PostgreSQL database.
///
/// Rows are stored as recorded; openings recorded in pieces are joined, and records reconciled with observations, on
/// reading, so that rules can change. What belongs together is one transaction in SQLite's write-ahead log, synchronised
/// to the disk before it counts as committed: the last commit survives the end of the process and the loss of power. One
/// process writes at a time, others wait up to ten seconds; any number may read meanwhile.
public final class HistoryStore: Sendable {
    let backend: any HistoryBackend
    /// The path of the store's file, or the URL of its database.
    public let path: String
    let access: Access
    /// What is recorded in the background, in order.
    let background = DispatchQueue(label: "bridgecast.history")

    /// How a store is opened.
    public enum Access: Sendable {
        /// The store must exist and is not changed.
        case reading
        /// File and folder are created if missing.
        case writing
    }

    /// The location of the user's store: `$XDG_DATA_HOME/bridgecast/history.sqlite`, by default under
    /// `~/.local/share`; nil if the environment names neither an absolute XDG_DATA_HOME nor such a HOME.
    package static func defaultURL(environment: [String: String]) -> URL? {
        UserFolder.data.url(of: "history.sqlite", environment: environment)
    }

    /// Whether a file exists and is not empty.
    package static func isThere(_ url: URL) -> Bool { StoreFile(url: url).isThere }

    /// Whether a file exists, even an empty one.
    ///
    /// - Throws: ``HistoryStoreError`` if the system does not say.
    package static func fileExists(at url: URL) throws(HistoryStoreError) -> Bool {
        try HistoryStoreError.about(url.path, .reading) { try StoreFile(url: url).exists() }
    }

    /// Whether a file is an SQLite database of any program, a log of one, or an encrypted store.
    package static func isDatabaseOrItsLog(_ url: URL) -> Bool {
        StoreFile(url: url).isDatabaseOrItsLog
    }

    /// - Throws: ``HistoryStoreError`` if the file cannot be read.
    package static func isDatabase(_ url: URL) throws(HistoryStoreError) -> Bool {
        try HistoryStoreError.about(url.path, .reading) { try StoreFile(url: url).isDatabase() }
    }

    /// Opens a store; one of an older version is migrated when opened for writing.
    ///
    /// A file that is not a store is recognised before anything is written, and is not changed. If several programs
    /// start without a store, one creates it and the others wait for it.
    ///
    /// - Throws: ``HistoryStoreError``.
    public init(_ url: URL, _ access: Access) throws(HistoryStoreError) {
        path = url.path
        self.access = access
        backend = try HistoryStoreError.about(url.path, access) {
            try SQLiteHistory(url, access)
        }
    }

    /// Creates a store in memory, for a replay that must not write files.
    public init(inMemoryNamed name: String) throws(HistoryStoreError) {
        path = name
        access = .writing
        backend = try HistoryStoreError.about(name, .writing) {
            try SQLiteHistory(inMemoryNamed: name)
        }
    }

    /// A store in another database.
    ///
    /// - Parameter open: Opens it.
    /// - Throws: ``HistoryStoreError``.
    package init(
        _ address: DatabaseAddress, _ access: Access,
        opening open: (DatabaseAddress, Access) throws -> any HistoryBackend
    ) throws(HistoryStoreError) {
        path = address.text
        self.access = access
        backend = try HistoryStoreError.about(address.text, access) { try open(address, access) }
    }

    /// Closes the store, which must not be used afterwards.
    public func close() {
        backend.close()
    }

    /// All openings and coverage as one history, with records reconciled with observations.
    ///
    /// - Parameter gapSeconds: Openings of a bridge at most this far apart are one.
    /// - Throws: ``HistoryStoreError``.
    public func history(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> OpeningHistory {
        let (lists, coverage) = try witnessed { $0 }
        return OpeningHistory(
            disjoint: lists.map { list in
                OpeningConsolidation.consolidate(list.map(\.opening), gapSeconds: gapSeconds)
            }, coverage: coverage)
    }

    /// The content of a store.
    public struct Contents: Sendable {
        /// Openings in order with their witnesses, by ``BridgeIndex``.
        public let openings: [[WitnessedOpening]]
        /// When the openings are complete.
        public let coverage: Coverage
    }

    /// All openings with their witnesses, and coverage.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func contents(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> Contents {
        let (lists, coverage) = try witnessed {
            OpeningConsolidation.consolidate($0, gapSeconds: gapSeconds)
        }
        return Contents(openings: lists, coverage: coverage)
    }

    /// A bridge's rows of a feed.
    package struct SyncedRecords: Sendable, Equatable {
        package let bridge: BridgeIndex
        package let count: Int
        /// Start of the first one.
        package let first: Timestamp
        /// Start of the last one.
        package let last: Timestamp
    }

    /// How many rows of a feed there are by bridge, in the order of the catalogue, and from when to when.
    package func syncedRecords(of feed: String) throws(HistoryStoreError) -> [SyncedRecords] {
        try reading { database in
            try database.rows(
                """
                SELECT bridge, min(start), max(start), count(*) FROM syncedRow
                WHERE feed = $1 GROUP BY bridge
                """, [.text(feed)]
            ).compactMap { row in
                try row.bridge().map {
                    SyncedRecords(
                        bridge: $0, count: Int(try row.integer(3)), first: try row.time(1),
                        last: try row.time(2))
                }
            }.sorted { $0.bridge < $1.bridge }
        }
    }

    /// - Parameter prepare: Transforms a bridge's records before they are reconciled.
    private func witnessed(
        _ prepare: ([Opening]) -> [Opening]
    ) throws(HistoryStoreError) -> (openings: [[WitnessedOpening]], coverage: Coverage) {
        try reading { database in
            let records = try Self.openings(
                #"SELECT bridge, start, "end" FROM opening"#
                    + #" UNION SELECT bridge, start, "end" FROM syncedRow"#
                    // Of two that start together, one with an end and one without, the order matters.
                    + #" ORDER BY bridge, start, "end" NULLS FIRST"#, in: database)
            let observed = try Self.openings(
                #"SELECT bridge, start, "end" FROM observedOpening WHERE startIsKnown = 1"#,
                in: database)
            let openings = zip(records, observed).map { records, observed in
                OpeningReconciliation.reconcile(records: prepare(records), observed: observed)
            }
            return (openings, try Self.coverage(in: database))
        }
    }

    /// The openings of a query of bridge, start and end, by ``BridgeIndex``.
    static func openings(
        _ sql: String, _ arguments: [StoreValue] = [], in database: any HistoryDatabase
    ) throws -> [[Opening]] {
        try database.rows(sql, arguments).compactMap { try $0.opening() }.byBridge
    }

    static func coverage(in database: any HistoryDatabase) throws -> Coverage {
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        try database.rows(
            """
            SELECT bridge, start, "end" FROM coverage
            UNION ALL SELECT bridge, start, "end" FROM syncedCoverage
            UNION ALL SELECT bridge, start, "end" FROM observedPeriod WHERE "end" > start
            """
        ).forEach { row in
            guard let bridge = try row.bridge() else { return }
            periods[bridge.rawValue].append(try row.period(1))
        }
        return Coverage(periods: periods)
    }
}
