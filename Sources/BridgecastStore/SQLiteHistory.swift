// A history store in a file of SQLite: the embedded store, and the default.
internal import Foundation
internal import GRDB

/// The tables of a history store in a file, or in memory.
package final class SQLiteHistory: HistoryBackend {
    let database: DatabaseQueue
    package let name: String

    /// Opens a file; one of an older version is migrated when opened for writing.
    init(_ url: URL, _ access: HistoryStore.Access) throws {
        name = url.path
        guard try StoreFile(url: url).identity() != .foreign else { throw StoreProblem.foreign }
        switch access {
        case .writing: database = try Self.openChecked(url)
        case .reading: database = try Self.openForReading(url)
        }
    }

    init(inMemoryNamed name: String) throws {
        self.name = name
        database = try DatabaseQueue()
        try database.write(HistorySchema.migrate)
    }

    private static func openChecked(_ url: URL) throws -> DatabaseQueue {
        try StoreFile(url: url).checkPages()
        return try openForWriting(url)
    }

    static func openForWriting(_ url: URL) throws -> DatabaseQueue {
        try StoreFile(url: url).writable(
            isCurrent: HistorySchema.isCurrent, migrate: HistorySchema.migrate)
    }

    /// Opens without writing; on a read-only disk, as a file that does not change.
    private static func openForReading(_ url: URL) throws -> DatabaseQueue {
        guard HistoryStore.isThere(url) else { throw StoreProblem.empty }
        let (queue, identity) = try StoreFile(url: url).readable(HistorySchema.identity)
        try identity.requireVersion(HistorySchema.currentVersion)
        return queue
    }

    package func close() { try? database.close() }

    package func read<Result>(
        _ body: (any HistoryDatabase) throws -> Result
    ) throws -> Result {
        try database.read { try body(SQLiteTables(database: $0)) }
    }

    package func write<Result>(
        commits: Bool, _ body: (any HistoryDatabase) throws -> Result
    ) throws -> Result {
        try database.write { database in
            guard !commits else { return try body(SQLiteTables(database: database)) }
            var result: Result?
            try database.inSavepoint {
                result = try body(SQLiteTables(database: database))
                return .rollback
            }
            guard let result else { throw StoreProblem.failing("a trial has no result") }
            return result
        }
    }

    package let soundness = "every page and index is intact"

    package func integrityProblems() throws -> [String] {
        try database.read { database in
            let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
            let tables = try String.fetchSet(database, sql: "SELECT name FROM sqlite_master")
            let missing = HistorySchema.tables.subtracting(tables).sorted()
            guard missing.isEmpty else {
                return ["no table \(missing.joined(separator: ", "))"]
            }
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
            return found.filter { $0 != "ok" }
                + (orphans > 0 ? ["\(orphans) rows whose file or feed is missing"] : [])
        }
    }

    private static let minFreeBytes = 100 << 20
    private static let maxLogBytes = 64 << 20

    package func findings() -> [StoreFinding] {
        let folder = URL(fileURLWithPath: name).deletingLastPathComponent()
        var findings = [
            FileManager.default.isWritableFile(atPath: folder.path)
                ? StoreFinding.ok("folder", "\(folder.path) can be written")
                : .warning(
                    "folder", "\(folder.path) cannot be written: sync and watch cannot store",
                    "check its permissions, or choose another path with --store")
        ]
        let space = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        if let free = (space?[.systemFreeSize] as? NSNumber)?.intValue {
            findings.append(
                free < Self.minFreeBytes
                    ? .warning(
                        "disk", "only \(free >> 20) MB are free", "make room before it is full")
                    : .ok("disk", "\(free >> 20) MB are free"))
        }
        let log = (try? FileManager.default.attributesOfItem(atPath: name + "-wal"))?[.size]
        if let bytes = (log as? NSNumber)?.intValue, bytes > Self.maxLogBytes {
            findings.append(
                .warning(
                    "log", "the write-ahead log has \(bytes >> 20) MB",
                    "a reader keeps an old snapshot; close long-running readers"))
        }
        return findings
    }
}

// MARK: - Tables

/// The tables in a transaction.
private struct SQLiteTables: HistoryDatabase {
    let database: Database

    func rows(_ sql: String, _ arguments: [StoreValue]) throws -> any StoreCursor {
        SQLiteRows(
            rows: try Row.fetchCursor(
                database, sql: sql, arguments: StatementArguments(arguments)))
    }

    func execute(_ sql: String, _ arguments: [StoreValue]) throws -> Int {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
        return database.changesCount
    }

    func insert(_ openings: [NumberedOpening], of file: String) throws -> Set<Int> {
        let insert = try database.makeStatement(
            sql: "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?, ?)")
        var stored: Set<Int> = []
        for opening in openings {
            let values = opening.values
            try insert.execute(arguments: [
                values.bridge, values.start, values.end, file, opening.number,
            ])
            if database.changesCount == 0 { stored.insert(opening.index) }
        }
        return stored
    }

    func insert(_ rows: [[StoreValue]], into table: StoreTable) throws {
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try database.makeStatement(
            sql: "INSERT INTO \(table.rawValue) VALUES (\(places))")
        for row in rows { try insert.execute(arguments: StatementArguments(row)) }
    }

    func syncedRows(of feed: String, ids: [String]) throws -> [String: OpeningValues] {
        let select = try database.cachedStatement(
            sql: "SELECT bridge, start, end FROM syncedRow WHERE feed = ? AND row = ?")
        var stored: [String: OpeningValues] = [:]
        for id in ids {
            let row = try Row.fetchOne(select, arguments: [feed, id])
            if let row { stored[id] = try OpeningValues(StoreRow(row)) }
        }
        return stored
    }

    func replaceSyncedRows(of feed: String, by rows: [String: OpeningValues]) throws {
        let replace = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO syncedRow VALUES (?, ?, ?, ?, ?)")
        for (id, values) in rows {
            try replace.execute(arguments: [feed, id, values.bridge, values.start, values.end])
        }
    }

    func deleteSyncedRows(of feed: String, ids: [String]) throws {
        let delete = try database.cachedStatement(
            sql: "DELETE FROM syncedRow WHERE feed = ? AND row = ?")
        for id in ids { try delete.execute(arguments: [feed, id]) }
    }

    func cutStarts(of table: PeriodTable, at seconds: Int64) throws {
        try database.execute(
            sql: "UPDATE OR REPLACE \(table.rawValue) SET start = ?1 WHERE start < ?1",
            arguments: [seconds])
    }
}

private final class SQLiteRows: StoreCursor {
    private let rows: RowCursor

    init(rows: RowCursor) { self.rows = rows }

    func next() throws -> StoreRow? { try rows.next().map { StoreRow($0) } }
}

extension StatementArguments {
    fileprivate init(_ values: [StoreValue]) {
        self.init(
            values.map { value -> (any DatabaseValueConvertible)? in
                switch value {
                case .null: nil
                case .integer(let number): number
                case .text(let text): text
                }
            })
    }
}
