// The tables of the store, version by version, how a store is recognised, and its rows' values.
package import BridgecastCore
package import GRDB

/// The schema and its mark in the file's header.
package enum HistorySchema {
    /// SQLite's application id of a history store: "BCST".
    static let applicationID: Int32 = 0x4243_5354

    /// The version that this program reads and writes, kept in `user_version`.
    static var currentVersion: Int { steps.count }

    static let tables = Set(StoreTable.allCases.map(\.rawValue))

    package enum Identity: Equatable {
        /// It has no tables.
        case empty
        /// A history store of some version.
        case store(version: Int)
        /// A database of another program.
        case foreign

        /// The version that a migration begins with, 0 for a database without tables.
        ///
        /// - Parameter current: The version that this program reads and writes.
        /// - Throws: ``StoreProblem`` for a newer version or a database of another program.
        package func version(upTo current: Int) throws(StoreProblem) -> Int {
            switch self {
            case .empty: return 0
            case .store(let version) where version <= current: return version
            case .store: throw .newer
            case .foreign: throw .foreign
            }
        }

        /// Checks that a database can be read as it is, without a migration.
        ///
        /// - Parameter current: The version that this program reads and writes.
        /// - Throws: ``StoreProblem`` for any other version, a database without tables or of another program.
        package func requireVersion(_ current: Int) throws(StoreProblem) {
            switch try version(upTo: current) {
            case 0: throw .empty
            case current: return
            default: throw .outdated
            }
        }
    }

    /// What a database is, by its application id and its tables; nothing is written.
    static func identity(of database: Database) throws -> Identity {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if id == applicationID { return marked(version: version) }
        let names = try String.fetchSet(database, sql: "SELECT name FROM sqlite_master")
        guard id == 0, version == 0 else { return .foreign }
        guard !names.isEmpty else { return .empty }
        guard names.contains("grdb_migrations") else { return .foreign }
        // Stores from before the application id was introduced have the names of migrations.
        let sql = "SELECT identifier FROM grdb_migrations ORDER BY identifier"
        guard let taken = try? String.fetchAll(database, sql: sql) else { return .foreign }
        return !taken.isEmpty && taken.elementsEqual(steps.map(\.name).prefix(taken.count))
            ? .store(version: taken.count) : .foreign
    }

    /// What a database with the application id of a store is.
    static func marked(version: Int) -> Identity {
        version > 0 ? .store(version: version) : .foreign
    }

    /// Whether a database is a store of the current version and marked as one.
    static func isCurrent(_ database: Database) throws -> Bool {
        try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID
            && Int.fetchOne(database, sql: "PRAGMA user_version") == currentVersion
    }

    /// Creates the tables of an empty database, or migrates an older store to the current version.
    ///
    /// Call it in an exclusive transaction: one of several programs creates the store, the others wait for it.
    ///
    /// - Throws: ``StoreProblem`` for a newer store or a database of another program.
    static func migrate(_ database: Database) throws {
        let version = try identity(of: database).version(upTo: currentVersion)
        for step in steps.dropFirst(version) { try database.execute(sql: step.sql) }
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS grdb_migrations;
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(currentVersion);
                """)
    }

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
        // A feed's rows have its own ids, so that a corrected row replaces the old one; the cursor is in
        // the same database, so that page and cursor are committed together.
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

/// A row of the store whose values are checked: a damaged page must end in an error.
package struct StoreRow {
    private let content: Content

    private enum Content {
        case sqlite(Row)
        case values([StoreValue], columns: [String])
    }

    /// Plausible seconds since 1970, up to the year 3058; sums and differences do not overflow.
    private static let plausibleSeconds: Range<Int64> = 0..<1 << 35

    package init(_ row: Row) { content = .sqlite(row) }

    /// A row of another database.
    ///
    /// - Parameter columns: Their names, for errors.
    package init(_ values: [StoreValue], columns: [String]) {
        content = .values(values, columns: columns)
    }

    /// A row that is valid for ever, unlike one of a cursor.
    func copy() -> StoreRow {
        guard case .sqlite(let row) = content else { return self }
        return StoreRow(row.copy())
    }

    /// The value of a column; nil for what no column has, such as a number that is not whole.
    private func value(_ column: Int) -> StoreValue? {
        switch content {
        case .sqlite(let row):
            switch (row[column] as DatabaseValue).storage {
            case .null: .null
            case .int64(let number): .integer(number)
            case .string(let text): .text(text)
            case .double(let number): Int64(exactly: number).map { .integer($0) }
            case .blob: nil
            }
        case .values(let values, _): values.indices.contains(column) ? values[column] : nil
        }
    }

    /// A value of any kind; NULL too.
    ///
    /// - Throws: ``StoreProblem/damaged(_:)``, as all functions here.
    func anyValue(_ column: Int) throws -> StoreValue {
        guard let value = value(column) else { throw damage("an impossible value") }
        return value
    }

    /// - Throws: ``StoreProblem/damaged(_:)``, as all functions here.
    package func time(_ column: Int) throws -> Timestamp {
        guard let time = try optionalTime(column) else { throw damage("a time is missing") }
        return time
    }

    /// A time or NULL.
    package func optionalTime(_ column: Int) throws -> Timestamp? {
        switch value(column) {
        case .null: return nil
        case .integer(let seconds) where Self.plausibleSeconds ~= seconds:
            return Timestamp(secondsSinceEpoch: seconds)
        default: throw damage("an impossible time")
        }
    }

    func period(_ column: Int) throws -> Range<Timestamp> {
        let start = try time(column)
        let end = try time(column + 1)
        guard start <= end else { throw damage("a period that ends before it begins") }
        return start..<end
    }

    /// The opening of the columns bridge, start and end; nil for an unknown bridge.
    func opening() throws -> Opening? {
        guard let bridge = try bridge() else { return nil }
        let start = try time(1)
        let end = try optionalTime(2)
        guard end.map({ $0 >= start }) ?? true else {
            throw damage("an opening that ends before it begins")
        }
        return Opening(bridge: bridge, start: start, end: end)
    }

    /// The bridge of the first column; nil if it is unknown.
    func bridge() throws -> BridgeIndex? {
        BridgeCatalogue.index(of: BridgeID(Int(try integer(0))))
    }

    package func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let number) = value(column), number.magnitude < 1 << 53 else {
            throw damage("an impossible number")
        }
        return number
    }

    /// Text or NULL.
    package func text(_ column: Int) throws -> String? {
        switch value(column) {
        case .null: return nil
        case .text(let text): return text
        default: throw damage("a value that is not text")
        }
    }

    package func damage(_ what: String) -> StoreProblem {
        let columns =
            switch content {
            case .sqlite(let row): Array(row.columnNames)
            case .values(_, let columns): columns
            }
        return .damaged("\(what) in \(columns.joined(separator: ", "))")
    }
}
