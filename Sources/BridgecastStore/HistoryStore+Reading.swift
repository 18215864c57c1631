// Reading the store: records and observations become one history with coverage.
public import BridgecastCore
internal import GRDB

extension HistoryStore {
    /// All openings and coverage as one history, records reconciled with observations.
    ///
    /// - Parameter gapSeconds: Openings of a bridge at most this far apart are one.
    /// - Throws: ``HistoryStoreError``.
    public func history(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds
    ) throws(HistoryStoreError) -> OpeningHistory {
        let (lists, coverage) = try witnessed { $0 }
        return OpeningHistory(
            disjoint: lists.map { list in
                OpeningConsolidation.consolidate(list.map(\.opening), gapSeconds: gapSeconds)
            }, coverage: coverage)
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
        let (lists, coverage) = try witnessed {
            OpeningConsolidation.consolidate($0, gapSeconds: gapSeconds)
        }
        return Contents(openings: lists, coverage: coverage)
    }

    /// Records and observations of each bridge, brought together, and coverage.
    ///
    /// - Parameter prepare: What is done to a bridge's records first.
    private func witnessed(
        _ prepare: ([Opening]) -> [Opening]
    ) throws(HistoryStoreError) -> (openings: [[WitnessedOpening]], coverage: Coverage) {
        try reading { database in
            let records = try Self.openings(
                "SELECT bridge, start, end FROM opening"
                    + " UNION SELECT bridge, start, end FROM syncedRow", in: database)
            let observed = try Self.openings(
                "SELECT bridge, start, end FROM observedOpening WHERE startIsKnown = 1",
                in: database)
            let openings = zip(records, observed).map { records, observed in
                OpeningReconciliation.reconcile(records: prepare(records), observed: observed)
            }
            return (openings, try Self.coverage(in: database))
        }
    }

    /// The openings of a query for bridge, start and end, by ``BridgeIndex``.
    static func openings(
        _ sql: String, _ arguments: StatementArguments = [], in database: Database
    ) throws -> [[Opening]] {
        var openings: [Opening] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            if let opening = try StoreRow(row).opening() { openings.append(opening) }
        }
        return openings.byBridge
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
