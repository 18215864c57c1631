// When a tender need not open: the federal rules as data, and the questions features ask of them.

/// The federal opening rules of one bridge (33 CFR 117.1041 and 117.1051).
///
/// Inside a closed window smaller vessels wait; ships above the exempt tonnage are still let
/// through, and 0.9 to 4.9 % of weekday openings start in one, so no rule makes a chance zero.
public struct NavigationRules: Sendable, Equatable {
    /// The two weekday windows in which smaller vessels are not let through.
    let closedWindows: [ClockWindow]
    /// The same from 30 April to 1 September, where the rule has a summer season.
    let summerClosedWindows: [ClockWindow]?
    /// Weekday hours in which it opens only on the hour and half-hour.
    public let halfHourOnly: ClockWindow?
    /// Hours of notice that boats must give from 23:00 to 07:00; nil if they need none.
    public let nightNoticeHours: Int?
    /// Ships of so many gross tons are let through in closed windows; nil where the rule names none.
    public let exemptGrossTons: Int?

    /// The closed windows of a date; none on weekends and federal holidays.
    public func closedWindows(on date: CivilDate) -> [ClockWindow] {
        closedWindows(on: date, DayType(date))
    }

    private func closedWindows(on date: CivilDate, _ dayType: DayType) -> [ClockWindow] {
        guard dayType == .weekday else { return [] }
        guard let summerClosedWindows else { return closedWindows }
        let (_, month, day) = date.parts
        // Both boundary dates stand in both seasons of the rule; we count them to the summer.
        let isSummer =
            (5...8).contains(month) || (month == 4 && day == 30) || (month == 9 && day == 1)
        return isSummer ? summerClosedWindows : closedWindows
    }

    /// Whether there are closed windows on weekdays.
    public var hasClosedWindows: Bool { !closedWindows.isEmpty }

    /// What the rules say at a civil time.
    public func status(at civil: CivilDateTime) -> NavigationStatus {
        status(at: civil, on: DayType(civil.date))
    }

    /// The same for a kind of day that is known.
    func status(at civil: CivilDateTime, on dayType: DayType) -> NavigationStatus {
        let minute = civil.minuteOfDay
        let windows = closedWindows(on: civil.date, dayType)
        var status = NavigationStatus()
        for window in windows {
            if window.contains(minute) {
                status.minutesUntilWindowEnds = window.endMinute - minute
            } else if minute < window.startMinute {
                let wait = window.startMinute - minute
                status.minutesUntilWindowStarts = min(status.minutesUntilWindowStarts ?? wait, wait)
            } else {
                let since = minute - window.endMinute
                status.minutesSinceWindowEnded = min(status.minutesSinceWindowEnded ?? since, since)
            }
        }
        status.isHalfHourOnly = !windows.isEmpty && halfHourOnly?.contains(minute) == true
        status.needsNotice = nightNoticeHours != nil && (minute >= 23 * 60 || minute < 7 * 60)
        return status
    }

    static let shipCanal = NavigationRules(
        closedWindows: [ClockWindow(7 * 60, 9 * 60), ClockWindow(16 * 60, 18 * 60)],
        summerClosedWindows: nil, halfHourOnly: nil, nightNoticeHours: 1,
        exemptGrossTons: 1_000)

    static let montlake = NavigationRules(
        closedWindows: [ClockWindow(7 * 60, 10 * 60), ClockWindow(15.5 * 60, 19 * 60)],
        summerClosedWindows: [ClockWindow(7 * 60, 9 * 60), ClockWindow(15.5 * 60, 18.5 * 60)],
        halfHourOnly: ClockWindow(12.5 * 60, 15.5 * 60), nightNoticeHours: nil,
        exemptGrossTons: 1_000)

    static let firstAvenueSouth = NavigationRules(
        closedWindows: [ClockWindow(6 * 60, 9 * 60), ClockWindow(15 * 60, 18 * 60)],
        summerClosedWindows: nil, halfHourOnly: nil, nightNoticeHours: nil,
        exemptGrossTons: 5_000)

    static let southPark = NavigationRules(
        closedWindows: [ClockWindow(6.5 * 60, 8.5 * 60), ClockWindow(15.5 * 60, 17.5 * 60)],
        summerClosedWindows: nil, halfHourOnly: nil, nightNoticeHours: 12,
        exemptGrossTons: nil)

    static let unrestricted = NavigationRules(
        closedWindows: [], summerClosedWindows: nil, halfHourOnly: nil, nightNoticeHours: nil,
        exemptGrossTons: nil)
}
