// The two kinds of days that climatology and traffic tell apart.

/// Whether a day counts as a working day for boats and traffic.
public enum DayType: Int, CaseIterable, Sendable {
    /// Monday to Friday, federal holidays excepted.
    case weekday
    /// Saturday, Sunday or a federal holiday.
    case weekend

    /// The day type of a date.
    public init(_ date: CivilDate) {
        self = date.weekday.isWeekend || FederalHolidays.contains(date) ? .weekend : .weekday
    }
}
