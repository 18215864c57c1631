// Where a trip begins or ends on the roads; RoadNetwork leads names and coordinates there.

/// Where a route begins or ends: a point of the network and how one gets onto it.
public struct Anchor: Sendable, Equatable {
    /// For people.
    public let name: String
    /// The network it is of.
    private let network: RoadNetwork.Identity
    /// Metres of road to each node that can be reached from it, or from which it can be reached.
    let entries: [Entry]

    struct Entry: Sendable, Equatable {
        let node: Int
        let metres: Double
        /// Class of the road that leads there.
        let roadClass: Int
    }

    init(
        _ name: String, on network: RoadNetwork, entries: [Entry], onEdge: OnEdge?
    ) {
        (self.name, self.network) = (name, network.identity)
        (self.entries, self.onEdge) = (entries, onEdge)
    }

    /// Whether it is a place of a network.
    package func isOn(_ network: RoadNetwork) -> Bool { self.network === network.identity }

    /// Whether both are the same point of the same network.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.network === rhs.network && lhs.name == rhs.name && lhs.entries == rhs.entries
            && lhs.onEdge == rhs.onEdge
    }

    /// The edge it lies on and how far along, for two places on one edge.
    let onEdge: OnEdge?

    struct OnEdge: Sendable, Equatable {
        let nodes: Set<Int>
        let metresFromLowest: Double
        let roadClass: Int
    }
}
