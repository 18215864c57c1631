// A line on the ground with distances along it, and its nearest positions to a point.
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
    /// Boxes around stretches of the line, so that distant ones can be skipped.
    private let boxes: [Box]

    /// A line through points; nil without two distinct ones.
    ///
    /// O(points).
    public init?(_ points: [GeoPoint]) {
        guard let first = points.first else { return nil }
        var longitudes = [first.longitude]
        var metres = [0.0]
        longitudes.reserveCapacity(points.count)
        metres.reserveCapacity(points.count)
        for (before, after) in zip(points, points.dropFirst()) {
            longitudes.append(
                longitudes[longitudes.count - 1] + Self.wrapped(after.longitude - before.longitude))
            metres.append(metres[metres.count - 1] + before.metres(to: after))
        }
        guard let length = metres.last, length > 0, length.isFinite else { return nil }
        latitudes = points.map(\.latitude)
        self.longitudes = longitudes
        self.metres = metres
        boxes = Self.boxes(latitudes, longitudes)
    }

    /// Its points, with longitudes beyond 180 where it passes there.
    package var points: [GeoPoint] {
        zip(latitudes, longitudes).map { GeoPoint(latitude: $0, longitude: $1) }
    }

    /// Length, metres, above 0.
    public var length: Double { metres[metres.count - 1] }

    /// Metres along the line of a position in pieces: the index of a piece plus a fraction of it, as in
    /// ``DeckCrossing/position``; clamped to the ends.
    public func metres(atPosition position: Double) -> Double {
        let bounded = min(max(position, 0), Double(metres.count - 1))
        let piece = min(Int(bounded), metres.count - 2)
        return metres[piece] + (bounded - Double(piece)) * (metres[piece + 1] - metres[piece])
    }

    /// The point at a distance along the line, clamped to the ends.
    ///
    /// O(log points).
    public func point(atMetres target: Double) -> GeoPoint {
        let piece = piece(atMetres: target)
        let length = metres[piece + 1] - metres[piece]
        let share = length > 0 ? min(1, max(0, (target - metres[piece]) / length)) : 0
        return GeoPoint(
            latitude: latitudes[piece] + share * (latitudes[piece + 1] - latitudes[piece]),
            longitude: Self.wrapped(
                longitudes[piece] + share * (longitudes[piece + 1] - longitudes[piece])))
    }

    /// Direction of the line, degrees clockwise from north, 0 ..< 360, at a distance along it.
    ///
    /// O(log points).
    public func heading(atMetres target: Double) -> Double {
        let piece = piece(atMetres: target)
        return Self.heading(
            from: GeoPoint(latitude: latitudes[piece], longitude: longitudes[piece]),
            to: GeoPoint(latitude: latitudes[piece + 1], longitude: longitudes[piece + 1]))
    }

    /// The same over the 15 m before and after: the direction of a vehicle there, even if the line zigzags.
    ///
    /// O(log points).
    package func course(atMetres target: Double) -> Double {
        let before = point(atMetres: target - 15)
        let after = point(atMetres: target + 15)
        return before.metres(to: after) < 1
            ? heading(atMetres: target) : Self.heading(from: before, to: after)
    }

    /// Direction from a point to one near it, degrees clockwise from north, 0 ..< 360.
    static func heading(from start: GeoPoint, to end: GeoPoint) -> Double {
        let east =
            wrapped(end.longitude - start.longitude)
            * cos((start.latitude + end.latitude) / 2 * .pi / 180)
        let degrees = atan2(east, end.latitude - start.latitude) * 180 / .pi
        // Rounding can yield 360 a little west of north.
        return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
    }

    /// The piece at a distance along the line, not of length 0, the later one where two meet.
    private func piece(atMetres target: Double) -> Int {
        let after = metres.partitioningIndex { $0 > target }
        if after < metres.count { return max(0, after - 1) }
        return lastPiece
    }

    /// The last piece with a length above 0: lines may end with repeated points.
    private var lastPiece: Int { metres.partitioningIndex { $0 >= length } - 1 }

    /// A longitude or difference of longitudes, wrapped into -180...180.
    static func wrapped(_ degrees: Double) -> Double {
        degrees >= -180 && degrees <= 180 ? degrees : degrees - (degrees / 360).rounded() * 360
    }
}

// MARK: - Nearest points

/// A position on a line that is locally nearest to a point; a line that returns to the point has several.
package struct LineApproach: Sendable, Equatable {
    /// Metres along the line.
    package let metres: Double
    /// Metres from the point to the line there.
    package let offMetres: Double
}

extension ShapeLine {
    /// All approaches of the line to a point within a distance, in order along the line.
    ///
    /// - Complexity: O(points / 16 + points of the stretches that come near).
    package func approaches(to point: GeoPoint, within limit: Double) -> [LineApproach] {
        let view = PlaneAround(point, middle: longitudes[0])
        let lastPiece = lastPiece
        var found: [LineApproach] = []
        // Where the previous piece is nearest: 1 if at its end.
        var previousShare = 1.0
        for (number, box) in boxes.enumerated() {
            guard view.metres(to: box) <= limit else {
                previousShare = 0
                continue
            }
            for piece in pieces(ofBox: number) where metres[piece] < metres[piece + 1] {
                let (share, off) = view.nearest(on: self, piece)
                let isApproach = share > 0 ? share < 1 || piece == lastPiece : previousShare == 1
                if isApproach, off <= limit {
                    found.append(
                        LineApproach(metres: metres(at: share, ofPiece: piece), offMetres: off))
                }
                previousShare = share
            }
        }
        return found
    }

    /// The nearest position within a stretch of the line.
    ///
    /// O(points).
    package func nearest(to point: GeoPoint, within stretch: ClosedRange<Double>) -> LineApproach {
        let view = PlaneAround(point, middle: longitudes[0])
        var best = LineApproach(metres: stretch.lowerBound, offMetres: .infinity)
        for (number, box) in boxes.enumerated() where view.metres(to: box) < best.offMetres {
            for piece in pieces(ofBox: number)
            where metres[piece] <= stretch.upperBound && metres[piece + 1] >= stretch.lowerBound {
                let length = metres[piece + 1] - metres[piece]
                guard length > 0 else { continue }
                let low = max(0, (stretch.lowerBound - metres[piece]) / length)
                let high = min(1, (stretch.upperBound - metres[piece]) / length)
                let (share, off) = view.nearest(on: self, piece, low: low, high: high)
                if off < best.offMetres {
                    best = LineApproach(metres: metres(at: share, ofPiece: piece), offMetres: off)
                }
            }
        }
        return best
    }

    private func pieces(ofBox number: Int) -> Range<Int> {
        let first = number * Self.piecesPerBox
        return first..<min(first + Self.piecesPerBox, metres.count - 1)
    }

    private func metres(at share: Double, ofPiece piece: Int) -> Double {
        metres[piece] + share * (metres[piece + 1] - metres[piece])
    }

    /// A box around consecutive pieces, degrees.
    fileprivate struct Box: Sendable { var south, north, west, east: Double }

    /// About the square root of the pieces of long shapes.
    private static let piecesPerBox = 16

    private static func boxes(_ latitudes: [Double], _ longitudes: [Double]) -> [Box] {
        stride(from: 0, to: max(1, latitudes.count - 1), by: piecesPerBox).map { first in
            let last = min(first + piecesPerBox, latitudes.count - 1)
            var box = Box(
                south: latitudes[first], north: latitudes[first], west: longitudes[first],
                east: longitudes[first])
            for index in first...last {
                box.south = min(box.south, latitudes[index])
                box.north = max(box.north, latitudes[index])
                box.west = min(box.west, longitudes[index])
                box.east = max(box.east, longitudes[index])
            }
            return box
        }
    }
}

/// The ground around a point as a plane, metres east and north of it: accurate near the point.
struct PlaneAround {
    private let latitude, longitude: Double
    private let metresEast, metresNorth: Double

    /// - Parameter middle: A longitude of the line, which may be beyond 180 degrees.
    init(_ point: GeoPoint, middle: Double) {
        metresNorth = Earth.metresPerDegree
        metresEast = metresNorth * cos(point.latitude * (Double.pi / 180))
        latitude = point.latitude
        longitude = middle + ShapeLine.wrapped(point.longitude - middle)
    }

    /// Distance to a box, metres; 0 within it.
    fileprivate func metres(to box: ShapeLine.Box) -> Double {
        let east = max(0, box.west - longitude, longitude - box.east) * metresEast
        let north = max(0, box.south - latitude, latitude - box.north) * metresNorth
        return (east * east + north * north).squareRoot()
    }

    /// The nearest point of a piece, or of the part of it between two fractions: its fraction, and the distance to it.
    @inline(__always) func nearest(
        on line: ShapeLine, _ piece: Int, low: Double = 0, high: Double = 1
    ) -> (share: Double, metres: Double) {
        let x = (line.longitudes[piece] - longitude) * metresEast
        let y = (line.latitudes[piece] - latitude) * metresNorth
        let dx = (line.longitudes[piece + 1] - line.longitudes[piece]) * metresEast
        let dy = (line.latitudes[piece + 1] - line.latitudes[piece]) * metresNorth
        let square = dx * dx + dy * dy
        let share = square > 0 ? min(high, max(low, -(x * dx + y * dy) / square)) : low
        let ex = x + share * dx
        let ey = y + share * dy
        return (share, (ex * ex + ey * ey).squareRoot())
    }
}
