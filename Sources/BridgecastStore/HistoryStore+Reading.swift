// Reading the store: records and observations become one history with coverage.
public import BridgecastCore
internal import BridgecastData
internal import GRDB

extension HistoryStore {
    /// All openings and coverage as one history, records reconciled with observations.
    ///
    /// - Parameter gapSeconds: Recorded openings of a bridge at most this far apart are one.
    /// - Throws: ``HistoryStoreError``.
    public func history(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> OpeningHistory {
        let contents = try contents(gapSeconds: gapSeconds)
        return OpeningHistory(
            records: contents.openings.flatMap { $0 }.map(\.opening), coverage: contents.coverage,
            gapSeconds: gapSeconds)
    }

    /// What the store holds.
    public struct Contents: Sendable {
        /// Openings in order with who says so, by ``BridgeIndex``.
        public let openings: [[WitnessedOpening]]
        /// Where they are all there were.
        public let coverage: Coverage
    }

    /// All openings with their witnesses, and coverage.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func contents(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> Contents {
        do {
            return try database.read { database in
                let records = try Self.openings(
                    "SELECT bridge, start, end FROM opening"
                        + " UNION SELECT bridge, start, end FROM syncedRow", in: database)
                let observed = try Self.openings(
                    "SELECT bridge, start, end FROM observedOpening WHERE startIsKnown = 1",
                    in: database)
                let openings = zip(records, observed).map { records, observed in
                    OpeningReconciliation.reconcile(
                        records: OpeningConsolidation.consolidate(records, gapSeconds: gapSeconds),
                        observed: observed)
                }
                return Contents(openings: openings, coverage: try Self.coverage(in: database))
            }
        } catch {
            throw HistoryStoreError(error, path: path, access)
        }
    }

    /// The openings of a query for bridge, start and end, by ``BridgeIndex``.
    static func openings(
        _ sql: String, _ arguments: StatementArguments = [], in database: Database
    ) throws -> [[Opening]] {
        var byBridge = Array(repeating: [Opening](), count: BridgeCatalogue.count)
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            guard let opening = try StoreRow(row).opening() else { continue }
            byBridge[opening.bridge.rawValue].append(opening)
        }
        return byBridge
    }

    private static func coverage(in database: Database) throws -> Coverage {
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT bridge, start, end FROM coverage
                UNION ALL SELECT bridge, start, end FROM syncedCoverage
                UNION ALL SELECT bridge, start, end FROM observedPeriod WHERE end > start
                """)
        while let row = try rows.next() {
            let row = StoreRow(row)
            guard let bridge = try row.bridge() else { continue }
            periods[bridge.rawValue].append(try row.period(1))
        }
        return Coverage(periods: periods)
    }
}
