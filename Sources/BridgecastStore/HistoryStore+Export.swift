// The openings of a store one after the other, in memory that does not grow with the store.
package import BridgecastCore

extension HistoryStore {
    /// Calls a closure with every opening of ``contents(gapSeconds:)``, in the order of their starts, then of the bridges.
    ///
    /// All are of one moment, whatever is written meanwhile. Memory is that of the openings that touch each other.
    ///
    /// - Parameter gapSeconds: Openings of a bridge at most this far apart are one.
    /// - Throws: ``HistoryStoreError``, and what the closure throws.
    package func forEachOpening(
        gapSeconds: Int64 = OpeningConsolidation.defaultGapSeconds,
        _ body: (WitnessedOpening) throws -> Void
    ) throws {
        var interruption: (any Error)?
        do {
            try reading { database in
                // A store whose coverage is damaged is refused before anything of it is used.
                _ = try Self.coverage(in: database)
                var streams = try BridgeIndex.all.map { bridge in
                    try OpeningStream(bridge, gapSeconds: gapSeconds, in: database)
                }
                while let first = streams.indexOfFirst {
                    let opening = streams[first].openings.removeLast()
                    do {
                        try body(opening)
                    } catch {
                        interruption = error
                        throw error
                    }
                    try streams[first].fill()
                }
            }
        } catch {
            throw interruption ?? error
        }
    }
}

/// One bridge's openings in the order of their starts.
private struct OpeningStream {
    /// The next openings, the first one last; empty at the end.
    var openings: [WitnessedOpening] = []

    private let rows: any StoreCursor
    private let gapSeconds: Int64
    /// Read, and not used yet.
    private var ahead: (opening: Opening, isObserved: Bool)?

    /// Of openings that start together those without an end come first, as in ``OpeningConsolidation``.
    private static let sql = """
        SELECT bridge, start, "end", 0 AS isObserved FROM opening WHERE bridge = $1
        UNION SELECT bridge, start, "end", 0 FROM syncedRow WHERE bridge = $1
        UNION ALL SELECT bridge, start, "end", 1 FROM observedOpening
            WHERE bridge = $1 AND startIsKnown = 1
        ORDER BY start, "end" NULLS FIRST, isObserved
        """

    init(_ bridge: BridgeIndex, gapSeconds: Int64, in database: any HistoryDatabase) throws {
        self.gapSeconds = gapSeconds
        rows = try database.rows(Self.sql, [.integer(BridgeCatalogue[bridge].storedID)])
        ahead = try next()
        try fill()
    }

    /// Reads the next openings if there are none: up to a pause in which none can be joined or matched with a later one.
    mutating func fill() throws {
        guard openings.isEmpty else { return }
        let pauseSeconds = max(gapSeconds, OpeningReconciliation.toleranceSeconds)
        var records: [Opening] = []
        var observed: [Opening] = []
        var end: Timestamp?
        while let (opening, isObserved) = ahead,
            end.map({ opening.start <= $0.adding(seconds: pauseSeconds) }) ?? true
        {
            end = max(end ?? opening.start, opening.end ?? opening.start)
            if isObserved { observed.append(opening) } else { records.append(opening) }
            ahead = try next()
        }
        openings = OpeningReconciliation.reconcile(
            records: OpeningConsolidation.consolidate(records, gapSeconds: gapSeconds),
            observed: observed
        ).reversed()
    }

    private func next() throws -> (opening: Opening, isObserved: Bool)? {
        while let row = try rows.next() {
            if let opening = try row.opening() { return (opening, try row.integer(3) == 1) }
        }
        return nil
    }
}

extension [OpeningStream] {
    /// The index of the stream whose next opening is the first of all; nil if all are at their ends.
    fileprivate var indexOfFirst: Int? {
        var first: (start: Timestamp, index: Int)?
        for (index, stream) in enumerated() {
            guard let start = stream.openings.last?.opening.start else { continue }
            if first.map({ start < $0.start }) ?? true { first = (start, index) }
        }
        return first?.index
    }
}
