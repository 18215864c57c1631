// Federal holidays and day types: the navigation rules and the climatology both depend on them.

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

    /// Whether a fixed holiday lies within a day: most dates need no more than this.
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
            observed(
                CivilDate(uncheckedYear: holiday.0, month: holiday.1, day: holiday.2)) == date
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
