// Places on the ground and distances between them, for the road network and for candidates' lines.
// Belongs here: points on the ground and the plane around them; not: the roads, which have a target of their own.
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
