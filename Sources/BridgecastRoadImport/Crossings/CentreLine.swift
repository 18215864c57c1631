// The middle of a waterway as a line, and where roads cross it; used by CrossingFinder.
// Belongs here: water and how roads get over it; not: the roads themselves (Graph).
internal import BridgecastCore

/// A waterway that divides the city, by its middle.
struct CentreLine {
    /// For people, with its article.
    let name: String
    /// The drawbridges' waterway, or nil if it has none.
    let waterway: Waterway?
    let points: [GeoPoint]
    private let box: (south: Double, north: Double, west: Double, east: Double)

    init(_ name: String, _ waterway: Waterway?, _ coordinates: [(Double, Double)]) {
        (self.name, self.waterway) = (name, waterway)
        points = coordinates.map { GeoPoint(latitude: $0.0, longitude: $0.1) }
        let (latitudes, longitudes) = (coordinates.map(\.0), coordinates.map(\.1))
        box = (
            latitudes.min() ?? 0, latitudes.max() ?? 0, longitudes.min() ?? 0, longitudes.max() ?? 0
        )
    }

    /// Where a stretch of road crosses it, as a share of the stretch; nil if it does not, or gets back to the side
    /// that it comes from.
    ///
    /// O(points), and O(1) far away.
    func share(from start: GeoPoint, to end: GeoPoint) -> Double? {
        guard max(start.latitude, end.latitude) >= box.south,
            min(start.latitude, end.latitude) <= box.north,
            max(start.longitude, end.longitude) >= box.west,
            min(start.longitude, end.longitude) <= box.east
        else { return nil }
        var found: [Double] = []
        for (a, b) in zip(points, points.dropFirst()) {
            if let share = Self.share(start, end, a, b) { found.append(share) }
        }
        guard found.count % 2 == 1 else { return nil }
        return found.sorted()[found.count / 2]
    }

    /// Where two stretches meet, as a share of the first.
    ///
    /// A point exactly on the line counts as one side of it, so that a road with a point there crosses once.
    private static func share(
        _ start: GeoPoint, _ end: GeoPoint, _ a: GeoPoint, _ b: GeoPoint
    ) -> Double? {
        let (before, after) = (side(start, a, b), side(end, a, b))
        guard (before >= 0) != (after >= 0),
            (side(a, start, end) >= 0) != (side(b, start, end) >= 0)
        else { return nil }
        return before / (before - after)
    }

    /// On which side of the line from a to b a point lies, by its sign.
    private static func side(_ point: GeoPoint, _ a: GeoPoint, _ b: GeoPoint) -> Double {
        (b.longitude - a.longitude) * (point.latitude - a.latitude)
            - (b.latitude - a.latitude) * (point.longitude - a.longitude)
    }
}
