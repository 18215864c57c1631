// A feed's rows and its cursor, committed together; used by HistorySync.
package import BridgecastCore
package import BridgecastData
private import GRDB

extension HistoryStore {
    /// What became of the rows of a page.
    package struct PageCounts: Sendable {
        /// Rows that are new.
        package var added = 0
        /// Rows that replaced what the store had under their id.
        package var changed = 0
        /// Rows that the store had.
        package var unchanged = 0
    }

    /// How far a feed has been read.
    package func cursor(of feed: String) throws(HistoryStoreError) -> SyncCursor {
        try reading { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT updatedAt, seen, lastRow, etag FROM feed WHERE name = ?",
                arguments: [feed])
            guard let row = row.map(StoreRow.init) else { return SyncCursor() }
            return SyncCursor(
                updatedAt: try row.text(0), seen: Int(try row.integer(1)),
                lastRow: try row.text(2), etag: try row.text(3))
        }
    }

    /// Stores a page and the cursor behind it in one transaction.
    ///
    /// - Parameter completedAt: When the end of the feed was reached with this page; nil if it was not.
    ///   Only then the coverage of its rows is stated: they do not come in the order of their openings.
    package func commit(
        _ page: SODAPage, cursor: SyncCursor, of feed: String, completedAt: Timestamp?
    ) throws(HistoryStoreError) -> PageCounts {
        try writing { database in
            try database.execute(
                sql: """
                    INSERT INTO feed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                        updatedAt = excluded.updatedAt, seen = excluded.seen,
                        lastRow = excluded.lastRow, etag = excluded.etag,
                        completedAt = ifnull(excluded.completedAt, completedAt)
                    """,
                arguments: [
                    feed, cursor.updatedAt, cursor.seen, cursor.lastRow, cursor.etag,
                    completedAt?.secondsSinceEpoch,
                ])
            var counts = PageCounts()
            for row in page.rows { try Self.store(row, of: feed, in: database, &counts) }
            for id in page.rejectedRows {
                try database.execute(
                    sql: "DELETE FROM syncedRow WHERE feed = ? AND row = ?",
                    arguments: [feed, id])
            }
            if completedAt != nil { try Self.stateCoverage(of: feed, in: database) }
            return counts
        }
    }

    /// Notes that a feed has nothing new at a moment.
    package func markComplete(_ feed: String, at now: Timestamp) throws(HistoryStoreError) {
        try writing { database in
            try database.execute(
                sql: "UPDATE feed SET completedAt = ? WHERE name = ?",
                arguments: [now.secondsSinceEpoch, feed])
        }
    }

    private static func store(
        _ row: SyncedRow, of feed: String, in database: Database, _ counts: inout PageCounts
    ) throws {
        let id = BridgeCatalogue[row.opening.bridge].id.rawValue
        let (start, end) = (
            row.opening.start.secondsSinceEpoch, row.opening.end?.secondsSinceEpoch
        )
        let stored = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT bridge, start, end FROM syncedRow WHERE feed = ? AND row = ?"),
            arguments: [feed, row.id])
        if let stored {
            let old = StoreRow(stored)
            let (oldID, oldStart) = (Int(try old.integer(0)), try old.moment(1).secondsSinceEpoch)
            let oldEnd = try old.optionalMoment(2)?.secondsSinceEpoch
            guard (oldID, oldStart) != (id, start) || oldEnd != end else {
                counts.unchanged += 1
                return
            }
            counts.changed += 1
        } else {
            counts.added += 1
        }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO syncedRow VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [feed, row.id, id, start, end])
    }

    private static func stateCoverage(of feed: String, in database: Database) throws {
        let openings = try openings(
            "SELECT bridge, start, end FROM syncedRow WHERE feed = ?", [feed], in: database)
        try database.execute(
            sql: "DELETE FROM syncedCoverage WHERE feed = ?", arguments: [feed])
        let coverage = Coverage.inferred(from: openings.flatMap { $0 })
        try store(coverage, of: .feed(name: feed), in: database)
    }
}
