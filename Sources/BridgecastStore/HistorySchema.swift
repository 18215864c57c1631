// The tables of the history store, version by version, and how a file is known to be one of ours.
internal import GRDB

/// The schema and its mark in the file's header.
enum HistorySchema {
    /// SQLite's application id of a history store: "BCST".
    static let applicationID: Int32 = 0x4243_5354

    /// The version that this program reads and writes; it stands in `user_version`.
    static var currentVersion: Int { steps.count }

    /// The tables of the current version.
    static let tables: Set<String> = [
        "file", "opening", "coverage", "feed", "syncedRow", "syncedCoverage", "observedOpening",
        "observedPeriod",
    ]

    /// What a database is.
    enum Identity: Equatable {
        /// There is nothing in it yet.
        case empty
        /// A history store of some version.
        case store(version: Int)
        /// Somebody else's.
        case foreign
    }

    /// What a database is, told from its application id and its tables; nothing is written.
    static func identity(of database: Database) throws -> Identity {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if id == applicationID { return marked(version: version) }
        let names = try String.fetchSet(database, sql: "SELECT name FROM sqlite_master")
        guard id == 0, version == 0 else { return .foreign }
        guard !names.isEmpty else { return .empty }
        guard names.contains("grdb_migrations") else { return .foreign }
        // Stores of before the mark was introduced carry the names of the steps that were taken.
        let sql = "SELECT identifier FROM grdb_migrations ORDER BY identifier"
        guard let taken = try? String.fetchAll(database, sql: sql) else { return .foreign }
        return !taken.isEmpty && taken.elementsEqual(steps.map(\.name).prefix(taken.count))
            ? .store(version: taken.count) : .foreign
    }

    /// What a database with our application id is.
    static func marked(version: Int) -> Identity {
        version > 0 ? .store(version: version) : .foreign
    }

    /// Whether a database is a store of the current version and marked as one.
    static func isCurrent(_ database: Database) throws -> Bool {
        try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID
            && Int.fetchOne(database, sql: "PRAGMA user_version") == currentVersion
    }

    /// Makes an empty database a store, or an older store one of the current version.
    ///
    /// To be called in an exclusive transaction: of several programs that start on a fresh store one makes
    /// it, the others wait and find it made.
    ///
    /// - Throws: ``StoreProblem`` for what is not ours or newer.
    static func bringUpToDate(_ database: Database) throws {
        let version: Int
        switch try identity(of: database) {
        case .empty: version = 0
        case .store(let found): version = found
        case .foreign: throw StoreProblem.foreign
        }
        guard version <= currentVersion else { throw StoreProblem.newer }
        for step in steps.dropFirst(version) { try database.execute(sql: step.sql) }
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS grdb_migrations;
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(currentVersion);
                """)
    }

    /// The steps from one version to the next.
    static let steps: [(name: String, sql: String)] = [
        (
            "1: files, openings, coverage",
            """
            CREATE TABLE file (
                sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, form TEXT NOT NULL,
                rows INTEGER NOT NULL, ingestedAt INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE opening (
                bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER,
                file TEXT NOT NULL REFERENCES file(sha256), number INTEGER NOT NULL,
                CHECK (end IS NULL OR end >= start)
            ) STRICT;
            CREATE UNIQUE INDEX openingIdentity
                ON opening(bridge, start, ifnull(end, -1));
            CREATE TABLE coverage (
                bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
                file TEXT NOT NULL REFERENCES file(sha256),
                PRIMARY KEY (bridge, start, end, file), CHECK (end > start)
            ) STRICT;
            """
        ),
        // A feed's rows are known by its own ids, so that a corrected row replaces the old one; the
        // cursor stands in the same database, so that page and cursor are committed together.
        (
            "2: synced feeds and live observations",
            """
            CREATE TABLE feed (
                name TEXT PRIMARY KEY, updatedAt TEXT, seen INTEGER NOT NULL, lastRow TEXT,
                etag TEXT, completedAt INTEGER
            ) STRICT;
            CREATE TABLE syncedRow (
                feed TEXT NOT NULL REFERENCES feed(name), row TEXT NOT NULL,
                bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER,
                PRIMARY KEY (feed, row), CHECK (end IS NULL OR end >= start)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE syncedCoverage (
                feed TEXT NOT NULL REFERENCES feed(name), bridge INTEGER NOT NULL,
                start INTEGER NOT NULL, end INTEGER NOT NULL,
                PRIMARY KEY (feed, bridge, start), CHECK (end > start)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE observedOpening (
                bridge INTEGER NOT NULL, start INTEGER NOT NULL,
                startIsKnown INTEGER NOT NULL, end INTEGER,
                PRIMARY KEY (bridge, start), CHECK (end IS NULL OR end >= start)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE observedPeriod (
                bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
                PRIMARY KEY (bridge, start), CHECK (end >= start)
            ) STRICT, WITHOUT ROWID;
            """
        ),
    ]
}
