// What the rules of a bridge say at a moment.

/// What a bridge's rules say at one moment; times are within the same civil day.
public struct NavigationStatus: Sendable, Equatable {
    /// Minutes left of the closed window that holds now, or nil outside one.
    public internal(set) var minutesUntilWindowEnds: Double?
    /// Minutes to the next closed window of the day, or nil.
    public internal(set) var minutesUntilWindowStarts: Double?
    /// Minutes since the last closed window of the day ended, or nil.
    public internal(set) var minutesSinceWindowEnded: Double?
    /// Whether the bridge now opens only on the hour and half-hour.
    public internal(set) var isHalfHourOnly = false
    /// Whether boats now need to have given notice.
    public internal(set) var needsNotice = false

    /// Whether smaller vessels must wait now.
    public var isClosedToSmallVessels: Bool { minutesUntilWindowEnds != nil }
}
