// Places on the ground and distances between them, for the road network and for candidates' lines.
import Foundation

/// A place by its coordinates (WGS 84).
public struct GeoPoint: Sendable, Hashable, Codable {
    /// Degrees north, -90...90.
    public let latitude: Double
    /// Degrees east, -180...180.
    public let longitude: Double

    /// Creates a point.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Metres to another point, on a sphere of the earth's mean radius (haversine formula); within 0.3 %.
    public func metres(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let a = sin((other.latitude - latitude) * radians / 2)
        let b = sin((other.longitude - longitude) * radians / 2)
        let h = a * a + cos(latitude * radians) * cos(other.latitude * radians) * b * b
        return 2 * Self.earthRadius * asin(min(1, h.squareRoot()))
    }

    static let earthRadius = 6_371_009.0
}

/// What Bridgecast knows the roads and bridges of.
public enum SeattleArea {
    /// Degrees north and east that hold the city, its bridges and the other side of the lake.
    public static let latitudes = 47.30...47.90
    /// Degrees east.
    public static let longitudes = -122.60 ... -121.95

    /// Whether a line of points on the globe may pass it: the box around the line meets it; O(n).
    ///
    /// A line may begin and end far away.
    package static func isNear(_ points: [GeoPoint]) -> Bool {
        guard let first = points.first else { return false }
        var (south, north) = (first.latitude, first.latitude)
        var (west, east) = (first.longitude, first.longitude)
        for point in points {
            (south, north) = (min(south, point.latitude), max(north, point.latitude))
            (west, east) = (min(west, point.longitude), max(east, point.longitude))
        }
        return south >= -90 && north <= 90 && west >= -180 && east <= 180
            && (south...north).overlaps(latitudes) && (west...east).overlaps(longitudes)
    }

    /// Whether a point lies in it.
    public static func contains(_ point: GeoPoint) -> Bool {
        latitudes.contains(point.latitude) && longitudes.contains(point.longitude)
    }
}
