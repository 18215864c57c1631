// The closed windows of a bridge as an iCalendar feed, and the writer of iCalendar.
internal import BridgecastSupport
package import BridgecastCore

/// The closed windows of a bridge as an iCalendar object (RFC 5545).
///
/// One event for each window and stretch of weekdays of a year on which it holds, repeated weekly; federal holidays are
/// taken out. Identifiers depend on the bridge, the window and the year alone, so that a calendar that was fetched
/// before is kept up to date and nothing appears twice.
package struct ClosedWindowCalendar: Sendable {
    package static let contentType = "text/calendar; charset=utf-8"

    private let bridge: BridgeIndex
    /// 1 January of the first year, and of the year after the last.
    private let firstDay, endDay: CivilDate
    private let stamp: Timestamp

    /// The calendar of this year and the next one.
    ///
    /// - Parameter now: Tells the year; the events are stamped with the beginning of its day, so that a calendar
    /// changes at most once a day.
    package init(of bridge: BridgeIndex, at now: Timestamp) {
        let today = SeattleTime.civil(at: now).date
        let year = min(today.parts.year, 9997)
        self.bridge = bridge
        firstDay = CivilDate(year: year, month: 1, day: 1) ?? today
        endDay = CivilDate(year: year + 2, month: 1, day: 1) ?? today
        stamp = SeattleTime.startOfDay(today)
    }

    /// The calendar, lines ended by CR LF and folded at 75 octets.
    package var text: String {
        var writer = ICalendarWriter()
        writer.component("VCALENDAR") { writer in
            writer.line("PRODID", "-//Bridgecast//Closed windows//EN")
            writer.line("VERSION", "2.0")
            writer.line("CALSCALE", "GREGORIAN")
            // Not in RFC 5545, and but widely supported.
            writer.text("X-WR-CALNAME", name)
            writer.text("X-WR-CALDESC", description)
            writer.line("REFRESH-INTERVAL;VALUE=DURATION", "P1D")
            writer.seattleTimeZone()
            for event in events { write(event, to: &writer) }
        }
        return writer.result
    }

    private var facts: Bridge { BridgeCatalogue[bridge] }
    private var name: String { "\(facts.spokenName): closed to smaller vessels" }

    /// Where the rules are written down, and what else they require on every day.
    private var regulation: String {
        facts.rules(on: firstDay).filter { $0.code == .nightNotice || $0.code == .regulation }.map(
            \.text
        ).joined(separator: "; ")
    }

    private var description: String {
        facts.rules.hasClosedWindows
            ? "Hours in which \(facts.spokenName) need not open for smaller vessels (\(regulation))."
            : "\(facts.spokenName) has no closed hours: it opens on signal (\(regulation))."
    }

    private func description(_ event: ClosedWindowEvent) -> String {
        let exempt = facts.rules.exemptGrossTons.map {
            "Ships of \($0) gross tons and more, and tows of such, are let through. "
        }
        let halfHours = facts.rules.halfHourOnly.map {
            "From \($0.from) to \($0.to) it opens only on the hour and " + "half-hour. "
        }
        return "Smaller vessels wait from \(event.window.from) to "
            + "\(event.window.to), Monday to Friday but not on federal holidays other than "
            + "Columbus Day. \(exempt ?? "")\(halfHours ?? "")\(regulation)"
    }

    private func write(_ event: ClosedWindowEvent, to writer: inout ICalendarWriter) {
        guard let first = event.days.first, let last = event.days.last else { return }
        writer.component("VEVENT") { writer in
            writer.line("UID", event.identifier(of: facts.id))
            writer.line("DTSTAMP", ICalendarWriter.utc(stamp))
            writer.local("DTSTART", first, minute: event.window.startMinute)
            writer.local("DTEND", first, minute: event.window.endMinute)
            writer.line(
                "RRULE",
                "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL="
                    + ICalendarWriter.utc(event.start(on: last)))
            for day in event.exceptions {
                writer.local("EXDATE", day, minute: event.window.startMinute)
            }
            writer.text("SUMMARY", name)
            writer.text("DESCRIPTION", description(event))
            writer.text("LOCATION", "\(facts.spokenName), Seattle")
            writer.line("GEO", "\(facts.latitude);\(facts.longitude)")
            writer.line("TRANSP", "TRANSPARENT")
            writer.line("CATEGORIES", "DRAWBRIDGE")
        }
    }

    private var events: [ClosedWindowEvent] {
        ClosedWindowEvent.all(of: facts.rules, from: firstDay, to: endDay)
    }
}

/// A window of the day, and the days of a year on which it holds without a long break.
struct ClosedWindowEvent {
    let window: ClockWindow
    /// The days in order, at least one; all of one year, all from Monday to Friday.
    var days: [CivilDate]

    /// Up to this many weekdays in a row without the window are holidays; a longer gap begins another season.
    private static let longestBreak = 4

    /// The events of the days from one to before another, in order of their first days.
    static func all(
        of rules: NavigationRules, from first: CivilDate, to end: CivilDate
    ) -> [ClosedWindowEvent] {
        var events: [ClosedWindowEvent] = []
        var day = first
        while day < end {
            for window in rules.closedWindows(on: day) {
                if let index = events.lastIndex(where: { $0.window == window }),
                    events[index].continues(on: day)
                {
                    events[index].days.append(day)
                } else {
                    events.append(ClosedWindowEvent(window: window, days: [day]))
                }
            }
            day = day.adding(days: 1)
        }
        return events
    }

    private func continues(on day: CivilDate) -> Bool {
        guard let last = days.last, last.parts.year == day.parts.year else { return false }
        return Self.weekdays(after: last, before: day).count <= Self.longestBreak
    }

    /// The weekdays between its first and last day on which it does not hold.
    var exceptions: [CivilDate] {
        zip(days, days.dropFirst()).flatMap { Self.weekdays(after: $0, before: $1) }
    }

    private static func weekdays(after first: CivilDate, before end: CivilDate) -> [CivilDate] {
        (first.dayNumber + 1..<end.dayNumber).map { CivilDate(dayNumber: $0) }.filter {
            $0.weekday != .saturday && $0.weekday != .sunday
        }
    }

    /// When it begins on a day; no clock changes between the first window of a day and midnight.
    func start(on day: CivilDate) -> Timestamp {
        let noon = SeattleTime.startOfDay(day.adding(days: 1)).adding(minutes: -12 * 60)
        return noon.adding(minutes: window.startMinute - 12 * 60)
    }

    /// Unique on earth and the same whenever it is made, such as `bridge-4-0700-1000-20260102@bridgecast`.
    func identifier(of bridge: BridgeID) -> String {
        let hours = [window.startMinute, window.endMinute].map {
            ICalendarWriter.clock($0).prefix(4)
        }
        let first = days.first.map(ICalendarWriter.date) ?? ""
        return "bridge-\(bridge)-\(hours[0])-\(hours[1])-\(first)@bridgecast"
    }
}

struct ICalendarWriter {
    private var lines: [String] = []

    /// Octets of a line without its end (RFC 5545, 3.1).
    private static let maxOctets = 75

    /// What was written; every line ends in CR LF.
    var result: String { lines.map { $0 + "\r\n" }.joined() }

    mutating func component(_ name: String, _ content: (inout ICalendarWriter) -> Void) {
        line("BEGIN", name)
        content(&self)
        line("END", name)
    }

    /// Writes a property whose value needs no escaping; its name may have parameters after it.
    mutating func line(_ name: String, _ value: String) {
        lines.append(Self.folded(name + ":" + value))
    }

    mutating func text(_ name: String, _ value: String) { line(name, Self.escaped(value)) }

    /// Writes a time on Seattle's wall clock: a date and minutes since its midnight.
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
    static func date(_ date: CivilDate) -> String { date.description.filter { $0 != "-" } }

    /// Minutes since midnight such as `153000`.
    static func clock(_ minute: Double) -> String {
        let whole = Int(minute)
        return ClockText.twoDigits(whole / 60) + ClockText.twoDigits(whole % 60) + "00"
    }

    /// A time as `20260220T233000Z`.
    static func utc(_ time: Timestamp) -> String {
        let minutes = Int((time.secondsSinceEpoch - time.secondsSinceEpoch % 60) / 60)
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
        guard line.utf8.count > maxOctets else { return line }
        var result = ""
        var octets = 0
        for scalar in line.unicodeScalars {
            let size = String(scalar).utf8.count
            if octets + size > maxOctets {
                result += "\r\n "
                octets = 1
            }
            result.unicodeScalars.append(scalar)
            octets += size
        }
        return result
    }
}
