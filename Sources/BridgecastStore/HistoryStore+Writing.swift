// Writing files of records, pages of a feed, live observations and coverage; pruning.
public import BridgecastCore
public import BridgecastData
internal import BridgecastSupport
private import Dispatch

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
        _ file: RecordFile, at now: Timestamp, pieces: Set<Int>, in database: any HistoryDatabase
    ) throws -> [IngestReport.Outcome] {
        try database.execute(
            "INSERT INTO file VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            [
                .text(file.input.sha256), .text(file.input.name), .text(file.form.rawValue),
                .integer(Int64(file.rowsRead)), .integer(now.secondsSinceEpoch),
            ])
        var seen: Set<Opening> = []
        var outcomes = Array(repeating: IngestReport.Outcome.duplicate, count: file.records.count)
        var openings: [NumberedOpening] = []
        for (index, record) in file.records.enumerated() {
            guard seen.insert(record.opening).inserted else { continue }
            outcomes[index] = pieces.contains(index) ? .merged : .stored
            openings.append(
                NumberedOpening(
                    index: index, values: OpeningValues(record.opening),
                    number: record.location.number))
        }
        for index in try database.insert(openings, of: file.input.sha256) {
            outcomes[index] = .alreadyStored
        }
        return outcomes
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
            let row = try database.firstRow(
                "SELECT updatedAt, seen, lastRow, etag FROM feed WHERE name = $1", [.text(feed)])
            guard let row else { return SyncCursor() }
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
                """
                INSERT INTO feed VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO UPDATE SET
                    updatedAt = excluded.updatedAt, seen = excluded.seen,
                    lastRow = excluded.lastRow, etag = excluded.etag,
                    completedAt = coalesce(excluded.completedAt, feed.completedAt)
                """,
                [
                    .text(feed), StoreValue(cursor.updatedAt), .integer(Int64(cursor.seen)),
                    StoreValue(cursor.lastRow), StoreValue(cursor.etag),
                    StoreValue(completedAt?.secondsSinceEpoch),
                ])
            let counts = try Self.store(page.rows, of: feed, in: database)
            try database.deleteSyncedRows(of: feed, ids: page.rejectedRows)
            if completedAt != nil { try Self.stateCoverage(of: feed, in: database) }
            return counts
        }
    }

    /// Stores that a feed had nothing new at a time.
    package func markComplete(_ feed: String, at now: Timestamp) throws(HistoryStoreError) {
        try writing { database in
            try database.execute(
                "UPDATE feed SET completedAt = $1 WHERE name = $2",
                [.integer(now.secondsSinceEpoch), .text(feed)])
        }
    }

    /// Moves a feed's cursor before its first row, unless the feed has not been read to its end since the last restart.
    ///
    /// Rows and coverage stay, as does everything else.
    package func restartIfComplete(_ feed: String) throws(HistoryStoreError) {
        try writing { database in
            try database.execute(
                """
                UPDATE feed SET updatedAt = NULL, seen = 0, lastRow = NULL, etag = NULL,
                    completedAt = NULL
                WHERE name = $1 AND completedAt IS NOT NULL
                """, [.text(feed)])
        }
    }

    private static func store(
        _ rows: [SyncedRow], of feed: String, in database: any HistoryDatabase
    ) throws -> PageCounts {
        var counts = PageCounts()
        var stored = try database.syncedRows(of: feed, ids: rows.map(\.id))
        var changes: [String: OpeningValues] = [:]
        for row in rows {
            let values = OpeningValues(row.opening)
            switch stored[row.id] {
            case nil: counts.added += 1
            case values:
                counts.unchanged += 1
                continue
            default: counts.changed += 1
            }
            stored[row.id] = values
            changes[row.id] = values
        }
        try database.replaceSyncedRows(of: feed, by: changes)
        return counts
    }

    private static func stateCoverage(
        of feed: String, in database: any HistoryDatabase
    ) throws {
        let openings = try openings(
            #"SELECT bridge, start, "end" FROM syncedRow WHERE feed = $1"#, [.text(feed)],
            in: database)
        try database.execute("DELETE FROM syncedCoverage WHERE feed = $1", [.text(feed)])
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

    /// As ``record(_:)``, on a thread that may wait for a disk or a server, which those of Swift's tasks must not.
    ///
    /// - Throws: ``HistoryStoreError``.
    package func recordInBackground(_ step: BridgeTracker.Step) async throws(HistoryStoreError) {
        let result: Result<Void, HistoryStoreError> = await withCheckedContinuation { done in
            background.async { [self] in
                done.resume(returning: Result { () throws(HistoryStoreError) in try record(step) })
            }
        }
        try result.get()
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
            let periods = try database.rows(
                #"SELECT bridge, start, "end" FROM observedPeriod WHERE "end" >= $1"#,
                [.integer(limit)]
            ).compactMap { row in
                let period = try row.period(1)
                return try row.bridge().map {
                    ObservedPeriod(bridge: $0, start: period.lowerBound, end: period.upperBound)
                }
            }
            guard !periods.isEmpty else { return BridgeTracker() }
            let recent = try database.rows(
                """
                SELECT bridge, start, "end", startIsKnown FROM observedOpening
                WHERE start >= $1 ORDER BY start
                """, [.integer(now.adding(seconds: -86_400).secondsSinceEpoch)]
            ).compactMap { row -> ObservedOpening? in
                guard let opening = try row.opening() else { return nil }
                return ObservedOpening(
                    bridge: opening.bridge, start: opening.start,
                    startIsKnown: try row.integer(3) != 0, end: opening.end)
            }
            return BridgeTracker(resuming: periods, recent: recent)
        }
    }

    private static func store(
        _ opening: ObservedOpening, in database: any HistoryDatabase
    ) throws {
        try database.execute(
            """
            INSERT INTO observedOpening VALUES ($1, $2, $3, $4) ON CONFLICT (bridge, start)
                DO UPDATE SET startIsKnown = excluded.startIsKnown,
                    "end" = coalesce(excluded."end", observedOpening."end")
            """,
            [
                .integer(BridgeCatalogue[opening.bridge].storedID),
                .integer(opening.start.secondsSinceEpoch), opening.startIsKnown ? 1 : 0,
                StoreValue(opening.end?.secondsSinceEpoch),
            ])
    }

    private static func store(
        _ period: ObservedPeriod, in database: any HistoryDatabase
    ) throws {
        try database.execute(
            """
            INSERT INTO observedPeriod VALUES ($1, $2, $3) ON CONFLICT (bridge, start)
                DO UPDATE SET "end" = excluded."end" WHERE observedPeriod."end" < excluded."end"
            """,
            [
                .integer(BridgeCatalogue[period.bridge].storedID),
                .integer(period.start.secondsSinceEpoch), .integer(period.end.secondsSinceEpoch),
            ])
    }

    /// Ends observed periods at a time; the times of later openings become doubtful.
    private static func retract(
        after time: Timestamp, in database: any HistoryDatabase
    ) throws {
        let seconds: [StoreValue] = [.integer(time.secondsSinceEpoch)]
        try database.execute("DELETE FROM observedPeriod WHERE start > $1", seconds)
        try database.execute(
            #"UPDATE observedPeriod SET "end" = $1 WHERE "end" > $1"#, seconds)
        try database.execute(
            "UPDATE observedOpening SET startIsKnown = 0 WHERE start > $1", seconds)
    }

    /// The origin of coverage; each has a table with its name in the last column.
    enum CoverageOrigin {
        case file(sha256: String)
        case feed(name: String)
    }

    static func store(
        _ coverage: Coverage, of origin: CoverageOrigin, in database: any HistoryDatabase
    ) throws {
        let (table, name) =
            switch origin {
            case .file(let sha256): (#"coverage (bridge, start, "end", file)"#, sha256)
            case .feed(let name): (#"syncedCoverage (bridge, start, "end", feed)"#, name)
            }
        for bridge in BridgeIndex.all {
            for period in coverage.periods[bridge.rawValue] {
                // The same file may be ingested again.
                try database.execute(
                    "INSERT INTO \(table) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                    [
                        .integer(BridgeCatalogue[bridge].storedID),
                        .integer(period.lowerBound.secondsSinceEpoch),
                        .integer(period.upperBound.secondsSinceEpoch), .text(name),
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
        try writing(commits: !isTrial) { database in
            let limit = time.secondsSinceEpoch
            func delete(from table: String) throws -> Int {
                try database.execute(
                    #"DELETE FROM \#(table) WHERE coalesce("end", start) < $1"#,
                    [.integer(limit)])
            }
            func cut(_ table: PeriodTable) throws {
                try database.execute(
                    #"DELETE FROM \#(table.rawValue) WHERE "end" <= $1"#, [.integer(limit)])
                try database.cutStarts(of: table, at: limit)
            }
            var report = PruneReport()
            if scope != .observed {
                report.records = try delete(from: "opening") + delete(from: "syncedRow")
                try cut(.coverage)
                try cut(.syncedCoverage)
            }
            if scope != .records {
                report.observed = try delete(from: "observedOpening")
                try cut(.observedPeriod)
            }
            return report
        }
    }
}
