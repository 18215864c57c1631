// Where a trip begins or ends on the roads; RoadNetwork leads names and coordinates there.
public import BridgecastCore

/// Where a route begins or ends: a point of the network and how one gets onto it.
public struct Anchor: Sendable, Equatable {
    /// For people.
    public let name: String
    /// Where it is; on the road, not where somebody pointed.
    public let point: GeoPoint
    /// The network it is of.
    private let network: RoadNetwork.Identity
    /// Arcs on which it lies, both directions where one can leave and arrive in both.
    package let spots: [Spot]

    /// A point of an arc.
    package struct Spot: Sendable, Equatable {
        package let arc: Int
        /// How much of the arc lies behind it, 0...1.
        package let share: Double

        package init(arc: Int, share: Double) { (self.arc, self.share) = (arc, share) }
    }

    package init(_ name: String, at point: GeoPoint, on network: RoadNetwork, spots: [Spot]) {
        (self.name, self.point, self.spots) = (name, point, spots)
        self.network = network.identity
    }

    /// Whether it is a place of a network.
    package func isOn(_ network: RoadNetwork) -> Bool { self.network === network.identity }

    /// Whether both are the same point of the same network.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.network === rhs.network && lhs.name == rhs.name && lhs.spots == rhs.spots
    }
}
