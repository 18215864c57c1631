// A line on the ground measured along itself: what vehicles, stops and bridges of a trip are placed on.
public import BridgecastCore
private import Foundation

/// A line of points anywhere on earth, with metres along it.
///
/// Lengths are those of the sphere (``GeoPoint/metres(to:)``), within 0.3 % of the ground. Between two points the line
/// is straight in degrees.
public struct ShapeLine: Sendable {
    /// Degrees north, point by point.
    package let latitudes: [Double]
    /// Degrees east, point by point, without a jump where the line passes 180: they may lie beyond it.
    package let longitudes: [Double]
    /// Metres from the first point to each, never decreasing.
    public let metres: [Double]
    /// Boxes around stretches of the line, so that far ones need not be looked at.
    let boxes: [Box]

    /// A line through points; nil without two different ones.
    ///
    /// O(points).
    public init?(_ points: [GeoPoint]) {
        guard let first = points.first else { return nil }
        var (longitudes, metres) = ([first.longitude], [0.0])
        longitudes.reserveCapacity(points.count)
        metres.reserveCapacity(points.count)
        for (before, after) in zip(points, points.dropFirst()) {
            longitudes.append(
                longitudes[longitudes.count - 1]
                    + Self.shortWay(after.longitude - before.longitude))
            metres.append(metres[metres.count - 1] + before.metres(to: after))
        }
        guard let length = metres.last, length > 0, length.isFinite else { return nil }
        latitudes = points.map(\.latitude)
        (self.longitudes, self.metres) = (longitudes, metres)
        boxes = Self.boxes(latitudes, longitudes)
    }

    /// Metres from end to end, above 0.
    public var length: Double { metres[metres.count - 1] }

    /// Metres to a position in pieces: the number of a piece plus the share of it passed, as
    /// ``DeckCrossing/position`` has it; the ends beyond them.
    public func metres(atPosition position: Double) -> Double {
        let bounded = min(max(position, 0), Double(metres.count - 1))
        let piece = min(Int(bounded), metres.count - 2)
        return metres[piece] + (bounded - Double(piece)) * (metres[piece + 1] - metres[piece])
    }

    /// The point so many metres along the line; the ends beyond them.
    ///
    /// O(log points).
    public func point(atMetres target: Double) -> GeoPoint {
        let piece = piece(atMetres: target)
        let length = metres[piece + 1] - metres[piece]
        let share = length > 0 ? min(1, max(0, (target - metres[piece]) / length)) : 0
        return GeoPoint(
            latitude: latitudes[piece] + share * (latitudes[piece + 1] - latitudes[piece]),
            longitude: Self.shortWay(
                longitudes[piece] + share * (longitudes[piece + 1] - longitudes[piece])))
    }

    /// Degrees clockwise from north, 0 ..< 360, in which the line goes so many metres along it.
    ///
    /// O(log points).
    public func heading(atMetres target: Double) -> Double {
        let piece = piece(atMetres: target)
        return Self.heading(
            from: GeoPoint(latitude: latitudes[piece], longitude: longitudes[piece]),
            to: GeoPoint(latitude: latitudes[piece + 1], longitude: longitudes[piece + 1]))
    }

    /// The same over the 15 m before and after a place: what a vehicle there goes by, however the line zigzags.
    ///
    /// O(log points).
    package func course(atMetres target: Double) -> Double {
        let (before, after) = (point(atMetres: target - 15), point(atMetres: target + 15))
        return before.metres(to: after) < 1
            ? heading(atMetres: target) : Self.heading(from: before, to: after)
    }

    /// Degrees clockwise from north, 0 ..< 360, from a point to one near it.
    static func heading(from start: GeoPoint, to end: GeoPoint) -> Double {
        let east =
            shortWay(end.longitude - start.longitude)
            * cos((start.latitude + end.latitude) / 2 * .pi / 180)
        let degrees = atan2(east, end.latitude - start.latitude) * 180 / .pi
        // A little west of north is 360 by rounding, which is north.
        return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
    }

    /// The piece of some length that holds a place, the later one where two meet.
    private func piece(atMetres target: Double) -> Int {
        let after = metres.partitioningIndex { $0 > target }
        if after < metres.count { return max(0, after - 1) }
        return lastPiece
    }

    /// The last piece that has a length: lines may end with the same point more than once.
    var lastPiece: Int { metres.partitioningIndex { $0 >= length } - 1 }

    /// Degrees of longitude as -180...180.
    static func shortWay(_ degrees: Double) -> Double {
        degrees >= -180 && degrees <= 180 ? degrees : degrees - (degrees / 360).rounded() * 360
    }
}
