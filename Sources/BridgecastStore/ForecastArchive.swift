// Issued forecasts on disk, in a file of their own, with the sums of their scores by day.
public import BridgecastCore
public import BridgecastData
public import BridgecastSupport
public import Foundation
internal import GRDB

/// Issued forecasts, one row per issue time with all bridges and leads, and what became of them.
///
/// As in ``HistoryStore`` what belongs together is one transaction that is on the disk when it returns. Forecasts of a replay
/// are in an archive of their own: a file holds either.
public final class ForecastArchive: Sendable {
    let database: DatabaseQueue
    /// The archive's file.
    public let path: String
    /// What its forecasts are of.
    public let kind: Kind
    let access: HistoryStore.Access

    /// What the forecasts of an archive are of.
    public enum Kind: String, Sendable {
        /// The present, as they were issued.
        case live
        /// A replayed past.
        case replay

        /// Why forecasts of this kind cannot be written into an archive of the other.
        fileprivate var wrongKindProblem: StoreProblem {
            switch self {
            case .live: .usedOtherwise("it holds forecasts of a replay")
            case .replay:
                .usedOtherwise(
                    "it holds forecasts that were issued, which those of a replay are kept apart from"
                )
            }
        }
    }

    /// How long forecasts are kept by default, days.
    public static let defaultDays = 400

    /// The archive next to a store: `archive.sqlite` in its folder.
    package static func url(nextTo store: URL) -> URL {
        store.deletingLastPathComponent().appendingPathComponent("archive.sqlite")
    }

    /// Opens an archive for writing; file and folder are created if missing.
    ///
    /// A file that is none is recognised before anything is written, and is not changed.
    ///
    /// - Throws: ``ForecastArchiveError``, also for an archive of the other kind.
    public init(_ url: URL, writing kind: Kind) throws(ForecastArchiveError) {
        path = url.path
        access = .writing
        self.kind = kind
        database = try ForecastArchiveError.about(url.path, .writing) {
            guard try Self.identity(of: url) != .foreign else { throw StoreProblem.foreign }
            try StoreFile(url: url).checkPages()
            return try Self.openForWriting(url, kind)
        }
    }

    /// Opens an archive, which must exist and is not changed.
    ///
    /// - Throws: ``ForecastArchiveError``.
    public init(reading url: URL) throws(ForecastArchiveError) {
        path = url.path
        access = .reading
        (database, kind) = try ForecastArchiveError.about(url.path, .reading) {
            try Self.identity(of: url).requireVersion(ArchiveSchema.currentVersion)
            let isImmutable = !FileManager.default.isWritableFile(
                atPath: url.deletingLastPathComponent().path)
            let queue = try StoreFile.readOnly(
                url, isImmutable: isImmutable && StoreFile(url: url).adjacentLog == nil)
            return (queue, try queue.read(ArchiveSchema.kind))
        }
    }

    /// Whether the archive's file was removed; what is written to it is lost then.
    package var isRemoved: Bool { !FileManager.default.fileExists(atPath: path) }

    /// Closes the archive, which must not be used afterwards.
    public func close() { try? database.close() }

    private static func identity(of url: URL) throws -> HistorySchema.Identity {
        try StoreFile(url: url).identity(marked: ArchiveSchema.applicationID)
    }

    private static func openForWriting(_ url: URL, _ kind: Kind) throws -> DatabaseQueue {
        let queue = try StoreFile(url: url).writable()
        try queue.writeWithoutTransaction { database in
            // Seven issues of 1.1 kB fit a page of 8 kB; of 4 kB a sixth would be lost. Only an empty file takes it.
            try database.execute(
                sql: "PRAGMA synchronous = FULL; PRAGMA page_size = \(ArchiveSchema.pageBytes)")
            try database.inTransaction(.exclusive) {
                try ArchiveSchema.migrate(database, kind)
                return .commit
            }
            guard try ArchiveSchema.kind(database) == kind else {
                throw kind.wrongKindProblem
            }
            try StoreFile.useWriteAheadLog(database)
        }
        return queue
    }

    // MARK: Issues

    /// Adds the forecasts of an issue time.
    ///
    /// - Returns: False if there are forecasts of its five minutes already, which stay: the clock was set back.
    /// - Throws: ``ForecastArchiveError``; the archive is unchanged then.
    @discardableResult
    public func add(
        _ issue: ArchivedIssue, by model: ArchivedModel
    ) throws(ForecastArchiveError) -> Bool {
        try writing { database in
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO model (file, sha256) VALUES (?, ?)"
            )
            .execute(arguments: [model.file, model.sha256])
            let number = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM model WHERE file = ? AND sha256 = ?"),
                arguments: [model.file, model.sha256])
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO issue VALUES (?, ?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                ArchivedIssue.slot(of: issue.issueTime), issue.issueTime.secondsSinceEpoch,
                number, ArchivedIssue.mask(issue.isKnown), ArchivedIssue.mask(issue.isRaised),
                Data(issue.packedForecasts),
            ])
            guard database.changesCount > 0 else { return false }
            // A clock that was set back may bring forecasts of a day that was final.
            let day = SeattleTime.civil(at: issue.issueTime).date.dayNumber
            try database.cachedStatement(sql: "UPDATE day SET isFinal = 0 WHERE day = ?")
                .execute(arguments: [day])
            return true
        }
    }

    /// The forecasts of issue times in a period, each with the number of its model, in order.
    ///
    /// - Throws: ``ForecastArchiveError``.
    package func issues(
        in period: Range<Timestamp>
    ) throws(ForecastArchiveError) -> [(model: Int64, issue: ArchivedIssue)] {
        try reading { try Self.issues(in: period, of: $0) }
    }

    static func issues(
        in period: Range<Timestamp>, of database: Database
    ) throws -> [(model: Int64, issue: ArchivedIssue)] {
        let first = ArchivedIssue.slot(of: period.lowerBound)
        let last = ArchivedIssue.slot(of: period.upperBound)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT issuedAt, model, known, raised, forecasts FROM issue
                    WHERE slot BETWEEN ? AND ? ORDER BY slot
                    """), arguments: [first, last])
        var issues: [(model: Int64, issue: ArchivedIssue)] = []
        while let row = try rows.next() {
            let checked = StoreRow(row)
            let time = try checked.time(0)
            guard period.contains(time) else { continue }
            guard let data = Data.fromDatabaseValue(row[4] as DatabaseValue),
                let forecasts = ArchivedIssue.forecasts(packed: Array(data))
            else { throw StoreProblem.damaged("forecasts of \(TimeText.rfc3339(time))") }
            let issue = ArchivedIssue(
                issueTime: time, isKnown: ArchivedIssue.flags(try checked.integer(2)),
                isRaised: ArchivedIssue.flags(try checked.integer(3)), forecasts: forecasts)
            issues.append((try checked.integer(1), issue))
        }
        return issues
    }

    /// The first and the last issue time; nil without any.
    ///
    /// - Throws: ``ForecastArchiveError``.
    package func extent() throws(ForecastArchiveError) -> ClosedRange<Timestamp>? {
        try reading(Self.extent)
    }

    static func extent(of database: Database) throws -> ClosedRange<Timestamp>? {
        func time(_ order: String) throws -> Timestamp? {
            try Row.fetchOne(
                database, sql: "SELECT issuedAt FROM issue ORDER BY slot \(order) LIMIT 1"
            ).map { try StoreRow($0).time(0) }
        }
        guard let first = try time("ASC"), let last = try time("DESC"), first <= last else {
            return nil
        }
        return first...last
    }

    /// The models by their numbers.
    ///
    /// - Throws: ``ForecastArchiveError``.
    package func models() throws(ForecastArchiveError) -> [Int64: ArchivedModel] {
        try reading { database in
            var models: [Int64: ArchivedModel] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT id, file, sha256 FROM model") {
                let row = StoreRow(row)
                models[try row.integer(0)] = ArchivedModel(
                    file: try row.text(1) ?? "", sha256: try row.text(2) ?? "")
            }
            return models
        }
    }

    /// No call removes more: with a clock that is wrong by years the archive is not emptied at once.
    private static let maxPrunedDays: Int64 = 2

    /// Removes the oldest forecasts and scores of before a time, those of two days at most.
    ///
    /// - Throws: ``ForecastArchiveError``.
    package func prune(before time: Timestamp) throws(ForecastArchiveError) {
        try writing { database in
            guard let first = try Self.extent(of: database)?.lowerBound else { return }
            let limit = min(time, first.adding(seconds: Self.maxPrunedDays * 86_400))
            try database.execute(
                sql: "DELETE FROM issue WHERE slot < ?",
                arguments: [ArchivedIssue.slot(of: limit)])
            try database.execute(
                sql: "DELETE FROM day WHERE day < ?",
                arguments: [SeattleTime.civil(at: limit).date.dayNumber])
        }
    }

    // MARK: Transactions

    func reading<Result>(
        _ body: (Database) throws -> Result
    ) throws(ForecastArchiveError) -> Result {
        try ForecastArchiveError.about(path, access) { try database.read(body) }
    }

    func writing<Result>(
        _ body: (Database) throws -> Result
    ) throws(ForecastArchiveError) -> Result {
        try ForecastArchiveError.about(path, access) { try database.write(body) }
    }
}

// MARK: - Schema

/// The archive's tables and its mark in the file's header.
enum ArchiveSchema {
    /// SQLite's application id of an archive: "BCAR".
    static let applicationID: Int32 = 0x4243_4152
    /// The version that this program reads and writes, kept in `user_version`.
    static let currentVersion = 1
    static let pageBytes = 8192

    /// What the forecasts of an archive are of.
    static func kind(_ database: Database) throws -> ForecastArchive.Kind {
        let text = try String.fetchOne(database, sql: "SELECT kind FROM archive")
        guard let kind = text.flatMap(ForecastArchive.Kind.init) else {
            throw StoreProblem.damaged("what its forecasts are of is unknown")
        }
        return kind
    }

    /// Creates the tables of an empty file.
    ///
    /// Call it in an exclusive transaction.
    ///
    /// - Throws: ``StoreProblem`` for a newer archive or a database of another program.
    static func migrate(_ database: Database, _ kind: ForecastArchive.Kind) throws {
        let identity = try StoreFile.identity(of: database, marked: applicationID)
        guard try identity.version(upTo: currentVersion) == 0 else { return }
        try database.execute(sql: tables)
        try database.execute(sql: "INSERT INTO archive VALUES (?)", arguments: [kind.rawValue])
    }

    /// `slot`: ``ArchivedIssue/slot(of:)``; the blobs are those of ``ArchivedIssue`` and ``DayScores``.
    private static let tables = """
        CREATE TABLE archive (kind TEXT NOT NULL) STRICT;
        CREATE TABLE model (
            id INTEGER PRIMARY KEY, file TEXT NOT NULL, sha256 TEXT NOT NULL, UNIQUE (file, sha256)
        ) STRICT;
        CREATE TABLE issue (
            slot INTEGER PRIMARY KEY, issuedAt INTEGER NOT NULL,
            model INTEGER NOT NULL REFERENCES model(id),
            known INTEGER NOT NULL, raised INTEGER NOT NULL, forecasts BLOB NOT NULL
        ) STRICT;
        CREATE TABLE day (
            day INTEGER NOT NULL, model INTEGER NOT NULL REFERENCES model(id),
            isFinal INTEGER NOT NULL, fingerprint INTEGER NOT NULL, cells BLOB NOT NULL,
            PRIMARY KEY (day, model)
        ) STRICT;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(currentVersion);
        """
}

// MARK: - Errors

/// Why the archive could not do its work.
public struct ForecastArchiveError: Failure {
    /// The archive's file.
    public let path: String
    /// What is wrong.
    public let problem: StoreProblem

    init(path: String, problem: StoreProblem) {
        self.path = path
        self.problem = problem
    }

    /// An archive of the other kind.
    package init(path: String, otherThan kind: ForecastArchive.Kind) {
        self.init(path: path, problem: kind.wrongKindProblem)
    }

    /// What is wrong and what to do.
    public var reason: String {
        switch problem {
        case .foreign: "not a forecast archive of bridgecast, and not changed; choose another file"
        case .empty:
            "no forecasts are in it yet; `bridgecast serve`, `watch` and `replay --archive` archive them"
        case .notAFile(let what): "is \(what), not a file; name a file, such as archive.sqlite"
        case .newer: "an archive of a newer version of bridgecast; use that one"
        case .damaged(let what):
            "the archive is damaged: \(what); move it away: `serve` and `watch` begin a new one"
        case .busy: "another process is writing to the archive; try again"
        case .interrupted: "a write was interrupted; `bridgecast serve` or `watch` rolls it back"
        default: problem.description
        }
    }
    /// The kind of ``problem``.
    public var kind: FailureKind { problem.kind }
    /// File and reason.
    public var description: String { "\(path): \(reason)" }

    static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, _ body: () throws -> Result
    ) throws(ForecastArchiveError) -> Result {
        do throws(HistoryStoreError) {
            return try HistoryStoreError.about(path, access, body)
        } catch {
            throw ForecastArchiveError(path: path, problem: error.problem)
        }
    }
}
