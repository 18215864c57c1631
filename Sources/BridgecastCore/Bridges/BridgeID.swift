// A bridge's id in the city's data, which must not be mixed up with its place in our tables.

/// A bridge's id in the city's data (`entityid` of data set gm8h-9449, `BridgeID` of the live feed).
public struct BridgeID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The city's number.
    public let rawValue: Int

    /// Creates an id from the city's number.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Creates an id from a bare number.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Writes the id as a bare number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Orders by number.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The number as text.
    public var description: String { String(rawValue) }
}
