// Hours of the day in which a rule holds.

/// A span of wall-clock minutes of one day, start inclusive, end exclusive.
public struct ClockWindow: Sendable, Equatable {
    /// Minutes since midnight.
    public let startMinute: Double
    /// Minutes since midnight, later than `startMinute`.
    public let endMinute: Double

    init(_ start: Double, _ end: Double) {
        startMinute = start
        endMinute = end
    }

    func contains(_ minute: Double) -> Bool { minute >= startMinute && minute < endMinute }
}
