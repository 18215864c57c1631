// The history on disk: records, what a feed gave and what we saw, in one SQLite file.
public import BridgecastCore
public import Foundation
internal import GRDB

/// Openings and coverage, kept for good.
///
/// Rows are stored as recorded; joining openings recorded in pieces, and reconciling records with
/// observations, happens on reading, so that rules stay a choice. Everything that belongs together is
/// one transaction in SQLite's write-ahead log, synchronised to the disk before it counts as
/// committed: a process that is killed, or a machine that loses power, leaves the last commit. One
/// process writes at a time, others wait up to ten seconds; any number may read meanwhile.
public final class HistoryStore: Sendable {
    let database: DatabaseQueue
    /// The store's file.
    public let path: String

    /// How a store is opened.
    public enum Access: Sendable {
        /// The store must be there and stays as it is.
        case reading
        /// File and folder are created if missing.
        case writing
    }

    /// The place of the user's store: `$XDG_DATA_HOME/bridgecast/history.sqlite`, by default under
    /// `~/.local/share`.
    public static func defaultURL(environment: [String: String]) -> URL {
        let home = environment["HOME"] ?? "/"
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return URL(fileURLWithPath: data ?? home + "/.local/share")
            .appendingPathComponent("bridgecast/history.sqlite")
    }

    /// Opens a store; one of an older version is brought up to date when opened for writing.
    ///
    /// - Throws: ``HistoryStoreError``.
    public init(_ url: URL, _ access: Access) throws(HistoryStoreError) {
        path = url.path
        do {
            switch access {
            case .writing: database = try Self.openForWriting(url)
            case .reading: database = try Self.openForReading(url)
            }
            let isCurrent = try database.read(HistorySchema.migrations.hasCompletedMigrations)
            guard isCurrent else {
                throw HistoryStoreError(
                    path: url.path,
                    reason: "not a history store of this version of bridgecast; "
                        + "`bridgecast doctor --store` brings an older one up to date",
                    isContent: true)
            }
        } catch {
            throw HistoryStoreError(error, path: url.path)
        }
    }

    /// A store in memory, for a replay that must leave nothing behind.
    public init(inMemoryNamed name: String) throws(HistoryStoreError) {
        path = name
        do {
            let queue = try DatabaseQueue()
            try HistorySchema.migrations.migrate(queue)
            database = queue
        } catch {
            throw HistoryStoreError(error, path: name)
        }
    }

    /// Closes the store; nothing may be asked of it afterwards.
    public func close() {
        try? database.close()
    }

    private static let patienceSeconds = 10.0

    private static func openForWriting(_ url: URL) throws -> DatabaseQueue {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.busyMode = .timeout(patienceSeconds)
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        // A commit is on the disk before it counts, not only in the log's buffer.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try HistorySchema.migrations.migrate(queue)
        return queue
    }

    /// Opens without writing; on a disk that cannot be written, as a file that nobody changes.
    private static func openForReading(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patienceSeconds)
        do {
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return queue
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        {
            // The log's index cannot be made here; without a log, nothing is missing in the file.
            let hasLog = FileManager.default.fileExists(atPath: url.path + "-wal")
            guard !hasLog, FileManager.default.fileExists(atPath: url.path) else { throw error }
            let escaped = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            return try DatabaseQueue(
                path: "file:\(escaped ?? url.path)?immutable=1", configuration: configuration)
        }
    }

    /// Ingests a file in one transaction; on any error the store is as it was.
    ///
    /// - Parameters:
    ///   - coverage: Where the file's records are complete; nil to infer it from them.
    ///   - gapSeconds: For the report: openings at most this far apart count as pieces of one.
    /// - Returns: What became of each row.
    /// - Throws: ``HistoryStoreError``.
    public func ingest(
        _ file: RecordFile, coverage: Coverage?, gapSeconds: Int64, at now: Timestamp
    ) throws(HistoryStoreError) -> IngestReport {
        do {
            return try database.write { database in
                let outcomes = try Self.store(
                    file, at: now, pieces: file.pieces(gapSeconds: gapSeconds), in: database)
                let periods = coverage ?? .inferred(from: file.openings)
                try Self.store(periods, file: file.input.sha256, in: database)
                return IngestReport(file, outcomes: outcomes, coverageIsStated: coverage != nil)
            }
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    private static func store(
        _ file: RecordFile, at now: Timestamp, pieces: Set<Int>, in database: Database
    ) throws -> [IngestReport.Outcome] {
        try database.execute(
            sql: "INSERT OR IGNORE INTO file VALUES (?, ?, ?, ?, ?)",
            arguments: [
                file.input.sha256, file.input.name, file.form.rawValue, file.rowsRead,
                now.secondsSinceEpoch,
            ])
        let insert = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?, ?)")
        var seen: Set<OpeningIdentity> = []
        return try file.records.enumerated().map { index, record in
            let opening = record.opening
            guard seen.insert(OpeningIdentity(opening)).inserted else { return .duplicate }
            try insert.execute(arguments: [
                BridgeCatalogue[opening.bridge].id.rawValue, opening.start.secondsSinceEpoch,
                opening.end?.secondsSinceEpoch, file.input.sha256, record.location.number,
            ])
            guard database.changesCount > 0 else { return .alreadyStored }
            return pieces.contains(index) ? .merged : .stored
        }
    }

    private static func store(
        _ coverage: Coverage, file: String, in database: Database
    ) throws {
        for bridge in BridgeIndex.all {
            for period in coverage.periods[bridge.rawValue] {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO coverage VALUES (?, ?, ?, ?)",
                    arguments: [
                        BridgeCatalogue[bridge].id.rawValue, period.lowerBound.secondsSinceEpoch,
                        period.upperBound.secondsSinceEpoch, file,
                    ])
            }
        }
    }
}
