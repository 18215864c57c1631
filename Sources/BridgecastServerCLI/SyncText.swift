// The report of a sync as text.
import BridgecastCLI
import BridgecastData
import BridgecastFeeds

/// The report of a sync as text.
enum SyncText {
    static func text(_ report: SyncReport) -> String {
        if report.isNotModified && report.rows == 0 {
            return "\(report.source): nothing has changed since the last time"
        }
        var table = TextTable(["rows", "what became of them"], [.right, .left])
        table.add(["\(report.added)", "new openings"])
        table.add(["\(report.changed)", "corrected by the city, replaced"])
        table.add(["\(report.unchanged)", "as the store had them"])
        for (reason, count) in report.rejections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            table.add(["\(count)", "rejected: \(reason.rawValue)"])
        }
        table.add(["\(report.rows)", "rows read in all, on \(report.pages) pages"])
        let flags = report.flags.sorted { $0.key.rawValue < $1.key.rawValue }.map { flag, count in
            "  kept, but flagged: \(count) \(flag.rawValue)"
        }
        return ([report.source, table.text(indent: "  ")] + flags).joined(separator: "\n")
    }
}
