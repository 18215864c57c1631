// The map around a point as a plane, for distances and projections of some kilometres.
import Foundation

/// A flat map around Seattle: metres east and north of its middle, true to 1 in 1,000 within 30 km.
struct LocalPlane {
    let x: Double
    let y: Double

    init(_ point: GeoPoint) {
        let degree = Double.pi / 180 * GeoPoint.earthRadius
        x = (point.longitude - Self.middle.longitude) * degree * Self.cosine
        y = (point.latitude - Self.middle.latitude) * degree
    }

    private static let middle = GeoPoint(latitude: 47.61, longitude: -122.33)
    private static let cosine = cos(47.61 * Double.pi / 180)

    /// The nearest point of a segment: where it is, 0 at its start and 1 at its end, and how far, metres.
    func projected(on start: LocalPlane, _ end: LocalPlane) -> (share: Double, metres: Double) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        let along = square > 0 ? ((x - start.x) * dx + (y - start.y) * dy) / square : 0
        let share = min(1, max(0, along))
        let (ex, ey) = (start.x + share * dx - x, start.y + share * dy - y)
        return (share, (ex * ex + ey * ey).squareRoot())
    }
}
