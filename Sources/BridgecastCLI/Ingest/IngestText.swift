// The ingest report as text: counts that add up, and where to look for each problem.
import BridgecastCore
import BridgecastData

enum IngestText {
    private static let outcomes: [(IngestReport.Outcome, String)] = [
        (.stored, "new openings"), (.merged, "pieces of an opening recorded in parts, merged"),
        (.duplicate, "exact duplicates of earlier rows, dropped"),
        (.alreadyStored, "in the store already"),
    ]

    private static let rejections: [RecordRejection: String] = [
        .wrongShape: "wrong number of fields, or no object", .badQuoting: "broken quoting",
        .notABridge: "entitytype is not Bridge", .unknownBridge: "unknown bridge",
        .contradictoryBridge: "id and name of different bridges",
        .missingOpenTime: "no opening time", .unreadableTime: "unreadable time",
        .nonexistentTime: "a time that clocks skipped", .inTheFuture: "in the future",
        .tooEarly: "before 2001",
        .closesBeforeOpening: "closes before it opens", .implausiblyLong: "longer than a day",
        .implausiblePlace: "coordinates not at the bridge",
    ]

    private static let flags: [RecordFlag: String] = [
        .short: "of at most 1 min (tests, aborted)",
        .long: "of at least 30 min (maintenance, stuck)",
        .missingEnd: "without a closing time (length unknown)",
        .minutesDisagree: "whose minutesopen disagrees with its times",
        .repeatedHour: "in the hour that clocks repeat",
    ]

    /// The report of one file.
    static func text(_ report: IngestReport) -> String {
        var table = TextTable(["rows", "what became of them"], [.right, .left])
        for (outcome, words) in outcomes {
            table.add([String(report.outcomes[outcome] ?? 0), words])
        }
        for rejection in RecordRejection.allCases {
            guard let count = report.rejections[rejection] else { continue }
            table.add([String(count), "rejected: \(rejections[rejection] ?? rejection.rawValue)"])
        }
        table.add([String(report.rowsRead), "rows read in all"])
        var lines = [
            "\(printable(report.file, most: 500)) (\(report.form.rawValue)), coverage \(report.coverage.rawValue)"
        ]
        lines.append(table.text(indent: "  "))
        for flag in RecordFlag.allCases {
            guard let count = report.flags[flag] else { continue }
            lines.append("  kept, but flagged: \(count) \(flags[flag] ?? flag.rawValue)")
        }
        for (reason, examples) in report.examples.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            for example in examples {
                lines.append(
                    "  \(reason.rawValue): \(example.unit.rawValue) \(example.number), \(example.field)"
                        + (example.value.isEmpty ? "" : ": '\(printable(example.value))'"))
            }
        }
        return lines.joined(separator: "\n")
    }
}
