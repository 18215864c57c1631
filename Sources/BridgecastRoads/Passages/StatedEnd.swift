// Where a trip begins or ends for a route server, which knows more roads than we do; made by RoadNetwork+Passages.
package import BridgecastCore

/// A place on the ground, and the point of our network that is nearest to it.
package struct StatedEnd: Sendable {
    /// For people.
    package let name: String
    /// The place itself.
    package let point: GeoPoint
    /// Where it is on our roads; for places far from them the nearest one that has a name.
    package let anchor: Anchor
}
