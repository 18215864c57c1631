// Where a line passes a point: every approach to it, not only the nearest, since lines come back to where they were.
package import BridgecastCore
private import Foundation

/// A place on a line that is nearer to a point than the line is just before and just after it.
package struct LineApproach: Sendable, Equatable {
    /// Metres along the line.
    package let metres: Double
    /// Metres from the point to the line there.
    package let offMetres: Double
}

extension ShapeLine {
    /// Every approach of the line to a point within some metres, in order along the line.
    ///
    /// - Complexity: O(points / 16 + points of the stretches that come near).
    package func approaches(to point: GeoPoint, within limit: Double) -> [LineApproach] {
        let view = PlaneAround(point, middle: longitudes[0])
        let lastPiece = lastPiece
        var found: [LineApproach] = []
        // The share of the piece before at which it comes nearest: 1 if it still comes nearer at its end.
        var shareBefore = 1.0
        for (number, box) in boxes.enumerated() {
            guard view.metres(to: box) <= limit else {
                shareBefore = 0
                continue
            }
            for piece in pieces(ofBox: number) where metres[piece] < metres[piece + 1] {
                let (share, off) = view.nearest(on: self, piece)
                let isApproach =
                    share > 0 ? share < 1 || piece == lastPiece : shareBefore == 1
                if isApproach, off <= limit {
                    found.append(
                        LineApproach(metres: metres(share, ofPiece: piece), offMetres: off))
                }
                shareBefore = share
            }
        }
        return found
    }

    /// The nearest place of the line within a stretch of it; ends of the stretch count as its ends.
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
                let (share, off) = view.nearest(on: self, piece, low, high)
                if off < best.offMetres {
                    best = LineApproach(metres: metres(share, ofPiece: piece), offMetres: off)
                }
            }
        }
        return best
    }

    private func pieces(ofBox number: Int) -> Range<Int> {
        let first = number * Self.piecesPerBox
        return first..<min(first + Self.piecesPerBox, metres.count - 1)
    }

    private func metres(_ share: Double, ofPiece piece: Int) -> Double {
        metres[piece] + share * (metres[piece + 1] - metres[piece])
    }

    /// A box around a stretch of consecutive pieces, degrees.
    struct Box: Sendable {
        var south, north, west, east: Double
    }

    /// Pieces to a box: near the square root of what long shapes have.
    static let piecesPerBox = 16

    static func boxes(_ latitudes: [Double], _ longitudes: [Double]) -> [Box] {
        stride(from: 0, to: max(1, latitudes.count - 1), by: piecesPerBox).map { first in
            let last = min(first + piecesPerBox, latitudes.count - 1)
            var box = Box(
                south: latitudes[first], north: latitudes[first], west: longitudes[first],
                east: longitudes[first])
            for index in first...last {
                (box.south, box.north) = (
                    min(box.south, latitudes[index]), max(box.north, latitudes[index])
                )
                (box.west, box.east) = (
                    min(box.west, longitudes[index]), max(box.east, longitudes[index])
                )
            }
            return box
        }
    }
}

/// The ground around a point as a plane, metres east and north of it: exact where it matters, near the point.
struct PlaneAround {
    private let latitude, longitude: Double
    private let metresEast, metresNorth: Double

    /// - Parameter middle: A longitude of what is looked at, which may lie beyond 180 degrees.
    init(_ point: GeoPoint, middle: Double) {
        let radians = Double.pi / 180
        metresNorth = 6_371_009 * radians
        metresEast = metresNorth * cos(point.latitude * radians)
        latitude = point.latitude
        longitude = middle + ShapeLine.shortWay(point.longitude - middle)
    }

    /// Metres to a box; 0 within it.
    func metres(to box: ShapeLine.Box) -> Double {
        let east = max(0, box.west - longitude, longitude - box.east) * metresEast
        let north = max(0, box.south - latitude, latitude - box.north) * metresNorth
        return (east * east + north * north).squareRoot()
    }

    /// The nearest place of a piece between two shares of it: its share, and metres to it.
    @inline(__always)
    func nearest(
        on line: ShapeLine, _ piece: Int, _ low: Double = 0, _ high: Double = 1
    ) -> (share: Double, metres: Double) {
        let x = (line.longitudes[piece] - longitude) * metresEast
        let y = (line.latitudes[piece] - latitude) * metresNorth
        let dx = (line.longitudes[piece + 1] - line.longitudes[piece]) * metresEast
        let dy = (line.latitudes[piece + 1] - line.latitudes[piece]) * metresNorth
        let square = dx * dx + dy * dy
        let share = square > 0 ? min(high, max(low, -(x * dx + y * dy) / square)) : low
        let (ex, ey) = (x + share * dx, y + share * dy)
        return (share, (ex * ex + ey * ey).squareRoot())
    }
}
