// A path as a line on a map: as points, as GeoJSON and as an encoded polyline.
public import BridgecastCore

extension Path {
    /// Its line from its start to its end; no point is repeated.
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

/// A path as a GeoJSON feature: a line, and what it is.
public struct PathFeature: Sendable, Equatable, Encodable {
    /// A line on a map.
    public struct Geometry: Sendable, Equatable, Encodable {
        /// "LineString".
        public let type = "LineString"
        /// Longitude and latitude of its points, at least two.
        public let coordinates: [[Double]]
    }

    /// Properties of the path.
    public struct Properties: Sendable, Equatable, Encodable {
        /// As ``Path/name(on:)``.
        public let name: String
        /// Metres, and minutes without delays at bridges.
        public let metres, minutes: Double
        /// Names of the crossings of water, in order.
        public let crossings: [String]
        /// Who provides the data of the roads.
        public let attribution: String
    }

    /// "Feature".
    public let type = "Feature"
    /// The line of the path.
    public let geometry: Geometry
    /// Its name, length and crossings.
    public let properties: Properties

    init(_ path: Path, on network: RoadNetwork) {
        // The resolution of the map.
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        var coordinates = path.line(on: network).map {
            [rounded($0.longitude), rounded($0.latitude)]
        }
        if coordinates.count == 1 { coordinates.append(coordinates[0]) }
        geometry = Geometry(coordinates: coordinates)
        properties = Properties(
            name: path.name(on: network), metres: (path.metres * 10).rounded() / 10,
            minutes: (path.minutes * 1_000).rounded() / 1_000,
            crossings: path.crossings.map { network.crossings[$0].name },
            attribution: network.attribution)
    }
}

/// Google's "Encoded Polyline Algorithm Format".
public enum RoadPolyline {
    /// Decimal places of a degree that are kept.
    public enum Precision: Int, Sendable, CaseIterable {
        /// About a metre, as Google and OSRM do by default.
        case five = 5
        /// About a tenth of a metre, as Valhalla does.
        case six = 6
    }

    /// A line as a text.
    public static func encode(_ line: [GeoPoint], precision: Precision = .five) -> String {
        let scale = precision == .five ? 1e5 : 1e6
        var bytes: [UInt8] = []
        var latitude = 0
        var longitude = 0
        for point in line {
            let north = Int((point.latitude * scale).rounded())
            let east = Int((point.longitude * scale).rounded())
            append(north - latitude, to: &bytes)
            append(east - longitude, to: &bytes)
            latitude = north
            longitude = east
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ difference: Int, to bytes: inout [UInt8]) {
        var rest = difference < 0 ? ~(difference << 1) : difference << 1
        while rest >= 32 {
            bytes.append(UInt8(rest & 31 | 32) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }
}
