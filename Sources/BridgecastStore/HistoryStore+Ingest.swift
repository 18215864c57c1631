// Files of records into the store, a transaction each; used by `ingest`.
public import BridgecastCore
public import BridgecastData
private import GRDB

extension HistoryStore {
    /// Ingests a file in one transaction; on any error the store is as it was, and so it is if no row is
    /// usable.
    ///
    /// - Parameters:
    ///   - coverage: Where the file's records are complete; nil to infer it from them.
    ///   - gapSeconds: For the report: openings at most this far apart count as pieces of one.
    /// - Returns: What became of each row.
    /// - Throws: ``HistoryStoreError``.
    public func ingest(
        _ file: RecordFile, coverage: Coverage?, gapSeconds: Int64, at now: Timestamp
    ) throws(HistoryStoreError) -> IngestReport {
        // What has no usable row says nothing, nor does a statement of coverage that came with it.
        guard !file.records.isEmpty else { return IngestReport(refused: file) }
        return try writing { database in
            let outcomes = try Self.store(
                file, at: now, pieces: file.pieces(gapSeconds: gapSeconds), in: database)
            // Nobody can state what has not happened yet.
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
}
