/// A date of the Gregorian calendar, counted in days since 1970-01-01.
///
/// Dates are limited to four million days, eleven thousand years, before and after 1970-01-01.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; consecutive dates differ by one.
    public let dayNumber: Int

    /// Creates the date this many days after 1970-01-01.
    public init(dayNumber: Int) {
        self.dayNumber = min(max(dayNumber, Self.dayNumbers.lowerBound), Self.dayNumbers.upperBound)
    }

    private static let dayNumbers = -4_000_000...4_000_000

    /// Creates a date from its parts, or nil if there is no such date.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(year: year, month: month)
        else { return nil }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    /// The date of parts known to be valid (month 1...12); a day beyond the month carries over.
    ///
    /// Formula: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    init(uncheckedYear year: Int, month: Int, day: Int) {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = era * 146_097 + dayOfEra - 719_468
    }

    /// Orders dates from earlier to later.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.dayNumber < rhs.dayNumber }

    /// Year, month 1...12 and day 1...31 (civil_from_days of the same source).
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let index = ((dayNumber + 3) % 7 + 7) % 7
        return Weekday.allCases[index]
    }

    /// Day of the year, 1...366.
    public var dayOfYear: Int {
        dayNumber - CivilDate(uncheckedYear: parts.year, month: 1, day: 1).dayNumber + 1
    }

    /// The date this many days later (earlier if negative).
    public func adding(days: Int) -> CivilDate {
        let (sum, overflows) = dayNumber.addingReportingOverflow(days)
        return CivilDate(dayNumber: overflows ? days.signum() * .max : sum)
    }

    /// The n-th given weekday of a month, n = 1...4.
    static func nth(_ n: Int, _ weekday: Weekday, month: Int, year: Int) -> CivilDate {
        let first = CivilDate(uncheckedYear: year, month: month, day: 1)
        let shift = (weekday.rawValue - first.weekday.rawValue + 7) % 7
        return first.adding(days: shift + 7 * (n - 1))
    }

    static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date as `yyyy-mm-dd`.
    public var description: String {
        let (year, month, day) = parts
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

/// A non-negative number with leading zeros.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

// MARK: - Weekdays and holidays

/// A day of the week, Monday = 0.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self == .saturday || self == .sunday }
}

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

/// United States federal holidays on the day they are observed.
///
/// Source: title 5 of the United States Code, section 6103.
/// Columbus Day is left out: 33 CFR 117.1051 and 117.1041 treat it as a working day. A holiday on
/// Saturday is observed on Friday, one on Sunday on Monday.
public enum FederalHolidays {
    /// Whether a date is an observed federal holiday other than Columbus Day.
    public static func contains(_ date: CivilDate) -> Bool {
        let (year, month, day) = date.parts
        return isFloating(month: month, day: day, date.weekday)
            || mayBeFixed(month: month, day: day) && isFixed(date, year: year)
    }

    private static func isFloating(month: Int, day: Int, _ weekday: Weekday) -> Bool {
        switch (month, weekday) {
        case (1, .monday), (2, .monday): (15...21).contains(day)  // Dr King; Washington
        case (5, .monday): day >= 25  // Memorial Day
        case (9, .monday): day <= 7  // Labor Day
        case (11, .thursday): (22...28).contains(day)  // Thanksgiving
        default: false
        }
    }

    /// Whether a fixed holiday is at most a day away: a cheap test that rules out most dates.
    private static func mayBeFixed(month: Int, day: Int) -> Bool {
        switch month {
        case 1: day <= 2
        case 6: (18...20).contains(day)
        case 7: (3...5).contains(day)
        case 11: (10...12).contains(day)
        case 12: (24...26).contains(day) || day == 31
        default: false
        }
    }

    private static func isFixed(_ date: CivilDate, year: Int) -> Bool {
        // New Year's Day may be observed on the last Friday of the year before.
        var holidays = [
            (year, 1, 1), (year + 1, 1, 1), (year, 7, 4), (year, 11, 11), (year, 12, 25),
        ]
        if year >= 2021 { holidays.append((year, 6, 19)) }
        return holidays.contains { holiday in
            observed(CivilDate(uncheckedYear: holiday.0, month: holiday.1, day: holiday.2)) == date
        }
    }

    private static func observed(_ date: CivilDate) -> CivilDate {
        switch date.weekday {
        case .saturday: date.adding(days: -1)
        case .sunday: date.adding(days: 1)
        default: date
        }
    }
}
