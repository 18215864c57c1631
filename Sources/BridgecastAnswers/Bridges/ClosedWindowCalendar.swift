// The hours in which a bridge stays down for smaller vessels, as a calendar that phones and desktops subscribe to.
package import BridgecastCore

/// The closed windows of a bridge as an iCalendar object (RFC 5545).
///
/// One event for each window and stretch of weekdays of a year on which it holds, repeated weekly; federal holidays are
/// taken out. Identifiers depend on the bridge, the window and the year alone, so that a calendar that was fetched before is
/// kept up to date and nothing appears twice.
package struct ClosedWindowCalendar: Sendable {
    /// What to call it as MIME has it.
    package static let contentType = "text/calendar; charset=utf-8"

    private let bridge: BridgeIndex
    /// 1 January of the first year, and of the year after the last.
    private let firstDay, endDay: CivilDate
    private let stamp: Timestamp

    /// The calendar of this year and the next one.
    ///
    /// - Parameter now: Tells the year; the events are stamped with the beginning of its day, so that a calendar changes
    ///   once a day at most.
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
            // Not in RFC 5545, and read by most.
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

    /// Where the rules are written down, and what else they say on every day.
    private var regulation: String {
        facts.rules(on: firstDay).filter { $0.code == .nightNotice || $0.code == .regulation }
            .map(\.text).joined(separator: "; ")
    }

    private var description: String {
        facts.rules.hasClosedWindows
            ? "Hours in which \(facts.spokenName) need not open for smaller vessels (\(regulation))."
            : "\(facts.spokenName) has no closed hours: it opens on signal (\(regulation))."
    }

    /// What holds in the hours of an event.
    private func description(_ event: ClosedWindowEvent) -> String {
        let exempt = facts.rules.exemptGrossTons.map {
            "Ships of \($0) gross tons and more, and tows of such, are let through. "
        }
        let halfHours = facts.rules.halfHourOnly.map {
            "From \(Self.clock($0.startMinute)) to \(Self.clock($0.endMinute)) it opens only on the hour and "
                + "half-hour. "
        }
        return "Smaller vessels wait from \(Self.clock(event.window.startMinute)) to "
            + "\(Self.clock(event.window.endMinute)), Monday to Friday but not on federal holidays other than "
            + "Columbus Day. \(exempt ?? "")\(halfHours ?? "")\(regulation)"
    }

    private static func clock(_ minute: Double) -> String {
        let digits = ICalendarWriter.clock(minute)
        return digits.prefix(2) + ":" + digits.dropFirst(2).prefix(2)
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
