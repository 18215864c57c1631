// Days of the week.

/// A day of the week, Monday = 0.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self == .saturday || self == .sunday }
}
