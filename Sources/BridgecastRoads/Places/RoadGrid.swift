internal import BridgecastCore
private import Foundation

/// Arcs by the cells of a grid that they may pass, one arc of each pair of twins.
struct RoadGrid: Sendable {
    /// A point of an arc near another point.
    struct Hit: Sendable {
        var arc: Int
        /// Position on the arc as a share of its length, 0...1.
        var share: Double
        /// Its distance.
        var metres: Double
        /// Its distance plus the penalty, metres.
        var cost: Double
        /// Whether the other point is to the right of the arc, looking along it.
        var isOnRight: Bool
        var point: GeoPoint
    }

    private let box: Box
    private let columns, rows: Int
    /// Width and height of a cell, 1e-7 degrees.
    private let width, height: Int
    /// The shorter side of a cell.
    private let cellMetres: Double
    /// Arcs of cell c: entries[first[c] ..< first[c + 1]].
    private let first: [UInt32]
    private let entries: [UInt32]
    /// Arcs that would fill too many cells; every search looks at them.
    private let long: [UInt32]

    private static let defaultCellMetres = 200.0
    private static let maxCells = 65_536.0
    private static let maxCellsOfArc = 1_024
    private static let metresPerUnit = Earth.metresPerDegree / 1e7

    /// O(points of the map).
    init(_ map: RoadMap) {
        let box = Box(of: map)
        self.box = box
        let cosine = Self.cosine(Double(box.south + box.north) / 2)
        let metresEast = Double(box.east - box.west) * Self.metresPerUnit * cosine
        let metresNorth = Double(box.north - box.south) * Self.metresPerUnit
        cellMetres = max(
            Self.defaultCellMetres, (metresEast * metresNorth / Self.maxCells).squareRoot(),
            max(metresEast, metresNorth) / 1_000)
        height = Int((cellMetres / Self.metresPerUnit).rounded(.up))
        width = Int((cellMetres / Self.metresPerUnit / cosine).rounded(.up))
        columns = (box.east - box.west) / width + 1
        rows = (box.north - box.south) / height + 1
        var long: [UInt32] = []
        var placed: [Placement] = []
        placed.reserveCapacity(map.arcs.count / 2 + 1)
        for (number, arc) in map.arcs.enumerated()
        where arc.twin == RoadArc.noTwin || Int(arc.twin) > number {
            let around = Box(of: arc, on: map)
            let placement = Placement(
                arc: UInt32(number), left: Int32((around.west - box.west) / width),
                right: Int32((around.east - box.west) / width),
                low: Int32((around.south - box.south) / height),
                high: Int32((around.north - box.south) / height))
            if placement.cellCount <= Self.maxCellsOfArc {
                placed.append(placement)
            } else {
                long.append(UInt32(number))
            }
        }
        self.long = long
        var first = [UInt32](repeating: 0, count: columns * rows + 1)
        for arc in placed { arc.forEachCell(columns: columns) { first[$0 + 1] += 1 } }
        for cell in 0..<columns * rows { first[cell + 1] += first[cell] }
        var entries = [UInt32](repeating: 0, count: Int(first[columns * rows]))
        var next = first
        for arc in placed {
            arc.forEachCell(columns: columns) { cell in
                entries[Int(next[cell])] = arc.arc
                next[cell] += 1
            }
        }
        self.first = first
        self.entries = entries
    }

    /// The cells of an arc's bounding box.
    private struct Placement {
        let arc: UInt32
        let left, right, low, high: Int32

        var cellCount: Int { Int(right - left + 1) * Int(high - low + 1) }

        func forEachCell(columns: Int, _ body: (Int) -> Void) {
            for row in Int(low)...Int(high) {
                for column in Int(left)...Int(right) { body(row * columns + column) }
            }
        }
    }

    /// Whether a point is in the map's area or within half a degree of it.
    func isNear(_ point: GeoPoint) -> Bool {
        let margin = 5e6
        return (Double(box.south) - margin...Double(box.north) + margin).contains(
            point.latitude * 1e7)
            && (Double(box.west) - margin...Double(box.east) + margin).contains(
                point.longitude * 1e7)
    }

    /// The nearest wanted arc.
    ///
    /// - Parameters:
    ///   - metres: Arcs farther away are ignored.
    ///   - penalty: Metres to add to an arc's distance, not negative; nil if it is not wanted. Called for one arc of each
    ///     pair of twins.
    func nearest(
        to point: GeoPoint, on map: RoadMap, within metres: Double, penalty: (Int) -> Double?
    ) -> Hit? {
        let here = RoadPoint(point)
        let scales = (
            x: Self.metresPerUnit * Self.cosine(Double(here.latitudeE7)), y: Self.metresPerUnit
        )
        let (column, row) = cell(of: here)
        var best: Hit?
        func look(at arc: Int) {
            guard let penalty = penalty(arc) else { return }
            let limit = min(best?.cost ?? .infinity, metres + penalty) - penalty
            guard
                let hit = Self.project(
                    here, on: arc, of: map, scales: scales, nearerThan: limit, penalty: penalty)
            else { return }
            best = hit
        }
        for arc in long { look(at: Int(arc)) }
        var ring = 0
        while true {
            let low = max(0, row - ring)
            let high = min(rows - 1, row + ring)
            let left = max(0, column - ring)
            let right = min(columns - 1, column + ring)
            for y in low..<max(low, high + 1) {
                for x in left..<max(left, right + 1)
                where max(abs(y - row), abs(x - column)) == ring {
                    let cell = y * columns + x
                    for entry in first[cell]..<first[cell + 1] {
                        look(at: Int(entries[Int(entry)]))
                    }
                }
            }
            // All arcs nearer than this have been seen.
            let seen = Double(ring) * cellMetres * 0.98
            if seen >= metres || seen >= best?.cost ?? .infinity { return best }
            ring += 1
        }
    }

    /// All wanted arcs within a distance, the nearest first; parameters as for the nearest.
    func all(
        near point: GeoPoint, on map: RoadMap, within metres: Double, penalty: (Int) -> Double?
    ) -> [Hit] {
        let here = RoadPoint(point)
        let scales = (
            x: Self.metresPerUnit * Self.cosine(Double(here.latitudeE7)), y: Self.metresPerUnit
        )
        let (column, row) = cell(of: here)
        let reach = Int((metres / cellMetres / 0.98).rounded(.up))
        var near = Set(long)
        let low = max(0, row - reach)
        let high = min(rows - 1, row + reach)
        let left = max(0, column - reach)
        let right = min(columns - 1, column + reach)
        for y in low..<max(low, high + 1) {
            for x in left..<max(left, right + 1) {
                let cell = y * columns + x
                near.formUnion(entries[Int(first[cell])..<Int(first[cell + 1])])
            }
        }
        return near.compactMap { arc in
            penalty(Int(arc)).flatMap {
                Self.project(
                    here, on: Int(arc), of: map, scales: scales, nearerThan: metres - $0,
                    penalty: $0)
            }
        }.sorted { ($0.cost, $0.arc) < ($1.cost, $1.arc) }
    }

    /// The cell of a point, which may be outside of the grid.
    private func cell(of point: RoadPoint) -> (column: Int, row: Int) {
        let x = Int(point.longitudeE7) - box.west
        let y = Int(point.latitudeE7) - box.south
        return (
            Int((Double(x) / Double(width)).rounded(.down)),
            Int((Double(y) / Double(height)).rounded(.down))
        )
    }

    private static func cosine(_ latitudeE7: Double) -> Double {
        max(0.01, cos(latitudeE7 / 1e7 * .pi / 180))
    }

    /// A bounding box, 1e-7 degrees.
    private struct Box {
        var west = Int.max, south = Int.max, east = Int.min, north = Int.min

        init(of map: RoadMap) {
            for node in map.nodes { include(node) }
            for point in map.shapes { include(point) }
            if map.nodes.isEmpty { self = Box(west: 0, south: 0, east: 0, north: 0) }
        }

        init(of arc: RoadArc, on map: RoadMap) {
            include(map.nodes[Int(arc.tail)])
            include(map.nodes[Int(arc.head)])
            for index in Int(arc.shape)..<Int(arc.shape) + Int(arc.shapeCount) {
                include(map.shapes[index])
            }
        }

        private init(west: Int, south: Int, east: Int, north: Int) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }

        mutating func include(_ point: RoadPoint) {
            west = min(west, Int(point.longitudeE7))
            east = max(east, Int(point.longitudeE7))
            south = min(south, Int(point.latitudeE7))
            north = max(north, Int(point.latitudeE7))
        }
    }

    /// The nearest point of an arc, if nearer than a limit; `scales`: metres in 1e-7 degrees.
    private static func project(
        _ here: RoadPoint, on number: Int, of map: RoadMap, scales: (x: Double, y: Double),
        nearerThan limit: Double, penalty: Double
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
        var start = PlanePoint(x: east(tail), y: north(tail))
        var travelled = 0.0
        var best = (square: limit * limit, along: -1.0, x: 0.0, y: 0.0, side: 0.0)
        for step in 0...count {
            let end =
                step == count
                ? map.nodes[Int(arc.head)]
                : map.shapes[Int(arc.shape) + (isReversed ? count - 1 - step : step)]
            let next = PlanePoint(x: east(end), y: north(end))
            let near = PlanePoint(x: 0, y: 0).nearest(onSegmentFrom: start, to: next)
            let metres = start.metres(to: next)
            if near.squareMetres < best.square {
                // Seen from the road the point is at (-near.x, -near.y): to the right if the turn there is clockwise.
                let side = (next.x - start.x) * near.y - (next.y - start.y) * near.x
                best = (near.squareMetres, travelled + near.share * metres, near.x, near.y, side)
            }
            travelled += metres
            start = next
        }
        guard best.along >= 0 else { return nil }
        let metres = best.square.squareRoot()
        return Hit(
            arc: number, share: travelled > 0 ? min(1, best.along / travelled) : 0, metres: metres,
            cost: metres + penalty, isOnRight: best.side > 0,
            point: GeoPoint(
                latitude: (Double(here.latitudeE7) + best.y / scales.y) / 1e7,
                longitude: (Double(here.longitudeE7) + best.x / scales.x) / 1e7))
    }
}
