// A crossing of water as a route server is asked to go by it; made by RoadNetwork+Passages.
// Belongs here: what route servers are told of our roads; not: how they are asked.
package import BridgecastCore

/// A crossing of water, and which way it is crossed.
package struct DeckPassage: Sendable, Hashable {
    /// For people, such as "Fremont Bridge".
    package let name: String
    /// In the middle of the deck.
    package let point: GeoPoint
    /// Degrees from north of the way one goes there, 0 ..< 360; nil where it is not known well enough to tell
    /// carriageways apart.
    package let bearing: Double?

    /// Creates a passage.
    package init(name: String, point: GeoPoint, bearing: Double?) {
        (self.name, self.point, self.bearing) = (name, point, bearing)
    }
}
