// The history on disk: raw openings with their provenance, and coverage, in one SQLite file.
public import BridgecastCore
public import Foundation
private import GRDB

/// Why the store could not do its work.
public struct HistoryStoreError: Error, Sendable, CustomStringConvertible {
    /// The store's file.
    public let path: String
    /// What is wrong and what to do.
    public let reason: String
    /// Whether the file is there but is no store (exit code 65 instead of 74).
    public let isContent: Bool

    /// File and reason.
    public var description: String { "\(path): \(reason)" }
}

/// Openings and coverage, kept for good.
///
/// Rows are stored as recorded; joining openings recorded in pieces happens on reading, so the
/// width of the gap stays a choice. Each file is one transaction, and ingesting it again changes
/// nothing.
public final class HistoryStore: Sendable {
    private let queue: DatabaseQueue
    private let path: String

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

    /// Opens a store.
    ///
    /// - Throws: ``HistoryStoreError``.
    public init(_ url: URL, _ access: Access) throws(HistoryStoreError) {
        path = url.path
        do {
            var configuration = Configuration()
            configuration.readonly = access == .reading
            if access == .writing {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            queue = try DatabaseQueue(path: url.path, configuration: configuration)
            let migrations = HistorySchema.migrations
            if access == .writing { try migrations.migrate(queue) }
            guard try queue.read(migrations.hasCompletedMigrations) else {
                throw HistoryStoreError(
                    path: url.path, reason: "not a history store of this version of bridgecast",
                    isContent: true)
            }
        } catch {
            throw Self.error(error, path: url.path)
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
            return try queue.write { database in
                let outcomes = try Self.store(
                    file, at: now, pieces: file.pieces(gapSeconds: gapSeconds), in: database)
                let periods = coverage ?? .inferred(from: file.openings)
                try Self.store(periods, file: file.input.sha256, in: database)
                return IngestReport(file, outcomes: outcomes, coverageIsStated: coverage != nil)
            }
        } catch {
            throw Self.error(error, path: path)
        }
    }

    /// All openings and coverage as one history.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func history(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> OpeningHistory {
        do {
            return try queue.read { database in
                let rows = try Row.fetchAll(
                    database, sql: "SELECT bridge, start, end FROM opening ORDER BY bridge, start")
                let records = rows.compactMap { row -> Opening? in
                    guard let bridge = BridgeCatalogue.index(of: BridgeID(row["bridge"])) else {
                        return nil
                    }
                    let end: Int64? = row["end"]
                    return Opening(
                        bridge: bridge, start: Timestamp(secondsSinceEpoch: row["start"]),
                        end: end.map { Timestamp(secondsSinceEpoch: $0) })
                }
                return OpeningHistory(
                    records: records, coverage: try Self.coverage(in: database),
                    gapSeconds: gapSeconds)
            }
        } catch {
            throw Self.error(error, path: path)
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

    private static func coverage(in database: Database) throws -> Coverage {
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        for row in try Row.fetchAll(database, sql: "SELECT bridge, start, end FROM coverage") {
            guard let bridge = BridgeCatalogue.index(of: BridgeID(row["bridge"])) else { continue }
            periods[bridge.rawValue].append(
                Timestamp(
                    secondsSinceEpoch: row["start"])..<Timestamp(secondsSinceEpoch: row["end"]))
        }
        return Coverage(periods: periods)
    }

    private static func error(_ error: any Error, path: String) -> HistoryStoreError {
        if let error = error as? HistoryStoreError { return error }
        guard let database = error as? DatabaseError else {
            return HistoryStoreError(
                path: path, reason: error.localizedDescription, isContent: false)
        }
        let (reason, isContent): (String, Bool) =
            switch database.resultCode {
            case .SQLITE_NOTADB: ("not a history store; choose another file or move it away", true)
            case .SQLITE_CORRUPT: ("the store is damaged; restore a copy or ingest anew", true)
            case .SQLITE_FULL: ("the disk is full; nothing was stored", false)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                ("the store cannot be written; check the path and its permissions", false)
            case .SQLITE_BUSY: ("another process is writing to the store; try again", false)
            default: (database.message ?? "SQLite error \(database.resultCode)", false)
            }
        return HistoryStoreError(path: path, reason: reason, isContent: isContent)
    }
}
