// An opening with who says that it happened: the city's records, our own watching, or both.

/// An opening and who says that it happened.
public struct WitnessedOpening: Sendable, Equatable {
    /// The opening; its times are the record's where there is one.
    public let opening: Opening
    /// Who says so, at least one.
    public let witnesses: Set<OpeningWitness>
}
