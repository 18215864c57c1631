// Calendar dates without a time zone: the days that rules, holidays and climatology are about.

/// A date of the Gregorian calendar, counted in days since 1970-01-01.
///
/// Dates lie within four million days of 1970-01-01, eleven thousand years: what would lie beyond is the nearest.
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
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
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
