internal import BridgecastCore
import Foundation

/// Metres east and north of a point; accurate within some kilometres.
///
/// Its degree is 111,195.08 m where that of `LocalPlane` has more digits: with those, import results would change.
struct MapPlane {
    private let origin: GeoPoint
    private let cosine: Double
    private static let metresPerDegree = 111_195.08

    init(around origin: GeoPoint) {
        self.origin = origin
        cosine = cos(origin.latitude * .pi / 180)
    }

    private func position(_ point: GeoPoint) -> PlanePoint {
        PlanePoint(
            x: (point.longitude - origin.longitude) * Self.metresPerDegree * cosine,
            y: (point.latitude - origin.latitude) * Self.metresPerDegree)
    }

    func metres(from point: GeoPoint, toSegmentFrom start: GeoPoint, to end: GeoPoint) -> Double {
        position(point).nearest(onSegmentFrom: position(start), to: position(end)).metres
    }
}

/// Headings of lines and angles between them, degrees clockwise from north.
enum Bearings {
    /// The heading of a line's end is that of its last `reachMetres`.
    static let reachMetres = 20.0

    static func bearing(_ start: GeoPoint, _ end: GeoPoint) -> Double {
        let middle = (start.latitude + end.latitude) / 2 * .pi / 180
        let east = (end.longitude - start.longitude) * cos(middle)
        return atan2(east, end.latitude - start.latitude) * 180 / .pi
    }

    /// The turn from one heading to another, positive to the right, -180..<180.
    static func turn(_ before: Double, _ after: Double) -> Double {
        (after - before + 900).truncatingRemainder(dividingBy: 360) - 180
    }

    static func arriving(_ line: some BidirectionalCollection<GeoPoint>) -> Double {
        guard let last = line.last else { return 0 }
        var metres = 0.0
        var start = last
        for point in line.dropLast().reversed() {
            metres += point.metres(to: start)
            start = point
            if metres >= reachMetres { break }
        }
        return bearing(start, last)
    }

    static func departing(_ line: some BidirectionalCollection<GeoPoint>) -> Double {
        (arriving(line.reversed()) + 180).truncatingRemainder(dividingBy: 360)
    }
}

struct PointGrid {
    /// Height and width of a cell, degrees.
    private let height, width: Double
    private var cells: [Int64: [Int32]] = [:]

    init(height: Double, width: Double) {
        self.height = height
        self.width = width
    }

    private func cell(_ point: GeoPoint, north: Int = 0, east: Int = 0) -> Int64 {
        let row = Int((point.latitude + 90) / height) + north
        let column = Int((point.longitude + 180) / width) + east
        return Int64(row) << 32 | Int64(column)
    }

    mutating func insert(_ index: Int32, at point: GeoPoint) {
        cells[cell(point), default: []].append(index)
    }

    /// The points in the cell of a point and in those around it, up to `reach` cells away.
    func near(_ point: GeoPoint, reach: Int = 1) -> [Int32] {
        (-reach...reach).flatMap { north in
            (-reach...reach).flatMap { east in cells[cell(point, north: north, east: east)] ?? [] }
        }
    }
}
