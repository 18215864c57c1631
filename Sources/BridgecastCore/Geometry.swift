// Points on the ground, distances between them, and planes around a point.
import Foundation

/// A point on the ground by its coordinates (WGS 84).
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

    /// The point that a text of the form `latitude,longitude` gives, which need not be on earth; nil for another text.
    package init?(text: String) {
        let parts = text.split(separator: ",", maxSplits: 2).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            latitude.isFinite, longitude.isFinite
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Metres to another point, on a sphere of the earth's mean radius (haversine formula); within 0.3 %.
    public func metres(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let a = sin((other.latitude - latitude) * radians / 2)
        let b = sin((other.longitude - longitude) * radians / 2)
        let h = a * a + cos(latitude * radians) * cos(other.latitude * radians) * b * b
        return 2 * Earth.radiusMetres * asin(min(1, h.squareRoot()))
    }
}

package enum Earth {
    /// Mean radius, metres.
    package static let radiusMetres = 6_371_009.0
    /// Metres in a degree of latitude, and in a degree of longitude at the equator.
    package static let metresPerDegree = Double.pi / 180 * radiusMetres
}

/// The area whose roads and bridges are known; tells swapped coordinates and other cities apart.
public enum SeattleArea {
    /// Degrees north that hold the city, its bridges and the other side of the lake.
    public static let latitudes = 47.30...47.90
    /// Degrees east that hold them.
    public static let longitudes = -122.60 ... -121.95

    /// Whether a point is in it.
    public static func contains(_ point: GeoPoint) -> Bool {
        latitudes.contains(point.latitude) && longitudes.contains(point.longitude)
    }

    /// Whether a line, which may begin and end far away, may pass it: their boxes overlap; O(n).
    package static func isNear(_ points: [GeoPoint]) -> Bool {
        guard let first = points.first else { return false }
        var south = first.latitude
        var north = south
        var west = first.longitude
        var east = west
        for point in points {
            south = min(south, point.latitude)
            north = max(north, point.latitude)
            west = min(west, point.longitude)
            east = max(east, point.longitude)
        }
        return south >= -90 && north <= 90 && west >= -180 && east <= 180
            && (south...north).overlaps(latitudes) && (west...east).overlaps(longitudes)
    }
}

// MARK: - Planes

/// A flat map around a point: metres east and north of it, true to 1 in 1,000 within 30 km.
package struct LocalPlane: Sendable {
    private let origin: GeoPoint
    private let cosine: Double

    package init(around origin: GeoPoint) {
        self.origin = origin
        cosine = cos(origin.latitude * Double.pi / 180)
    }

    package static let seattle = LocalPlane(around: GeoPoint(latitude: 47.61, longitude: -122.33))

    package func position(of point: GeoPoint) -> PlanePoint {
        PlanePoint(
            x: (point.longitude - origin.longitude) * Earth.metresPerDegree * cosine,
            y: (point.latitude - origin.latitude) * Earth.metresPerDegree)
    }
}

package struct PlanePoint: Sendable, Equatable {
    /// Metres east.
    package var x: Double
    /// Metres north.
    package var y: Double

    @inlinable
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    @inlinable
    package func metres(to other: PlanePoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }

    /// The nearest point of a segment, or of the part of it between two shares of its length.
    @inlinable
    package func nearest(
        onSegmentFrom start: PlanePoint, to end: PlanePoint, low: Double = 0, high: Double = 1
    ) -> NearestOnSegment {
        let dx = end.x - start.x
        let dy = end.y - start.y
        let square = dx * dx + dy * dy
        let share =
            square > 0
            ? min(high, max(low, ((x - start.x) * dx + (y - start.y) * dy) / square)) : low
        return NearestOnSegment(
            share: share, x: start.x + share * dx - x, y: start.y + share * dy - y)
    }
}

/// The nearest point of a segment, seen from another point.
package struct NearestOnSegment: Sendable {
    /// Where it is on the segment: 0 at the start, 1 at the end.
    package let share: Double
    /// Metres east and north of the other point.
    package let x: Double, y: Double

    @inlinable
    package init(share: Double, x: Double, y: Double) {
        self.share = share
        self.x = x
        self.y = y
    }

    @inlinable
    package var squareMetres: Double { x * x + y * y }
    /// Distance from the other point, metres.
    @inlinable
    package var metres: Double { squareMetres.squareRoot() }
}

// MARK: - Lines

/// Lines with fewer points that look the same at a scale.
package enum LineSimplification {
    /// A line in which every omitted point is at most this far from the remaining line.
    ///
    /// Both ends stay; a ring stays closed. The method is that of Douglas and Peucker (1973).
    /// - Complexity: O(n log n) as a rule, O(n²) at worst.
    package static func simplified(_ line: [GeoPoint], metres: Double) -> [GeoPoint] {
        guard line.count > 2 else { return line }
        let plane = line.map(LocalPlane.seattle.position)
        var isKept = line.map { _ in false }
        isKept[0] = true
        isKept[line.count - 1] = true
        var open = [0..<line.count - 1]
        if line.first == line.last {
            // A ring has no two ends: the point farthest from the first is the other one.
            let far =
                line.indices.max { plane[0].metres(to: plane[$0]) < plane[0].metres(to: plane[$1]) }
                ?? 0
            isKept[far] = true
            open = [0..<far, far..<line.count - 1]
        }
        while let part = open.popLast() {
            var farthestMetres = metres
            var farthest = part.lowerBound
            for index in part.dropFirst() {
                let distance = plane[index].nearest(
                    onSegmentFrom: plane[part.lowerBound], to: plane[part.upperBound]
                ).metres
                if distance > farthestMetres {
                    farthestMetres = distance
                    farthest = index
                }
            }
            guard farthest > part.lowerBound else { continue }
            isKept[farthest] = true
            open += [part.lowerBound..<farthest, farthest..<part.upperBound]
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }

    /// The longer side of the box around a line, metres.
    package static func extent(_ line: [GeoPoint]) -> Double {
        let plane = line.map(LocalPlane.seattle.position)
        let x = plane.map(\.x)
        let y = plane.map(\.y)
        guard let west = x.min(), let east = x.max(), let south = y.min(), let north = y.max()
        else {
            return 0
        }
        return max(east - west, north - south)
    }
}
