// Text and tables that `board`, `vehicles` and `trip` share.
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
import BridgecastCore
internal import BridgecastSupport
import BridgecastTransit
import Foundation

/// Text of transit tables.
enum TransitText {
    /// Such as `Tue 2026-02-17 17:33`.
    static func day(_ time: Timestamp, in zone: TransitZone) -> String {
        let date = zone.civil(at: time).date
        return "\("\(date.weekday)".prefix(3).capitalized) \(date) \(zone.clockText(time))"
    }

    /// The line as the vehicle shows it.
    static func line(_ entry: DepartureEntry) -> String {
        let departure = entry.departure
        let title = entry.route?.title ?? ""
        guard !departure.shortName.isEmpty, departure.shortName != title else { return title }
        return title.isEmpty ? departure.shortName : "\(title) \(departure.shortName)"
    }

    static func destination(_ entry: DepartureEntry) -> String {
        let departure = entry.departure
        if departure.isLastStop { return "ends here" }
        return departure.headsign.isEmpty ? entry.route?.longName ?? "" : departure.headsign
    }

    /// The remaining time; nil if the departure has no time.
    static func countdown(_ entry: DepartureEntry) -> String? {
        entry.countdownSeconds.map { Countdown.text(seconds: $0) }
    }

    /// Such as `on time` or `4 min late`.
    static func status(_ departure: Departure) -> String {
        switch departure.status {
        case .scheduled: departure.isApproximate ? "about" : "scheduled"
        case .onTime: "on time"
        case .late: departure.delaySeconds.map { "\(duration($0)) late" } ?? "late"
        case .early: departure.delaySeconds.map { "\(duration(-$0)) early" } ?? "early"
        case .cancelled: "cancelled"
        case .skipped: "does not stop"
        case .added: "extra"
        case .noData: "no data"
        }
    }

    /// Such as `4 min` or `40 s`.
    static func duration(_ seconds: Int) -> String {
        seconds < 60 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
    }

    static func style(_ status: Departure.Status) -> StyledLine.Style {
        switch status {
        case .onTime: .green
        case .late, .cancelled, .skipped: .red
        case .early, .added: .yellow
        case .scheduled, .noData: .dim
        }
    }

    /// How full a vehicle is; nil if unknown.
    static func crowding(_ occupancy: Occupancy?, _ percentage: Int?) -> String? {
        let level = OccupancyLevel(occupancy)
        guard level != .noData else { return percentage.map { "\($0) %" } }
        return percentage.map { "\(level.text), \($0) %" } ?? level.text
    }

    /// The delay that a drawbridge may cause, for below a line.
    static func bridge(_ ahead: BridgeAhead, at now: Timestamp) -> StyledLine {
        var line = StyledLine("       ")
        line.append(
            printable(ahead.text(at: now), maxLength: 160), ahead.isWaiting ? .red : .yellow)
        return line
    }

    /// Such as `350 m` or `2.1 km`.
    static func distance(_ metres: Double) -> String {
        guard metres >= 995 else { return "\(Int(metres.rounded())) m" }
        let tenths = Int((metres / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) km"
    }

    /// What bridges add to an arrival, mean and P90, such as `0:12, 2:40`.
    static func outlook(_ outlook: BridgeOutlookAtStop) -> String {
        "\(minutesAndSeconds(max(0, outlook.meanSeconds))), "
            + minutesAndSeconds(max(0, outlook.p90Seconds))
    }

    /// How old a source is, such as `trip_updates: 12 s old`.
    static func source(_ source: SourceStatus) -> StyledLine {
        var line = StyledLine("\(source.id): ", .dim)
        let text = source.ageSeconds.map { "\(age($0)) old" } ?? "nothing yet"
        line.append(text, source.isStale ? .yellow : .dim)
        if let problem = source.problem {
            line.append("; \(printable(problem, maxLength: 200))", .yellow)
        }
        return line
    }

    /// Seconds below two minutes, minutes below two hours, hours below two days, then days.
    static func age(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        if whole < 120 { return "\(whole) s" }
        if whole < 7200 { return "\(whole / 60) min" }
        return whole < 172_800 ? "\(whole / 3600) h" : "\(whole / 86_400) days"
    }
}

// MARK: - Tables

/// A table with aligned columns and styled cells; empty columns are left out.
struct StyledTable {
    struct Column {
        let title: String
        var isRight = false
    }

    /// A text with its style.
    struct Cell {
        let text: String
        let style: StyledLine.Style

        init(_ text: String?, _ style: StyledLine.Style = .plain, max maxLength: Int = 60) {
            self.text = printable(text ?? "", maxLength: maxLength)
            self.style = style
        }
    }

    private let columns: [Column]
    private var rows: [(cells: [Cell], below: [StyledLine])] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row of as many cells, and lines that belong to it.
    mutating func add(_ cells: [Cell], below: [StyledLine] = []) {
        precondition(cells.count == columns.count)
        rows.append((cells, below))
    }

    /// The lines, the header first; none without rows.
    func lines(indent: String = "") -> [StyledLine] {
        guard !rows.isEmpty else { return [] }
        let shown = columns.indices.filter { column in
            rows.contains { !$0.cells[column].text.isEmpty }
        }
        let widths = columns.indices.map { column in
            rows.reduce(columns[column].title.count) {
                max($0, $1.cells[column].text.terminalColumns)
            }
        }
        let header = columns.map { Cell($0.title, .dim) }
        return ([(header, [])] + rows).flatMap { cells, below in
            var line = StyledLine(indent)
            for column in shown {
                let isLast = column == shown.last
                let cell = cells[column]
                let isRight = columns[column].isRight
                // The end of a line is not padded.
                let width = isLast && !isRight ? cell.text.terminalColumns : widths[column]
                line.append(cell.text, cell.style, width: width, right: isRight)
                if !isLast { line.append("  ") }
            }
            return [line] + below
        }
    }
}

extension [StyledLine] {
    /// The lines as plain text, without blanks at their ends.
    var plain: String {
        map { line in
            line.text(width: .max, hasColour: false).trimmingTrailingBlanks()
        }.joined(separator: "\n")
    }

    /// Lines in two columns with a gap.
    static func columns(_ left: [StyledLine], _ right: [StyledLine], gap: Int = 4) -> [StyledLine] {
        let width = left.reduce(0) { Swift.max($0, $1.width) } + gap
        return (0..<Swift.max(left.count, right.count)).map { row in
            var line = row < left.count ? left[row] : StyledLine()
            guard row < right.count else { return line }
            line.append(String(repeating: " ", count: width - line.width))
            for (text, style) in right[row].pieces { line.append(text, style) }
            return line
        }
    }
}

extension StyledLine {
    /// Columns that it takes.
    var width: Int { pieces.reduce(0) { $0 + $1.text.terminalColumns } }
}
