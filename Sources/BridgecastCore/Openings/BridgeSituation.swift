// What is known of one bridge at issue time.

/// What is known of one bridge at issue time.
public struct BridgeSituation: Sendable, Equatable {
    /// Up, down or unknown now.
    public var state: SpanState = .unknown
    /// From when to the issue time every opening is known; nil if the recent past is unknown.
    public var observedSince: Timestamp?
    /// Openings of the last six hours, newest first; complete only back to `observedSince`.
    public var recent: [KnownOpening] = []
    /// Openings since midnight or since `observedSince`, whichever is later.
    public package(set) var openingsToday = 0
    /// Openings on the 28 days before today, where covered.
    public package(set) var openingsInFourWeeks = 0
    /// Covered days among those 28, by ``DayType`` raw value.
    public package(set) var coveredDaysInFourWeeks: [Double] = [0, 0]
    /// Lengths of the openings that ended on the 28 days before today, where covered.
    public package(set) var lengthsInFourWeeks = LengthTotals()
    /// End of the bridge's records as known at issue time, ``Timestamp/earliest`` if there are none; nil if
    /// no records were asked.
    public package(set) var recordedUntil: Timestamp?

    /// Nothing known.
    public static let unknown = BridgeSituation()

    /// Whether anything is known that a forecast may use.
    package var saysSomething: Bool {
        var said = self
        said.recordedUntil = nil
        return said != .unknown
    }
}
