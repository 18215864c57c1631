// What the live feed showed, stored as it is seen, and taken up again after a restart.
public import BridgecastCore
private import GRDB

extension HistoryStore {
    /// Stores what a reading brought, in one transaction.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func record(_ step: BridgeTracker.Step) throws(HistoryStoreError) {
        try writing { database in
            if let cut = step.cut { try Self.takeBack(after: cut, in: database) }
            for opening in step.openings { try Self.store(opening, in: database) }
            for period in step.periods { try Self.store(period, in: database) }
        }
    }

    /// A tracker that goes on where the last one stopped; an empty one if that is too long ago.
    ///
    /// - Parameter seconds: The oldest last reading that counts.
    /// - Throws: ``HistoryStoreError``.
    public func resumedTracker(
        at now: Timestamp, within seconds: Int64 = BridgeTracker.gapSeconds
    ) throws(HistoryStoreError) -> BridgeTracker {
        try reading { database in
            let limit = now.adding(seconds: -seconds).secondsSinceEpoch
            let periods = try Row.fetchAll(
                database,
                sql: "SELECT bridge, start, end FROM observedPeriod WHERE end >= ?",
                arguments: [limit]
            ).compactMap { row in
                let row = StoreRow(row)
                let period = try row.period(1)
                return try row.bridge().map {
                    ObservedPeriod(
                        bridge: $0, start: period.lowerBound, end: period.upperBound)
                }
            }
            guard !periods.isEmpty else { return BridgeTracker() }
            let recent = try Row.fetchAll(
                database,
                sql: """
                    SELECT bridge, start, end, startIsKnown FROM observedOpening
                    WHERE start >= ? ORDER BY start
                    """,
                arguments: [now.adding(seconds: -86_400).secondsSinceEpoch]
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

    /// What was watched counts only up to a moment; openings stamped later have doubtful times.
    private static func takeBack(after moment: Timestamp, in database: Database) throws {
        let seconds = moment.secondsSinceEpoch
        try database.execute(
            sql: "DELETE FROM observedPeriod WHERE start > ?", arguments: [seconds])
        try database.execute(
            sql: "UPDATE observedPeriod SET end = ? WHERE end > ?", arguments: [seconds, seconds])
        try database.execute(
            sql: "UPDATE observedOpening SET startIsKnown = 0 WHERE start > ?",
            arguments: [seconds])
    }
}
