// Which roads are near a point: a grid over the map; RoadNetwork makes one when it is first asked for coordinates.
internal import BridgecastCore
private import Foundation

/// Arcs by the squares of a grid that they may pass, one arc of each pair of twins.
struct RoadGrid: Sendable {
    /// A point of an arc near another point.
    struct Hit: Sendable {
        var arc: Int
        /// How much of the arc lies behind it, 0...1.
        var share: Double
        /// How far it is.
        var metres: Double
        /// Metres, and what was added to them.
        var cost: Double
        /// Whether the point lies to the right of who goes along the arc.
        var isOnRight: Bool
        /// On the arc.
        var point: GeoPoint
    }

    /// Corners of the map, 1e-7 degrees.
    private let west, south, east, north: Int
    private let columns, rows: Int
    /// How wide and high a square is, 1e-7 degrees.
    private let width, height: Int
    /// The shorter side of a square.
    private let cellMetres: Double
    /// Arcs of square c: entries[first[c] ..< first[c + 1]].
    private let first: [UInt32]
    private let entries: [UInt32]
    /// Arcs that would fill too many squares.
    private let long: [UInt32]

    private static let usualMetres = 200.0
    private static let mostSquares = 65_536.0
    private static let mostOfAnArc = 1_024
    static let metresPerUnit = Double.pi / 180 * 6_371_009 / 1e7

    /// O(points of the map).
    init(_ map: RoadMap) {
        var box = Box()
        for node in map.nodes { box.include(node) }
        for point in map.shapes { box.include(point) }
        if map.nodes.isEmpty { box = Box(around: RoadPoint(GeoPoint(latitude: 0, longitude: 0))) }
        (west, south, east, north) = (box.west, box.south, box.east, box.north)
        let cosine = Self.cosine(Double(box.south + box.north) / 2)
        let metresEast = Double(box.east - box.west) * Self.metresPerUnit * cosine
        let metresNorth = Double(box.north - box.south) * Self.metresPerUnit
        let metres = max(
            Self.usualMetres, (metresEast * metresNorth / Self.mostSquares).squareRoot(),
            max(metresEast, metresNorth) / 1_000)
        height = Int((metres / Self.metresPerUnit).rounded(.up))
        width = Int((metres / Self.metresPerUnit / cosine).rounded(.up))
        columns = (box.east - box.west) / width + 1
        rows = (box.north - box.south) / height + 1
        cellMetres = metres
        var long: [UInt32] = []
        var placed: [(arc: UInt32, left: Int32, right: Int32, low: Int32, high: Int32)] = []
        placed.reserveCapacity(map.arcs.count / 2 + 1)
        var first = [UInt32](repeating: 0, count: columns * rows + 1)
        for (number, arc) in map.arcs.enumerated()
        where arc.twin == RoadArc.noTwin || Int(arc.twin) > number {
            var box = Box(around: map.nodes[Int(arc.tail)])
            box.include(map.nodes[Int(arc.head)])
            for place in Int(arc.shape)..<Int(arc.shape) + Int(arc.shapeCount) {
                box.include(map.shapes[place])
            }
            let (left, right) = ((box.west - west) / width, (box.east - west) / width)
            let (low, high) = ((box.south - south) / height, (box.north - south) / height)
            guard (right - left + 1) * (high - low + 1) <= Self.mostOfAnArc else {
                long.append(UInt32(number))
                continue
            }
            placed.append((UInt32(number), Int32(left), Int32(right), Int32(low), Int32(high)))
            for row in low...high {
                for column in left...right { first[row * columns + column + 1] += 1 }
            }
        }
        for square in 0..<columns * rows { first[square + 1] += first[square] }
        var entries = [UInt32](repeating: 0, count: Int(first[columns * rows]))
        var next = first
        for arc in placed {
            for row in Int(arc.low)...Int(arc.high) {
                for column in Int(arc.left)...Int(arc.right) {
                    let square = row * columns + column
                    entries[Int(next[square])] = arc.arc
                    next[square] += 1
                }
            }
        }
        (self.first, self.entries, self.long) = (first, entries, long)
    }

    /// Whether a point lies in the map's area or half a degree around it.
    func isNear(_ point: GeoPoint) -> Bool {
        let margin = 5e6
        return (Double(south) - margin...Double(north) + margin).contains(point.latitude * 1e7)
            && (Double(west) - margin...Double(east) + margin).contains(point.longitude * 1e7)
    }

    /// The nearest arc of those that are wanted.
    ///
    /// - Parameters:
    ///   - metres: Arcs further away are not looked at.
    ///   - penalty: Metres to add to an arc's distance, not negative; nil if it is not wanted. It is asked for one arc
    ///     of each pair of twins.
    func nearest(
        to point: GeoPoint, on map: RoadMap, within metres: Double,
        penalty: (Int) -> Double?
    ) -> Hit? {
        let here = RoadPoint(point)
        let scales = (
            x: Self.metresPerUnit * Self.cosine(Double(here.latitudeE7)), y: Self.metresPerUnit
        )
        let (column, row) = square(of: here)
        var best: Hit?
        func look(at arc: Int) {
            guard let penalty = penalty(arc) else { return }
            let limit = min(best?.cost ?? .infinity, metres + penalty) - penalty
            guard
                let hit = Self.project(here, on: arc, of: map, scales, nearerThan: limit, penalty)
            else { return }
            best = hit
        }
        for arc in long { look(at: Int(arc)) }
        var ring = 0
        while true {
            let (low, high) = (max(0, row - ring), min(rows - 1, row + ring))
            let (left, right) = (max(0, column - ring), min(columns - 1, column + ring))
            for y in low..<max(low, high + 1) {
                for x in left..<max(left, right + 1)
                where max(abs(y - row), abs(x - column)) == ring {
                    let square = y * columns + x
                    for entry in first[square]..<first[square + 1] {
                        look(at: Int(entries[Int(entry)]))
                    }
                }
            }
            // All that is nearer than this has been seen.
            let seen = Double(ring) * cellMetres * 0.98
            if seen >= metres || seen >= best?.cost ?? .infinity { return best }
            ring += 1
        }
    }

    /// All arcs within a distance that are wanted, the nearest first; parameters as for the nearest.
    func all(
        near point: GeoPoint, on map: RoadMap, within metres: Double,
        penalty: (Int) -> Double?
    ) -> [Hit] {
        let here = RoadPoint(point)
        let scales = (
            x: Self.metresPerUnit * Self.cosine(Double(here.latitudeE7)), y: Self.metresPerUnit
        )
        let (column, row) = square(of: here)
        let reach = Int((metres / cellMetres / 0.98).rounded(.up))
        var near = Set(long)
        let (low, high) = (max(0, row - reach), min(rows - 1, row + reach))
        let (left, right) = (max(0, column - reach), min(columns - 1, column + reach))
        for y in low..<max(low, high + 1) {
            for x in left..<max(left, right + 1) {
                let square = y * columns + x
                near.formUnion(entries[Int(first[square])..<Int(first[square + 1])])
            }
        }
        return near.compactMap { arc in
            penalty(Int(arc)).flatMap {
                Self.project(
                    here, on: Int(arc), of: map, scales, nearerThan: metres - $0, $0)
            }
        }.sorted { ($0.cost, $0.arc) < ($1.cost, $1.arc) }
    }

    /// The square of a point, which may lie outside of the grid.
    private func square(of point: RoadPoint) -> (column: Int, row: Int) {
        let x = Int(point.longitudeE7) - west
        let y = Int(point.latitudeE7) - south
        return (
            Int((Double(x) / Double(width)).rounded(.down)),
            Int((Double(y) / Double(height)).rounded(.down))
        )
    }

    private static func cosine(_ latitudeE7: Double) -> Double {
        max(0.01, cos(latitudeE7 / 1e7 * .pi / 180))
    }

    /// Corners of what is included.
    private struct Box {
        var west = Int.max, south = Int.max, east = Int.min, north = Int.min

        init() {}
        init(around point: RoadPoint) { include(point) }

        mutating func include(_ point: RoadPoint) {
            let (x, y) = (Int(point.longitudeE7), Int(point.latitudeE7))
            (west, east) = (min(west, x), max(east, x))
            (south, north) = (min(south, y), max(north, y))
        }
    }
}
