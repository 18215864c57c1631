// The tables of a store in a transaction of PostgreSQL: many rows at once where SQLite takes one after the other.
#if PostgreSQL
    internal import BridgecastStore

    /// The tables in a transaction.
    struct PostgreSQLTables: HistoryDatabase {
        private let connection: PostgreSQLConnection
        private let cursors = Counter()

        /// The number of cursors of the transaction.
        private final class Counter {
            var count = 0
        }

        init(_ connection: PostgreSQLConnection) { self.connection = connection }

        func rows(_ sql: String, _ arguments: [StoreValue]) throws -> any StoreCursor {
            cursors.count += 1
            return try PostgreSQLRows(
                sql, arguments, by: connection, name: "rows\(cursors.count)")
        }

        func execute(_ sql: String, _ arguments: [StoreValue]) throws -> Int {
            try connection.execute(sql, arguments).count
        }

        func insert(_ openings: [NumberedOpening], of file: String) throws -> Set<Int> {
            guard !openings.isEmpty else { return [] }
            try connection.execute(
                """
                CREATE TEMPORARY TABLE incoming (
                    index BIGINT NOT NULL, bridge BIGINT NOT NULL, start BIGINT NOT NULL,
                    "end" BIGINT, number BIGINT NOT NULL
                ) ON COMMIT DROP
                """)
            try connection.copy(
                into: #"incoming (index, bridge, start, "end", number)"#,
                openings.lazy.map { opening in
                    [
                        .integer(Int64(opening.index)), .integer(opening.values.bridge),
                        .integer(opening.values.start), StoreValue(opening.values.end),
                        .integer(Int64(opening.number)),
                    ]
                })
            try connection.execute("ANALYZE incoming")
            let stored = try connection.execute(
                """
                SELECT incoming.index FROM incoming JOIN opening
                ON opening.bridge = incoming.bridge AND opening.start = incoming.start
                    AND coalesce(opening."end", -1) = coalesce(incoming."end", -1)
                """)
            try connection.execute(
                """
                INSERT INTO opening SELECT bridge, start, "end", $1, number FROM incoming
                ORDER BY bridge, start ON CONFLICT DO NOTHING
                """, [.text(file)])
            try connection.execute("DROP TABLE incoming")
            return Set(
                stored.values.compactMap { row in
                    guard case .integer(let index) = row[0] else { return nil }
                    return Int(index)
                })
        }

        func insert(_ rows: [[StoreValue]], into table: StoreTable) throws {
            try connection.copy(
                into: "\(table.rawValue) (\(table.columns.joined(separator: ", ")))", rows)
        }

        func syncedRows(of feed: String, ids: [String]) throws -> [String: OpeningValues] {
            let found = try connection.execute(
                """
                SELECT bridge, start, "end", "row" FROM syncedRow
                WHERE feed = $1 AND "row" = ANY($2::text[])
                """, [.text(feed), .list(of: ids)])
            var stored: [String: OpeningValues] = [:]
            for values in found.values {
                let row = StoreRow(values, columns: found.columns)
                if let id = try row.text(3) { stored[id] = try OpeningValues(row) }
            }
            return stored
        }

        func replaceSyncedRows(of feed: String, by rows: [String: OpeningValues]) throws {
            guard !rows.isEmpty else { return }
            try connection.execute(
                """
                CREATE TEMPORARY TABLE incoming (
                    "row" TEXT NOT NULL, bridge BIGINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT
                ) ON COMMIT DROP
                """)
            try connection.copy(
                into: #"incoming ("row", bridge, start, "end")"#,
                rows.lazy.map { id, values in
                    [
                        .text(id), .integer(values.bridge), .integer(values.start),
                        StoreValue(values.end),
                    ]
                })
            try connection.execute(
                """
                INSERT INTO syncedRow SELECT $1, "row", bridge, start, "end" FROM incoming
                ON CONFLICT (feed, "row") DO UPDATE SET
                    bridge = excluded.bridge, start = excluded.start, "end" = excluded."end"
                """, [.text(feed)])
            try connection.execute("DROP TABLE incoming")
        }

        func deleteSyncedRows(of feed: String, ids: [String]) throws {
            guard !ids.isEmpty else { return }
            try connection.execute(
                #"DELETE FROM syncedRow WHERE feed = $1 AND "row" = ANY($2::text[])"#,
                [.text(feed), .list(of: ids)])
        }

        func cutStarts(of table: PeriodTable, at seconds: Int64) throws {
            let name = table.rawValue
            try connection.execute(
                """
                WITH cut AS (DELETE FROM \(name) WHERE start < $1 RETURNING *)
                INSERT INTO \(name) (\(table.otherColumns), start, "end")
                SELECT \(table.otherColumns), $1, "end" FROM cut
                ORDER BY "end" DESC ON CONFLICT DO NOTHING
                """, [.integer(seconds)])
        }
    }

    /// The rows of a query in blocks, by a cursor of the server: memory does not grow with their number.
    private final class PostgreSQLRows: StoreCursor {
        private let connection: PostgreSQLConnection
        private let name: String
        private var block = PostgreSQLConnection.Rows(columns: [], values: [], count: 0)
        private var index = 0
        private var isAtEnd = false

        private static let blockRows = 5_000

        init(
            _ sql: String, _ arguments: [StoreValue], by connection: PostgreSQLConnection,
            name: String
        ) throws {
            self.connection = connection
            self.name = name
            try connection.execute("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", arguments)
            try readBlock()
        }

        func next() throws -> StoreRow? {
            if index == block.values.count, !isAtEnd { try readBlock() }
            guard index < block.values.count else { return nil }
            defer { index += 1 }
            return StoreRow(block.values[index], columns: block.columns)
        }

        private func readBlock() throws {
            block = try connection.execute("FETCH \(Self.blockRows) FROM \(name)")
            index = 0
            isAtEnd = block.values.count < Self.blockRows
        }
    }
#endif
