// The part of the map that an extract's nodes lie in; part of RoadExtract.
public import BridgecastCore

/// A box between two parallels and two meridians.
public struct RoadBounds: Sendable, Equatable {
    /// Its corner with the least degrees.
    public let southWest: GeoPoint
    /// Its corner with the most degrees.
    public let northEast: GeoPoint

    /// What holds all nodes; nil if there is none; O(n).
    init?(_ nodes: [RoadExtract.Node]) {
        guard let first = nodes.first?.point else { return nil }
        var (south, north) = (first.latitude, first.latitude)
        var (west, east) = (first.longitude, first.longitude)
        for node in nodes {
            (south, north) = (min(south, node.point.latitude), max(north, node.point.latitude))
            (west, east) = (min(west, node.point.longitude), max(east, node.point.longitude))
        }
        southWest = GeoPoint(latitude: south, longitude: west)
        northEast = GeoPoint(latitude: north, longitude: east)
    }
}
