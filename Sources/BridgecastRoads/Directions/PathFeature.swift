// A path as GeoJSON (RFC 7946); commands and services write it.
internal import BridgecastCore

/// A path as a GeoJSON feature: a line, and what it is.
public struct PathFeature: Sendable, Equatable, Encodable {
    /// A line on a map.
    public struct Geometry: Sendable, Equatable, Encodable {
        /// "LineString".
        public let type = "LineString"
        /// Longitude and latitude of its points, at least two.
        public let coordinates: [[Double]]
    }

    /// What is told of the path.
    public struct Properties: Sendable, Equatable, Encodable {
        /// As ``Path/name(on:)``.
        public let name: String
        /// Metres, and minutes without delays at bridges.
        public let metres, minutes: Double
        /// Names of the crossings of water, in order.
        public let crossings: [String]
        /// Whose data the roads are made from.
        public let attribution: String
    }

    /// "Feature".
    public let type = "Feature"
    /// The line.
    public let geometry: Geometry
    /// What it is.
    public let properties: Properties

    init(_ path: Path, on network: RoadNetwork) {
        // Steps of 1e-7 degrees: nothing finer is known.
        func shown(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        var coordinates = path.line(on: network).map { [shown($0.longitude), shown($0.latitude)] }
        if coordinates.count == 1 { coordinates.append(coordinates[0]) }
        geometry = Geometry(coordinates: coordinates)
        properties = Properties(
            name: path.name(on: network), metres: (path.metres * 10).rounded() / 10,
            minutes: (path.minutes * 1_000).rounded() / 1_000,
            crossings: path.crossings.map { network.crossings[$0].name },
            attribution: network.attribution)
    }
}
