// Absolute time. Local civil time (SeattleTime) exists only where people and files give or read it.
public import Foundation

/// A point in absolute time, in whole seconds since 1970-01-01T00:00:00Z.
///
/// Times are limited to the years 1 to 9999, from ``earliest`` to ``latest``, so that no arithmetic on them
/// can overflow.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let secondsSinceEpoch: Int64

    /// The start of the year 1 in Seattle, 0001-01-01T08:00:00Z.
    public static let earliest = Timestamp(secondsSinceEpoch: earliestSeconds)
    /// The last second of the year 9999 in Seattle: every time that is read there is within the range.
    public static let latest = Timestamp(secondsSinceEpoch: latestSeconds)

    /// 2001-01-01T00:00:00Z: an earlier time comes from a clock that was never set.
    package static let earliestPlausible = Timestamp(secondsSinceEpoch: 978_307_200)

    private static let earliestSeconds: Int64 = -62_135_568_000
    private static let latestSeconds: Int64 = 253_402_329_599

    /// Creates a time from seconds since 1970-01-01T00:00:00Z; ``earliest`` or ``latest`` beyond these.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = min(
            max(secondsSinceEpoch, Self.earliestSeconds), Self.latestSeconds)
    }

    /// Creates a time from its bare number, as in JSON and in the store.
    ///
    /// - Throws: `DecodingError`, also for a number beyond ``earliest`` or ``latest``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Int64.self)
        self.init(secondsSinceEpoch: seconds)
        guard secondsSinceEpoch == seconds else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(seconds) s is outside the years 1 to 9999")
        }
    }

    /// Writes the time as a bare number of seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSinceEpoch)
    }

    /// Orders times from earlier to later.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.secondsSinceEpoch < rhs.secondsSinceEpoch
    }

    /// The time this many seconds later (earlier if negative); ``earliest`` or ``latest`` beyond these.
    public func adding(seconds: Int64) -> Timestamp {
        let (sum, overflows) = secondsSinceEpoch.addingReportingOverflow(seconds)
        return overflows ? seconds < 0 ? .earliest : .latest : Timestamp(secondsSinceEpoch: sum)
    }

    /// The time this many minutes later (earlier if negative), to the nearest second.
    ///
    /// Infinity gives ``earliest`` or ``latest``; NaN changes nothing.
    public func adding(minutes: Double) -> Timestamp {
        adding(seconds: Self.wholeSeconds(minutes * 60))
    }

    /// Minutes from `other` to this time; negative if `other` is later.
    public func minutes(since other: Timestamp) -> Double {
        Double(secondsSinceEpoch - other.secondsSinceEpoch) / 60
    }

    /// The nearest whole number of seconds, within the range of `Int64`; 0 for NaN.
    static func wholeSeconds(_ seconds: Double) -> Int64 {
        let bounded = min(max(seconds, -4e18), 4e18)
        return bounded.isNaN ? 0 : Int64(bounded.rounded())
    }

    /// The current time by the system's clock.
    public static var now: Timestamp { Timestamp(Date()) }

    /// The last whole second at or before a date; ``earliest`` or ``latest`` beyond these.
    public init(_ date: Date) {
        self.init(secondsSinceEpoch: Self.wholeSeconds(date.timeIntervalSince1970.rounded(.down)))
    }

    /// The time as Foundation's date.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }
}
