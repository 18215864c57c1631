// A crossing of water by name: a drawbridge, or one that never opens.
public import BridgecastCore

/// A crossing of water that routes are told apart by.
public struct Crossing: Sendable, Equatable {
    /// For people, such as "Aurora Bridge".
    public let name: String
    /// The drawbridge, or nil if it never opens.
    public let bridge: BridgeIndex?
    /// Its middle.
    public let point: GeoPoint

    /// Creates a crossing.
    public init(name: String, bridge: BridgeIndex?, point: GeoPoint) {
        (self.name, self.bridge, self.point) = (name, bridge, point)
    }
}
