// Writing files of records, pages of a feed, live observations and coverage; pruning.
public import BridgecastCore
public import BridgecastData
internal import BridgecastSupport
internal import GRDB

extension HistoryStore {
    /// Ingests a file in one transaction; the store is unchanged after an error, and if no row is usable.
    ///
    /// - Parameters:
    ///   - coverage: When the file's records are complete; nil to infer it from them.
    ///   - gapSeconds: For the report: openings at most this far apart count as pieces of one.
    /// - Returns: The outcomes of all rows.
    /// - Throws: ``HistoryStoreError``.
    public func ingest(
        _ file: RecordFile, coverage: Coverage?, gapSeconds: Int64, at now: Timestamp
    ) throws(HistoryStoreError) -> IngestReport {
        // Without usable rows, stated coverage means nothing either.
        guard !file.records.isEmpty else { return IngestReport(refused: file) }
        return try writing { database in
            let outcomes = try Self.store(
                file, at: now, pieces: file.pieces(gapSeconds: gapSeconds), in: database)
            // The future cannot be covered.
            let stated = coverage?.clamped(to: .earliestPlausible..<now)
            let periods = stated ?? .inferred(from: file.openings)
            try Self.store(periods, of: .file(sha256: file.input.sha256), in: database)
            return IngestReport(file, outcomes: outcomes, coverageIsStated: coverage != nil)
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
        var seen: Set<Opening> = []
        return try file.records.enumerated().map { index, record in
            let opening = record.opening
            guard seen.insert(opening).inserted else { return .duplicate }
            try insert.execute(arguments: [
                BridgeCatalogue[opening.bridge].id.rawValue, opening.start.secondsSinceEpoch,
                opening.end?.secondsSinceEpoch, file.input.sha256, record.location.number,
            ])
            guard database.changesCount > 0 else { return .alreadyStored }
            return pieces.contains(index) ? .merged : .stored
        }
    }

    package struct PageCounts: Sendable {
        package var added = 0
        /// Rows that replaced the stored row with their id.
        package var changed = 0
        /// Rows equal to the stored ones.
        package var unchanged = 0
    }

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

    /// Stores a page and the cursor after it in one transaction.
    ///
    /// - Parameter completedAt: When the end of the feed was reached with this page; nil if it was not.
    ///   Only then the coverage of its rows is stored: they are not in the order of their openings.
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
                    sql: "DELETE FROM syncedRow WHERE feed = ? AND row = ?", arguments: [feed, id])
            }
            if completedAt != nil { try Self.stateCoverage(of: feed, in: database) }
            return counts
        }
    }

    /// Stores that a feed had nothing new at a time.
    package func markComplete(_ feed: String, at now: Timestamp) throws(HistoryStoreError) {
        try writing { database in
            try database.execute(
                sql: "UPDATE feed SET completedAt = ? WHERE name = ?",
                arguments: [now.secondsSinceEpoch, feed])
        }
    }

    /// Moves a feed's cursor before its first row, unless the feed has not been read to its end since the last restart.
    ///
    /// Rows and coverage stay, as does everything else.
    package func restartIfComplete(_ feed: String) throws(HistoryStoreError) {
        try writing { database in
            try database.execute(
                sql: """
                    UPDATE feed SET updatedAt = NULL, seen = 0, lastRow = NULL, etag = NULL,
                        completedAt = NULL
                    WHERE name = ? AND completedAt IS NOT NULL
                    """, arguments: [feed])
        }
    }

    private static func store(
        _ row: SyncedRow, of feed: String, in database: Database, _ counts: inout PageCounts
    ) throws {
        let id = BridgeCatalogue[row.opening.bridge].id.rawValue
        let start = row.opening.start.secondsSinceEpoch
        let end = row.opening.end?.secondsSinceEpoch
        let stored = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT bridge, start, end FROM syncedRow WHERE feed = ? AND row = ?"),
            arguments: [feed, row.id])
        if let stored {
            let old = StoreRow(stored)
            let oldID = Int(try old.integer(0))
            let oldStart = try old.time(1).secondsSinceEpoch
            let oldEnd = try old.optionalTime(2)?.secondsSinceEpoch
            guard oldID != id || oldStart != start || oldEnd != end else {
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
        try database.execute(sql: "DELETE FROM syncedCoverage WHERE feed = ?", arguments: [feed])
        let coverage = Coverage.inferred(from: openings.flatMap { $0 })
        try store(coverage, of: .feed(name: feed), in: database)
    }
}

/// How far a data set has been read.
package struct SyncCursor: Sendable, Equatable {
    /// The time of change of the last row read, as SODA writes it; nil before the first.
    package var updatedAt: String?
    /// The number of rows read with that time of change.
    package var seen = 0
    package var lastRow: String?
    /// ETag of the last reply to the request after this cursor.
    package var etag: String?

    /// Creates a cursor, by default before the first row.
    package init(
        updatedAt: String? = nil, seen: Int = 0, lastRow: String? = nil, etag: String? = nil
    ) {
        self.updatedAt = updatedAt
        self.seen = seen
        self.lastRow = lastRow
        self.etag = etag
    }

    package var withoutETag: SyncCursor {
        var copy = self
        copy.etag = nil
        return copy
    }
}

extension HistoryStore {
    /// Stores the changes of a reading in one transaction.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func record(_ step: BridgeTracker.Step) throws(HistoryStoreError) {
        try writing { database in
            if let cut = step.cut { try Self.retract(after: cut, in: database) }
            for opening in step.openings { try Self.store(opening, in: database) }
            for period in step.periods { try Self.store(period, in: database) }
        }
    }

    /// A tracker that continues where the last one stopped; an empty one if that is too long ago.
    ///
    /// - Parameter seconds: The maximum age of the last reading.
    /// - Throws: ``HistoryStoreError``.
    public func resumedTracker(
        at now: Timestamp, within seconds: Int64 = BridgeTracker.gapSeconds
    ) throws(HistoryStoreError) -> BridgeTracker {
        try reading { database in
            let limit = now.adding(seconds: -seconds).secondsSinceEpoch
            let periods = try Row.fetchAll(
                database, sql: "SELECT bridge, start, end FROM observedPeriod WHERE end >= ?",
                arguments: [limit]
            ).compactMap { row in
                let row = StoreRow(row)
                let period = try row.period(1)
                return try row.bridge().map {
                    ObservedPeriod(bridge: $0, start: period.lowerBound, end: period.upperBound)
                }
            }
            guard !periods.isEmpty else { return BridgeTracker() }
            let recent = try Row.fetchAll(
                database,
                sql: """
                    SELECT bridge, start, end, startIsKnown FROM observedOpening
                    WHERE start >= ? ORDER BY start
                    """, arguments: [now.adding(seconds: -86_400).secondsSinceEpoch]
            ).compactMap { row -> ObservedOpening? in
                let row = StoreRow(row)
                guard let opening = try row.opening() else { return nil }
                return ObservedOpening(
                    bridge: opening.bridge, start: opening.start,
                    startIsKnown: try row.integer(3) != 0, end: opening.end)
            }
            return BridgeTracker(resuming: periods, recent: recent)
        }
    }

    private static func store(_ opening: ObservedOpening, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO observedOpening VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET startIsKnown = excluded.startIsKnown, end = excluded.end
                """
        ).execute(arguments: [
            BridgeCatalogue[opening.bridge].id.rawValue, opening.start.secondsSinceEpoch,
            opening.startIsKnown, opening.end?.secondsSinceEpoch,
        ])
    }

    private static func store(_ period: ObservedPeriod, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO observedPeriod VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET end = max(end, excluded.end)
                """
        ).execute(arguments: [
            BridgeCatalogue[period.bridge].id.rawValue, period.start.secondsSinceEpoch,
            period.end.secondsSinceEpoch,
        ])
    }

    /// Ends observed periods at a time; the times of later openings become doubtful.
    private static func retract(after time: Timestamp, in database: Database) throws {
        let seconds = time.secondsSinceEpoch
        try database.execute(
            sql: "DELETE FROM observedPeriod WHERE start > ?", arguments: [seconds])
        try database.execute(
            sql: "UPDATE observedPeriod SET end = ? WHERE end > ?", arguments: [seconds, seconds])
        try database.execute(
            sql: "UPDATE observedOpening SET startIsKnown = 0 WHERE start > ?",
            arguments: [seconds])
    }

    /// The origin of coverage; each has a table with its name in the last column.
    enum CoverageOrigin {
        case file(sha256: String)
        case feed(name: String)
    }

    static func store(
        _ coverage: Coverage, of origin: CoverageOrigin, in database: Database
    ) throws {
        let (table, name) =
            switch origin {
            case .file(let sha256): ("coverage (bridge, start, end, file)", sha256)
            case .feed(let name): ("syncedCoverage (bridge, start, end, feed)", name)
            }
        for bridge in BridgeIndex.all {
            for period in coverage.periods[bridge.rawValue] {
                // The same file may be ingested again.
                try database.execute(
                    sql: "INSERT OR IGNORE INTO \(table) VALUES (?, ?, ?, ?)",
                    arguments: [
                        BridgeCatalogue[bridge].id.rawValue, period.lowerBound.secondsSinceEpoch,
                        period.upperBound.secondsSinceEpoch, name,
                    ])
            }
        }
    }

    /// What ``prune(before:_:isTrial:)`` removes.
    public enum PruneScope: String, Sendable, CaseIterable {
        /// Live observations.
        case observed
        /// Files and synced data sets.
        case records
        /// Both.
        case all
    }

    /// The numbers of removed openings.
    public struct PruneReport: Sendable, Codable, Equatable {
        /// Openings from records.
        public var records = 0
        /// Openings from observation.
        public var observed = 0
    }

    /// Removes openings that ended before a time, and their coverage.
    ///
    /// - Parameter isTrial: Only counts; the store is not changed.
    /// - Throws: ``HistoryStoreError``.
    public func prune(
        before time: Timestamp, _ scope: PruneScope, isTrial: Bool
    ) throws(HistoryStoreError) -> PruneReport {
        try writing { database in
            var report = PruneReport()
            try database.inSavepoint {
                report = try Self.prune(before: time, scope, in: database)
                return isTrial ? .rollback : .commit
            }
            return report
        }
    }

    private static func prune(
        before time: Timestamp, _ scope: PruneScope, in database: Database
    ) throws -> PruneReport {
        let limit: StatementArguments = [time.secondsSinceEpoch]
        func delete(from table: String) throws -> Int {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE ifnull(end, start) < ?", arguments: limit)
            return database.changesCount
        }
        func cut(_ table: String) throws {
            try database.execute(sql: "DELETE FROM \(table) WHERE end <= ?", arguments: limit)
            try database.execute(
                sql: "UPDATE OR REPLACE \(table) SET start = ?1 WHERE start < ?1", arguments: limit)
        }
        var report = PruneReport()
        if scope != .observed {
            report.records = try delete(from: "opening") + delete(from: "syncedRow")
            try cut("coverage")
            try cut("syncedCoverage")
        }
        if scope != .records {
            report.observed = try delete(from: "observedOpening")
            try cut("observedPeriod")
        }
        return report
    }
}
