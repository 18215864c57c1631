// A k-d tree of points on a sphere; StationFinder asks it.
internal import BridgecastCore
private import Foundation

/// Points on the unit sphere, found by their distance through it (chords), which grows with the distance along it.
struct PointTree: Sendable {
    /// A point with the row that it was given at.
    private struct Node: Sendable {
        var point: SIMD3<Double>
        var row: Int32
        /// 0, 1 or 2: the coordinate that divides what is before it from what is behind it.
        var axis: Int32
    }

    /// The middle of every stretch divides it; below ``leafCount`` points a stretch is looked through.
    private var nodes: [Node]
    private static let leafCount = 8
    /// The most that ``distance(ofNearest:to:within:)`` counts to.
    static let mostNearest = 64
    private static let earthRadius = 6_371_009.0

    /// Builds the tree.
    ///
    /// - Complexity: O(n log² n).
    init(_ points: [SIMD3<Double>]) {
        nodes = points.enumerated().map {
            Node(point: $0.element, row: Int32($0.offset), axis: 0)
        }
        divide(0..<nodes.count)
    }

    var count: Int { nodes.count }

    /// A place as a point on the unit sphere.
    static func onSphere(_ point: GeoPoint) -> SIMD3<Double> {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return SIMD3(
            cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// The square of the chord of so many metres along the earth; half the way round is as far as anything is.
    static func squaredChord(ofMetres metres: Double) -> Double {
        let half = sin(min(metres / (2 * earthRadius), .pi / 2))
        return 4 * half * half
    }

    /// The metres along the earth of a chord's square.
    static func metres(ofSquaredChord square: Double) -> Double {
        2 * earthRadius * asin(min(1, square.squareRoot() / 2))
    }

    /// The square of the distance of the n-th nearest point; nil if there are fewer so near.
    ///
    /// - Parameter number: 1...``mostNearest``.
    func distance(
        ofNearest number: Int, to centre: SIMD3<Double>, within furthest: Double
    ) -> Double? {
        var best = [Double](repeating: furthest.nextUp, count: number)
        narrow(0..<nodes.count, centre, &best)
        return best[number - 1] <= furthest ? best[number - 1] : nil
    }

    /// The rows of all points whose distance's square is no greater, in no order.
    func within(_ square: Double, of centre: SIMD3<Double>) -> [Int] {
        var rows: [Int] = []
        collect(0..<nodes.count, centre, square, &rows)
        return rows
    }

    private mutating func divide(_ range: Range<Int>) {
        guard range.count > Self.leafCount else { return }
        var (low, high) = (nodes[range.lowerBound].point, nodes[range.lowerBound].point)
        for index in range {
            low = pointwiseMin(low, nodes[index].point)
            high = pointwiseMax(high, nodes[index].point)
        }
        let size = high - low
        let axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2)
        nodes[range].sort { ($0.point[axis], $0.row) < ($1.point[axis], $1.row) }
        let middle = range.lowerBound + range.count / 2
        nodes[middle].axis = Int32(axis)
        divide(range.lowerBound..<middle)
        divide(middle + 1..<range.upperBound)
    }

    private func narrow(
        _ range: Range<Int>, _ centre: SIMD3<Double>, _ best: inout [Double]
    ) {
        guard range.count > Self.leafCount else {
            for index in range { Self.insert(squared(index, centre), &best) }
            return
        }
        let middle = range.lowerBound + range.count / 2
        Self.insert(squared(middle, centre), &best)
        let beyond = self.beyond(middle, centre)
        let (before, behind) = (range.lowerBound..<middle, middle + 1..<range.upperBound)
        narrow(beyond < 0 ? before : behind, centre, &best)
        if beyond * beyond <= best[best.count - 1] {
            narrow(beyond < 0 ? behind : before, centre, &best)
        }
    }

    private func collect(
        _ range: Range<Int>, _ centre: SIMD3<Double>, _ square: Double, _ rows: inout [Int]
    ) {
        guard range.count > Self.leafCount else {
            for index in range where squared(index, centre) <= square {
                rows.append(Int(nodes[index].row))
            }
            return
        }
        let middle = range.lowerBound + range.count / 2
        if squared(middle, centre) <= square { rows.append(Int(nodes[middle].row)) }
        let beyond = self.beyond(middle, centre)
        let reaches = beyond * beyond <= square
        if beyond < 0 || reaches { collect(range.lowerBound..<middle, centre, square, &rows) }
        if beyond >= 0 || reaches { collect(middle + 1..<range.upperBound, centre, square, &rows) }
    }

    @inline(__always)
    private func squared(_ index: Int, _ centre: SIMD3<Double>) -> Double {
        let way = nodes[index].point - centre
        return (way * way).sum()
    }

    /// How far the centre lies behind the plane that divides a stretch; negative if before it.
    @inline(__always)
    private func beyond(_ middle: Int, _ centre: SIMD3<Double>) -> Double {
        let axis = Int(nodes[middle].axis)
        return centre[axis] - nodes[middle].point[axis]
    }

    /// Puts a distance in its place among the best, the last of which falls out.
    private static func insert(_ square: Double, _ best: inout [Double]) {
        guard square < best[best.count - 1] else { return }
        var place = best.count - 1
        while place > 0, best[place - 1] > square {
            best[place] = best[place - 1]
            place -= 1
        }
        best[place] = square
    }
}
