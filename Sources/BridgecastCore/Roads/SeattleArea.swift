// Where Seattle is, to tell coordinates that are the wrong way round or of somewhere else.

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
