// What somebody who types may mean; shown while one types.
public import BridgecastCore

/// A place or a street corner that a text may become.
public struct Completion: Sendable, Equatable {
    /// What it is.
    public enum Kind: Sendable, Equatable {
        case place(Place.Kind)
        case corner
    }

    /// The whole text, which ``RoadNetwork/anchor(_:for:)-(String,_)`` takes.
    public let name: String
    /// What it is.
    public let kind: Kind
    /// Where it is.
    public let point: GeoPoint
}
