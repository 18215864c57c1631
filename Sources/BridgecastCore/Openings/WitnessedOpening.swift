// An opening with who says that it happened: the city's records, our own watching, or both.

/// Who says that an opening happened.
public enum OpeningWitness: String, Sendable, Codable, CaseIterable, Comparable {
    /// The city's records.
    case record
    /// Our own watching of the live feed.
    case observed

    /// Alphabetical by the city first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs == .record && rhs == .observed }
}

/// An opening and who says that it happened.
public struct WitnessedOpening: Sendable, Equatable {
    /// The opening; its times are the record's where there is one.
    public let opening: Opening
    /// Who says so, at least one.
    public let witnesses: Set<OpeningWitness>
}
