// Who says that an opening happened.

/// Who says that an opening happened.
public enum OpeningWitness: String, Sendable, Codable, CaseIterable, Comparable {
    /// The city's records.
    case record
    /// Our own watching of the live feed.
    case observed

    /// Alphabetical by the city first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs == .record && rhs == .observed }
}
