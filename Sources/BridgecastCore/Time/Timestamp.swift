// Absolute time, as every part of Bridgecast uses it: local civil time exists only at the edges.

/// A moment in absolute time, in whole seconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public var secondsSinceEpoch: Int64

    /// 2001-01-01T00:00:00Z: what claims to be older comes from a clock that was never set.
    package static let earliestPlausible = Timestamp(secondsSinceEpoch: 978_307_200)

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Creates a moment from its bare number, as it stands in JSON and in the store.
    public init(from decoder: any Decoder) throws {
        secondsSinceEpoch = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the moment as a bare number of seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSinceEpoch)
    }

    /// Orders moments from earlier to later.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.secondsSinceEpoch < rhs.secondsSinceEpoch
    }

    /// The moment this many seconds later (earlier if negative).
    public func adding(seconds: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: secondsSinceEpoch + seconds)
    }

    /// The moment this many minutes later (earlier if negative), to the nearest second.
    public func adding(minutes: Double) -> Timestamp {
        adding(seconds: Int64((minutes * 60).rounded()))
    }

    /// Minutes from `other` to this moment; negative if `other` is later.
    public func minutes(since other: Timestamp) -> Double {
        Double(secondsSinceEpoch - other.secondsSinceEpoch) / 60
    }
}
