// A closed window with the stretch of weekdays on which it holds: an event of a calendar that is repeated.
internal import BridgecastCore

/// A window of the day, and the days of a year on which it holds without a long break.
struct ClosedWindowEvent {
    /// The hours.
    let window: ClockWindow
    /// The days in order, one at least; all of one year, all from Monday to Friday.
    var days: [CivilDate]

    /// So many weekdays without the window are holidays; more of them are another season.
    private static let longestBreak = 4

    /// The events of the days from one to before another, in order of their first days.
    static func all(
        of rules: NavigationRules, from first: CivilDate, to end: CivilDate
    ) -> [ClosedWindowEvent] {
        var events: [ClosedWindowEvent] = []
        var day = first
        while day < end {
            for window in rules.closedWindows(on: day) {
                if let place = events.lastIndex(where: { $0.window == window }),
                    events[place].goesOn(to: day)
                {
                    events[place].days.append(day)
                } else {
                    events.append(ClosedWindowEvent(window: window, days: [day]))
                }
            }
            day = day.adding(days: 1)
        }
        return events
    }

    private func goesOn(to day: CivilDate) -> Bool {
        guard let last = days.last, last.parts.year == day.parts.year else { return false }
        return Self.weekdays(after: last, before: day).count <= Self.longestBreak
    }

    /// The weekdays between its first and last day on which it does not hold.
    var exceptions: [CivilDate] {
        zip(days, days.dropFirst()).flatMap { Self.weekdays(after: $0, before: $1) }
    }

    private static func weekdays(after first: CivilDate, before end: CivilDate) -> [CivilDate] {
        (first.dayNumber + 1..<end.dayNumber).map { CivilDate(dayNumber: $0) }
            .filter { $0.weekday != .saturday && $0.weekday != .sunday }
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
