// Which element of OpenStreetMap something is; used in places of errors and by the readers.

/// An element by its kind and number.
public struct RoadElement: Sendable, Hashable, CustomStringConvertible {
    /// What OpenStreetMap consists of.
    public enum Kind: String, Sendable, CaseIterable {
        case node
        case way
        case relation
    }

    /// What it is.
    public let kind: Kind
    /// Its number among its kind.
    public let id: Int64

    /// Such as `way 6427257`.
    public var description: String { "\(kind.rawValue) \(id)" }
}
