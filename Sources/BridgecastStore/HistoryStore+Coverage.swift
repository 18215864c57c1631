// Coverage into the store, whoever states it: a file or a feed; used by ingest and sync.
internal import BridgecastCore
internal import GRDB

extension HistoryStore {
    /// Who states coverage; each has a table with its own name in the last column.
    enum CoverageOrigin {
        case file(sha256: String)
        case feed(name: String)
    }

    /// Adds periods to those that an origin has stated.
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
}
