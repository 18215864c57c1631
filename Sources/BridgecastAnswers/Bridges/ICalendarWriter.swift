// Writes iCalendar as RFC 5545 has it: content lines, folded, with texts escaped; for calendars of closed windows.
internal import BridgecastCore

/// Builds an iCalendar object line by line.
struct ICalendarWriter {
    private var lines: [String] = []

    /// Lines hold so many octets without their ends (RFC 5545, 3.1).
    private static let mostOctets = 75

    /// What was written; every line ends in CR LF.
    var result: String { lines.map { $0 + "\r\n" }.joined() }

    /// Writes a component with what is in it.
    mutating func component(_ name: String, _ content: (inout ICalendarWriter) -> Void) {
        line("BEGIN", name)
        content(&self)
        line("END", name)
    }

    /// Writes a property whose value needs no escaping; its name may have parameters behind it.
    mutating func line(_ name: String, _ value: String) {
        lines.append(Self.folded(name + ":" + value))
    }

    /// Writes a property whose value is text.
    mutating func text(_ name: String, _ value: String) { line(name, Self.escaped(value)) }

    /// Writes a moment on Seattle's wall clock: a date and minutes since its midnight.
    mutating func local(_ name: String, _ date: CivilDate, minute: Double) {
        line(name + ";TZID=America/Los_Angeles", Self.date(date) + "T" + Self.clock(minute))
    }

    /// Writes Seattle's clock changes as they have been since 2007; source: title 15 of the United States Code, section
    /// 260a.
    mutating func seattleTimeZone() {
        component("VTIMEZONE") { writer in
            writer.line("TZID", "America/Los_Angeles")
            writer.component("DAYLIGHT") { writer in
                writer.line("DTSTART", "20070311T020000")
                writer.line("RRULE", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU")
                writer.line("TZOFFSETFROM", "-0800")
                writer.line("TZOFFSETTO", "-0700")
                writer.line("TZNAME", "PDT")
            }
            writer.component("STANDARD") { writer in
                writer.line("DTSTART", "20071104T020000")
                writer.line("RRULE", "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU")
                writer.line("TZOFFSETFROM", "-0700")
                writer.line("TZOFFSETTO", "-0800")
                writer.line("TZNAME", "PST")
            }
        }
    }

    /// Such as `20260220`.
    static func date(_ date: CivilDate) -> String {
        date.description.filter { $0 != "-" }
    }

    /// Minutes since midnight such as `153000`.
    static func clock(_ minute: Double) -> String {
        let whole = Int(minute)
        return [whole / 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined() + "00"
    }

    /// A moment as `20260220T233000Z`.
    static func utc(_ moment: Timestamp) -> String {
        let minutes = Int((moment.secondsSinceEpoch - moment.secondsSinceEpoch % 60) / 60)
        let (day, minute) = minutes.quotientAndRemainder(dividingBy: 1440)
        return date(CivilDate(dayNumber: day)) + "T" + clock(Double(minute)) + "Z"
    }

    /// TEXT of RFC 5545, 3.3.11.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\", ";", ",": result += "\\\(character)"
            case "\n", "\r\n": result += "\\n"
            default: result.append(character)
            }
        }
        return result
    }

    /// A content line in pieces of at most 75 octets, no character cut in two.
    private static func folded(_ line: String) -> String {
        guard line.utf8.count > mostOctets else { return line }
        var (result, octets) = ("", 0)
        for scalar in line.unicodeScalars {
            let size = String(scalar).utf8.count
            if octets + size > mostOctets {
                result += "\r\n "
                octets = 1
            }
            result.unicodeScalars.append(scalar)
            octets += size
        }
        return result
    }
}
