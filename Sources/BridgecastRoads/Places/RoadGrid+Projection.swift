// The nearest point of one arc's line; the innermost loop of RoadGrid's search.
internal import BridgecastCore

extension RoadGrid {
    /// The nearest point of an arc, if it is nearer than a limit.
    ///
    /// - Parameter scales: Metres in a step of longitude and of latitude.
    static func project(
        _ here: RoadPoint, on number: Int, of map: RoadMap, _ scales: (x: Double, y: Double),
        nearerThan limit: Double, _ penalty: Double
    ) -> Hit? {
        guard limit > 0 else { return nil }
        let arc = map.arcs[number]
        let count = Int(arc.shapeCount)
        let isReversed = arc.flags.contains(.shapeReversed)
        func east(_ point: RoadPoint) -> Double {
            Double(Int(point.longitudeE7) - Int(here.longitudeE7)) * scales.x
        }
        func north(_ point: RoadPoint) -> Double {
            Double(Int(point.latitudeE7) - Int(here.latitudeE7)) * scales.y
        }
        let tail = map.nodes[Int(arc.tail)]
        var (x, y) = (east(tail), north(tail))
        var behind = 0.0
        var best = (square: limit * limit, along: -1.0, x: 0.0, y: 0.0, side: 0.0)
        for step in 0...count {
            let end =
                step == count
                ? map.nodes[Int(arc.head)]
                : map.shapes[Int(arc.shape) + (isReversed ? count - 1 - step : step)]
            let (endX, endY) = (east(end), north(end))
            let (dx, dy) = (endX - x, endY - y)
            let length = dx * dx + dy * dy
            let share = length > 0 ? min(1, max(0, -(x * dx + y * dy) / length)) : 0
            let (nearX, nearY) = (x + share * dx, y + share * dy)
            let square = nearX * nearX + nearY * nearY
            let metres = length.squareRoot()
            if square < best.square {
                // Seen from the road one is at (-nearX, -nearY): to the right if the turn there is clockwise.
                best = (square, behind + share * metres, nearX, nearY, dx * nearY - dy * nearX)
            }
            behind += metres
            (x, y) = (endX, endY)
        }
        guard best.along >= 0 else { return nil }
        let metres = best.square.squareRoot()
        return Hit(
            arc: number, share: behind > 0 ? min(1, best.along / behind) : 0, metres: metres,
            cost: metres + penalty, isOnRight: best.side > 0,
            point: GeoPoint(
                latitude: (Double(here.latitudeE7) + best.y / scales.y) / 1e7,
                longitude: (Double(here.longitudeE7) + best.x / scales.x) / 1e7))
    }
}
