// A date and time of day as a clock shows it, without a zone; and what one moment such a text can mean.

/// A civil date and time of day without a time zone, as SDOT writes it.
public struct CivilDateTime: Hashable, Sendable {
    /// The date.
    public let date: CivilDate
    /// Seconds since 00:00 on the wall clock, 0..<86,400.
    public let secondOfDay: Int

    /// Creates a civil time.
    ///
    /// - Precondition: `secondOfDay` lies in 0..<86,400.
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

/// What a floating local time means: one moment, two (the hour that clocks repeat) or none.
public enum LocalTimeResolution: Equatable, Sendable {
    /// The usual case.
    case unique(Timestamp)
    /// Clocks were set back: the wall clock showed this time twice.
    case ambiguous(earlier: Timestamp, later: Timestamp)
    /// Clocks were set forward: the wall clock never showed this time.
    case nonexistent

    /// Every moment at which the wall clock shows this time, earliest first.
    public var candidates: [Timestamp] {
        switch self {
        case .unique(let moment): [moment]
        case .ambiguous(let earlier, let later): [earlier, later]
        case .nonexistent: []
        }
    }
}
