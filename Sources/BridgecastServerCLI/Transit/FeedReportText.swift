// Reports of feeds as lines for people; printed by `feed check`.
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers

/// Puts the report of a timetable into lines.
struct TimetableText {
    let report: TimetableReport

    init(_ report: TimetableReport) { self.report = report }

    /// All lines.
    var lines: [StyledLine] {
        let agencies = report.agencies.map(\.name).joined(separator: ", ")
        var facts: [(String, String)] = [
            ("agency", "\(printable(agencies, most: 200)) (\(report.timeZone))")
        ]
        if let info = report.info {
            facts.append(("publisher", printable(info.publisher, most: 120)))
            if !info.version.isEmpty {
                facts.append(("version", printable(info.version, most: 60)))
            }
        }
        facts.append(("service", report.serviceWords))
        for count in report.counts where count.number > 0 {
            facts.append((count.name.replacing("_", with: " "), ReportText.number(count.number)))
        }
        facts.append(("drawbridges", printable(report.bridgeWords, most: 2_000)))
        return [StyledLine(printable(report.name, most: 200), .bold)] + ReportText.facts(facts)
            + ReportText.notices(report.notices)
    }
}

/// Puts the findings about a timetable that was refused into lines; none if nothing of it was read.
struct RefusedTimetableText {
    let report: RefusedTimetable

    init(_ report: RefusedTimetable) { self.report = report }

    /// All lines.
    var lines: [StyledLine] {
        guard !report.notices.counts.isEmpty else { return [] }
        return [StyledLine(printable(report.name, most: 200), .bold)]
            + ReportText.notices(report.notices)
    }
}

/// Puts the report of a realtime feed into lines.
struct RealtimeReportText {
    let report: RealtimeReport

    init(_ report: RealtimeReport) { self.report = report }

    /// All lines.
    var lines: [StyledLine] {
        var facts: [(String, String)] = [
            ("form", "\(report.form), \(ReportText.number(report.bytes)) bytes"),
            ("version", report.version.map { printable($0, most: 60) } ?? "not said"),
            ("says", report.isDifferential ? "changes alone" : "the whole"),
            ("made", report.madeWords),
        ]
        for count in report.counts where count.number > 0 {
            facts.append((count.name.replacing("_", with: " "), ReportText.number(count.number)))
        }
        return [StyledLine(printable(report.name, most: 200), .bold)] + ReportText.facts(facts)
            + ReportText.notices(report.notices)
    }
}

/// What both reports have.
private enum ReportText {
    /// Findings of a kind that are shown in full.
    static let mostShown = 3

    /// Names and values in two columns.
    static func facts(_ facts: [(String, String)]) -> [StyledLine] {
        let width = facts.reduce(0) { max($0, $1.0.count) } + 2
        return facts.map { name, value in
            var line = StyledLine("  ")
            line.append(name, .dim, width: width)
            line.append(value)
            return line
        }
    }

    /// Counts of findings, the gravest first, each with its first ones.
    static func notices(_ notices: FeedNotices) -> [StyledLine] {
        guard !notices.counts.isEmpty else {
            return [StyledLine("  Nothing is wrong with it.", .green)]
        }
        let graveFirst = notices.counts.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        return [StyledLine()]
            + graveFirst.flatMap { _, count in
                let style: StyledLine.Style =
                    count.severity == .error ? .red : count.severity == .warning ? .yellow : .dim
                var line = StyledLine()
                line.append(count.severity.rawValue, style, width: 9)
                line.append("\(number(count.count)) x \(count.code)")
                if !count.file.isEmpty { line.append("  \(printable(count.file, most: 60))", .dim) }
                let examples = notices.kept.lazy
                    .filter { $0.code == count.code && $0.file == count.file }.prefix(mostShown)
                return [line]
                    + examples.map {
                        StyledLine("           \(printableEnds($0.description, most: 200))")
                    }
            }
    }

    /// A number with its thousands apart, such as `57,205`.
    static func number(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
