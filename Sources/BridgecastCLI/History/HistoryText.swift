// Openings as CSV, JSON or NDJSON, with their witnesses; what `history export` writes.
import BridgecastCore
import BridgecastData

/// Openings as text.
///
/// Models fitted to a store are told by the digest of its CSV: another layout would make them another store's.
enum HistoryText {
    /// One opening as data set gm8h-9449 names its fields, with absolute times besides.
    private struct Entry: Encodable {
        let entityid: String
        let entityname: String
        let opendatetime: String
        let closedatetime: String?
        let minutesopen: Double?
        let openedAt: String
        let closedAt: String?
        let witnesses: [String]

        init(_ item: WitnessedOpening) {
            let bridge = BridgeCatalogue[item.opening.bridge]
            entityid = "\(bridge.id)"
            entityname = bridge.name
            opendatetime = Self.floating(item.opening.start)
            closedatetime = item.opening.end.map(Self.floating)
            minutesopen = item.opening.minutes
            openedAt = TimeText.rfc3339(item.opening.start)
            closedAt = item.opening.end.map(TimeText.rfc3339)
            witnesses = item.witnesses.sorted().map(\.rawValue)
        }

        private static func floating(_ moment: Timestamp) -> String {
            String(TimeText.rfc3339(moment).prefix(19)) + ".000"
        }
    }

    /// Openings of all bridges, as they are written: in order of their starts, then of the bridges.
    static func inOrder(_ byBridge: [[WitnessedOpening]]) -> [WitnessedOpening] {
        byBridge.flatMap { $0 }.sorted {
            ($0.opening.start, $0.opening.bridge) < ($1.opening.start, $1.opening.bridge)
        }
    }

    /// Openings in a format, with a line end at the end.
    static func text(_ openings: [WitnessedOpening], _ format: ExportFormat) throws -> String {
        let entries = openings.map(Entry.init)
        switch format {
        case .json: return try json(entries) + "\n"
        case .ndjson: return try entries.map { try json($0, isLine: true) + "\n" }.joined()
        case .csv:
            let header =
                "entityid,entityname,opendatetime,closedatetime,minutesopen,opened_at,closed_at,"
                + "witnesses\n"
            return header
                + entries.map { entry in
                    [
                        entry.entityid, entry.entityname, entry.opendatetime,
                        entry.closedatetime ?? "", entry.minutesopen.map { fixed($0, 2) } ?? "",
                        entry.openedAt, entry.closedAt ?? "",
                        entry.witnesses.joined(separator: "+"),
                    ].joined(separator: ",") + "\n"
                }.joined()
        }
    }
}
