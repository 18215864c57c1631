// Keeping the store: what is taken out by rule, and whether its pages are sound.
public import BridgecastCore
private import GRDB

extension HistoryStore {
    /// What ``prune(before:_:isTrial:)`` takes out.
    public enum PruneScope: String, Sendable, CaseIterable {
        /// What the live feed showed.
        case observed
        /// What files and synced data sets said.
        case records
        /// Both.
        case all
    }

    /// What was taken out.
    public struct PruneReport: Sendable, Codable, Equatable {
        /// Openings from records.
        public var records = 0
        /// Openings from observation.
        public var observed = 0
    }

    /// Takes out openings that ended before a moment, and the coverage that stood for them.
    ///
    /// - Parameter isTrial: Counts only; the store stays as it is.
    /// - Throws: ``HistoryStoreError``.
    public func prune(
        before moment: Timestamp, _ scope: PruneScope, isTrial: Bool
    ) throws(HistoryStoreError) -> PruneReport {
        try writing { database in
            var report = PruneReport()
            try database.inSavepoint {
                report = try Self.prune(before: moment, scope, in: database)
                return isTrial ? .rollback : .commit
            }
            return report
        }
    }

    private static func prune(
        before moment: Timestamp, _ scope: PruneScope, in database: Database
    ) throws -> PruneReport {
        let limit: StatementArguments = [moment.secondsSinceEpoch]
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

    /// What SQLite finds wrong with the file, in its words; empty if nothing.
    func integrityProblems() throws(HistoryStoreError) -> [String] {
        try reading { database in
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
}
