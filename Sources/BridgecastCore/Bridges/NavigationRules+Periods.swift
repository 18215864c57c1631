// The closed windows of a bridge's rules as moments, for the days and hours to come; behind outlooks and boards.

extension NavigationRules {
    /// When smaller vessels wait on a date, in order; none on weekends and federal holidays.
    package func closedPeriods(on date: CivilDate) -> [Range<Timestamp>] {
        closedWindows(on: date).map { $0.period(on: date) }
    }

    /// The closed period that a moment lies in, else the next one that begins within a day of it; nil if none does.
    package func nextClosedPeriod(from moment: Timestamp) -> Range<Timestamp>? {
        let today = SeattleTime.civil(at: moment).date
        let end = moment.adding(minutes: 24 * 60)
        return (closedPeriods(on: today) + closedPeriods(on: today.adding(days: 1)))
            .first { $0.upperBound > moment && $0.lowerBound < end }
    }
}

extension ClockWindow {
    /// The window on a date; all of them begin long after the hour in which clocks change.
    fileprivate func period(on date: CivilDate) -> Range<Timestamp> {
        Self.moment(date, startMinute)..<Self.moment(date, endMinute)
    }

    private static func moment(_ date: CivilDate, _ minute: Double) -> Timestamp {
        let civil = CivilDateTime(date: date, secondOfDay: Int(minute * 60))
        return switch SeattleTime.resolve(civil) {
        case .unique(let moment), .ambiguous(let moment, _): moment
        case .nonexistent: SeattleTime.startOfDay(date).adding(minutes: minute)
        }
    }
}
