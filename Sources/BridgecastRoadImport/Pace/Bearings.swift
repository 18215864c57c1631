// Headings of lines and the angles between them, degrees; used by TurnCosts and PaceGroups.
internal import BridgecastCore
import Foundation

/// Headings, clockwise from north.
enum Bearings {
    /// The heading of a line's end is that of its last metres.
    static let reachMetres = 20.0

    static func bearing(_ start: GeoPoint, _ end: GeoPoint) -> Double {
        let middle = (start.latitude + end.latitude) / 2 * .pi / 180
        let east = (end.longitude - start.longitude) * cos(middle)
        return atan2(east, end.latitude - start.latitude) * 180 / .pi
    }

    /// From one heading to another, right positive, -180..<180.
    static func turn(_ before: Double, _ after: Double) -> Double {
        (after - before + 900).truncatingRemainder(dividingBy: 360) - 180
    }

    /// The heading with which a line arrives.
    static func arriving(_ line: some BidirectionalCollection<GeoPoint>) -> Double {
        guard let last = line.last else { return 0 }
        var (metres, at) = (0.0, last)
        for point in line.dropLast().reversed() {
            metres += point.metres(to: at)
            at = point
            if metres >= reachMetres { break }
        }
        return bearing(at, last)
    }

    /// The heading with which a line departs.
    static func departing(_ line: some BidirectionalCollection<GeoPoint>) -> Double {
        (arriving(line.reversed()) + 180).truncatingRemainder(dividingBy: 360)
    }
}
