// The map around a point as a plane; used wherever an import measures angles and distances to lines.
internal import BridgecastCore
import Foundation

/// Metres east and north of a point; good within some kilometres.
struct MapPlane {
    private let origin: GeoPoint
    private let cosine: Double
    private static let degree = 111_195.08

    init(around origin: GeoPoint) {
        self.origin = origin
        cosine = cos(origin.latitude * .pi / 180)
    }

    func position(_ point: GeoPoint) -> (x: Double, y: Double) {
        (
            (point.longitude - origin.longitude) * Self.degree * cosine,
            (point.latitude - origin.latitude) * Self.degree
        )
    }

    /// Metres from a point to a stretch.
    func metres(from point: GeoPoint, _ start: GeoPoint, _ end: GeoPoint) -> Double {
        let (p, a, b) = (position(point), position(start), position(end))
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let square = dx * dx + dy * dy
        let along = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0
        let share = min(1, max(0, along))
        let (ex, ey) = (a.x + share * dx - p.x, a.y + share * dy - p.y)
        return (ex * ex + ey * ey).squareRoot()
    }
}
