// How fast a clock runs and where it ends: boards and events tell it, so that a page's clock runs alike.

/// The pace of a clock.
public struct ClockPace: Sendable, Equatable {
    /// Seconds of the clock in a second: 0 while it stands, nil for one that jumps from work to work.
    public let rate: Double?
    /// Where it stops; nil if it goes on.
    public let end: Timestamp?

    /// Creates a pace.
    public init(rate: Double?, end: Timestamp? = nil) { (self.rate, self.end) = (rate, end) }

    /// As time itself.
    public static let live = ClockPace(rate: 1)
    /// Not at all.
    public static let standing = ClockPace(rate: 0)
}
