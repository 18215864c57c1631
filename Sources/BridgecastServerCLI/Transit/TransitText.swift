// Words that the tables of `board`, `vehicles` and `trip` have in common.
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation

/// Words of transit tables.
enum TransitText {
    /// Such as `Tue 2026-02-17 17:33`.
    static func day(_ moment: Timestamp, in zone: TransitZone) -> String {
        let date = zone.civil(at: moment).date
        return "\("\(date.weekday)".prefix(3).capitalized) \(date) \(zone.clockText(moment))"
    }

    /// What the vehicle shows as its line.
    static func line(_ entry: DepartureEntry) -> String {
        let departure = entry.departure
        let title = entry.route?.title ?? ""
        guard !departure.shortName.isEmpty, departure.shortName != title else { return title }
        return title.isEmpty ? departure.shortName : "\(title) \(departure.shortName)"
    }

    /// Where it goes.
    static func destination(_ entry: DepartureEntry) -> String {
        let departure = entry.departure
        if departure.isLastStop { return "ends here" }
        return departure.headsign.isEmpty ? entry.route?.longName ?? "" : departure.headsign
    }

    /// The time that is left; nil where its moment is not known.
    static func countdown(_ entry: DepartureEntry) -> String? {
        entry.countdownSeconds.map { Countdown.text(seconds: $0) }
    }

    /// How it stands, such as `on time` or `4 min late`.
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

    /// What goes with it on a terminal.
    static func style(_ status: Departure.Status) -> StyledLine.Style {
        switch status {
        case .onTime: .green
        case .late, .cancelled, .skipped: .red
        case .early, .added: .yellow
        case .scheduled, .noData: .dim
        }
    }

    /// How full a vehicle is; nil where nobody says.
    static func crowding(_ occupancy: Occupancy?, _ percentage: Int?) -> String? {
        let level = OccupancyLevel(occupancy)
        guard level != .noData else { return percentage.map { "\($0) %" } }
        return percentage.map { "\(level.words), \($0) %" } ?? level.words
    }

    /// What a drawbridge may do, beneath the line of what it may do it to.
    static func bridge(_ entry: BridgeEntry) -> StyledLine {
        var line = StyledLine("       ")
        line.append(printable(entry.text, most: 160), entry.bridge.waitsNow ? .red : .yellow)
        return line
    }

    /// What bridges add to an arrival, mean and P90, such as `0:12, 2:40`.
    static func outlook(_ outlook: BridgeOutlookAtStop) -> String {
        "\(minutes(outlook.meanSeconds)), \(minutes(outlook.p90Seconds))"
    }

    /// Such as `0:12`.
    private static func minutes(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds).rounded())
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    /// How old a source is, such as `trip_updates: 12 s old`.
    static func source(_ source: SourceStatus) -> StyledLine {
        var line = StyledLine("\(source.id): ", .dim)
        let words = source.ageSeconds.map { "\(age($0)) old" } ?? "nothing yet"
        line.append(words, source.isStale ? .yellow : .dim)
        if let problem = source.problem {
            line.append("; \(printable(problem, most: 200))", .yellow)
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
