// A place of the network that people know by name.
public import BridgecastCore

/// A place that people name.
public struct Place: Sendable, Equatable {
    /// What kind of place it is, for lists and symbols.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case neighbourhood, landmark, station, school, hospital, park, stop
    }

    /// For people.
    public let name: String
    /// Other names.
    public let aliases: [String]
    /// What it is.
    public let kind: Kind
    /// Where it is.
    public let point: GeoPoint

    /// Creates a place.
    public init(name: String, aliases: [String] = [], kind: Kind, point: GeoPoint) {
        (self.name, self.aliases, self.kind, self.point) = (name, aliases, kind, point)
    }
}
