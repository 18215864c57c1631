// A path as a line on a map, and as GeoJSON.
public import BridgecastCore

extension Path {
    /// Its line, cut at both ends; no point stands twice in a row.
    ///
    /// - Precondition: The path was found on the network.
    public func line(on network: RoadNetwork) -> [GeoPoint] {
        var line: [GeoPoint] = []
        for piece in pieces {
            for point in network.map.line(piece.arc, from: piece.start, to: piece.end)
            where point != line.last { line.append(point) }
        }
        return line
    }

    /// The path as a GeoJSON feature.
    ///
    /// - Precondition: The path was found on the network.
    public func geoJSON(on network: RoadNetwork) -> PathFeature {
        PathFeature(self, on: network)
    }
}
