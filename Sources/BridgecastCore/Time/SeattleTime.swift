/// Civil time in Seattle (America/Los_Angeles) by the United States rule in force since 2007.
///
/// Clocks go from UTC-8 to UTC-7 at 02:00 on the second Sunday of March and back at 02:00 on the
/// first Sunday of November (15 U.S.C. 260a). The rule is written out because every feature row
/// needs it: it costs nanoseconds and needs no time zone files. Tests compare it with the zone
/// database for every hour of 2007 to 2037; before 2007 it does not hold.
public enum SeattleTime {
    /// Seconds to add to UTC to obtain the wall clock at a time: -28,800 or -25,200.
    public static func utcOffsetSeconds(at time: Timestamp) -> Int64 {
        let standardDay = floorDivide(time.secondsSinceEpoch - 28_800, 86_400).quotient
        let year = CivilDate(dayNumber: Int(standardDay)).parts.year
        let (start, end) = daylightSaving(year: year)
        return time >= start && time < end ? -25_200 : -28_800
    }

    /// The wall clock at a time.
    public static func civil(at time: Timestamp) -> CivilDateTime {
        let local = time.secondsSinceEpoch + utcOffsetSeconds(at: time)
        let (day, second) = floorDivide(local, 86_400)
        return CivilDateTime(date: CivilDate(dayNumber: Int(day)), secondOfDay: Int(second))
    }

    /// The times at which the wall clock shows a civil time.
    public static func resolve(_ civil: CivilDateTime) -> LocalTimeResolution {
        let local = Int64(civil.date.dayNumber) * 86_400 + Int64(civil.secondOfDay)
        let daylight = Timestamp(secondsSinceEpoch: local + 25_200)
        let standard = Timestamp(secondsSinceEpoch: local + 28_800)
        let daylightHolds = utcOffsetSeconds(at: daylight) == -25_200
        let standardHolds = utcOffsetSeconds(at: standard) == -28_800
        return switch (daylightHolds, standardHolds) {
        case (true, true): .ambiguous(earlier: daylight, later: standard)
        case (true, false): .unique(daylight)
        case (false, true): .unique(standard)
        case (false, false): .nonexistent
        }
    }

    /// 00:00 of a civil date (Seattle's clocks never change at midnight).
    public static func startOfDay(_ date: CivilDate) -> Timestamp {
        let local = Int64(date.dayNumber) * 86_400
        let daylight = Timestamp(secondsSinceEpoch: local + 25_200)
        if utcOffsetSeconds(at: daylight) == -25_200 { return daylight }
        return Timestamp(secondsSinceEpoch: local + 28_800)
    }

    static func daylightSaving(year: Int) -> (start: Timestamp, end: Timestamp) {
        let march = CivilDate.nth(2, .sunday, month: 3, year: year)
        let november = CivilDate.nth(1, .sunday, month: 11, year: year)
        // 02:00 PST is 10:00 UTC; 02:00 PDT is 09:00 UTC.
        return (
            Timestamp(secondsSinceEpoch: Int64(march.dayNumber) * 86_400 + 36_000),
            Timestamp(secondsSinceEpoch: Int64(november.dayNumber) * 86_400 + 32_400)
        )
    }
}

/// Quotient rounded towards minus infinity, and the remainder in 0..<divisor.
func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// A civil date and time of day without a time zone, as SDOT writes it.
public struct CivilDateTime: Hashable, Sendable {
    /// The date.
    public let date: CivilDate
    /// Seconds since 00:00 on the wall clock, 0..<86,400.
    public let secondOfDay: Int

    /// Creates a civil time.
    ///
    /// - Precondition: `secondOfDay` is in 0..<86,400.
    public init(date: CivilDate, secondOfDay: Int) {
        precondition((0..<86_400).contains(secondOfDay), "second of day out of range")
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// Minutes since midnight on the wall clock, 0..<1440, with fraction.
    public var minuteOfDay: Double { Double(secondOfDay) / 60 }
    /// Hour on the wall clock, 0...23.
    public var hour: Int { secondOfDay / 3600 }
    /// Minute of the hour, 0...59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// Second of the minute, 0...59.
    public var second: Int { secondOfDay % 60 }
}

/// The absolute times that a floating local time can mean: one, two (in the hour that clocks repeat) or none.
public enum LocalTimeResolution: Equatable, Sendable {
    /// The wall clock showed this time once.
    case unique(Timestamp)
    /// Clocks were set back: the wall clock showed this time twice.
    case ambiguous(earlier: Timestamp, later: Timestamp)
    /// Clocks were set forward: the wall clock never showed this time.
    case nonexistent

    /// Every time at which the wall clock shows this time, earliest first.
    public var candidates: [Timestamp] {
        switch self {
        case .unique(let time): [time]
        case .ambiguous(let earlier, let later): [earlier, later]
        case .nonexistent: []
        }
    }
}
