public import BridgecastCore

/// The drawbridges that the shapes of a feed cross, and where; found once for a feed.
public struct BridgeCrossings: Sendable {
    /// A drawbridge on a shape.
    public struct Crossing: Sendable, Hashable {
        /// The bridge.
        public let bridge: BridgeIndex
        /// Metres along the shape to the middle of the deck.
        public let metres: Double
    }

    /// Only shapes that cross a bridge, few of many.
    private let byShape: [ShapeIndex: [Crossing]]
    /// By bridge, the routes over it in the order of the feed.
    private let routesByBridge: [[RouteIndex]]

    /// Finds the crossings of the shapes of vehicles on roads; O(points + trips).
    public init(of feed: TransitFeed) {
        let isOnRoads = feed.routes.kinds.map { TransitKind(rawValue: $0)?.isOnRoads ?? false }
        var isOnRoad = [Bool](repeating: false, count: feed.shapes.count)
        for (route, shape) in zip(feed.trips.routes, feed.trips.shapes) where shape >= 0 {
            if isOnRoads[Int(route)] { isOnRoad[Int(shape)] = true }
        }
        var found: [ShapeIndex: [Crossing]] = [:]
        for row in isOnRoad.indices where isOnRoad[row] {
            let crossings = feed.shapes.crossings(of: ShapeIndex(row))
            if !crossings.isEmpty { found[ShapeIndex(row)] = crossings }
        }
        byShape = found
        routesByBridge = Self.routes(of: feed, isOnRoads: isOnRoads, crossings: found)
    }

    private static func routes(
        of feed: TransitFeed, isOnRoads: [Bool], crossings: [ShapeIndex: [Crossing]]
    ) -> [[RouteIndex]] {
        var found = [Set<RouteIndex>](repeating: [], count: BridgeCatalogue.count)
        guard !crossings.isEmpty else { return found.map { _ in [] } }
        for (route, shape) in zip(feed.trips.routes, feed.trips.shapes) where isOnRoads[Int(route)]
        {
            guard let shape = ShapeIndex(stored: shape), let crossed = crossings[shape] else {
                continue
            }
            for crossing in crossed {
                found[crossing.bridge.rawValue].insert(RouteIndex(Int(route)))
            }
        }
        return found.map { $0.sorted() }
    }

    /// The crossings of a trip in order; empty if it crosses none, does not run on roads or has no shape.
    ///
    /// A crossing may be before the trip's first stop or after its last, if the shape extends there.
    public func of(_ trip: TripIndex, in feed: TransitFeed) -> [Crossing] {
        guard !byShape.isEmpty, let shape = ShapeIndex(stored: feed.trips.shapes[trip.position]),
            let crossings = byShape[shape]
        else { return [] }
        let kind = TransitKind(rawValue: feed.routes.kinds[Int(feed.trips.routes[trip.position])])
        return kind?.isOnRoads == true ? crossings : []
    }

    /// The routes that cross a bridge, in the order of the feed.
    public func routes(over bridge: BridgeIndex) -> [RouteIndex] { routesByBridge[bridge.rawValue] }

    /// Whether no shape crosses any bridge.
    public var isEmpty: Bool { byShape.isEmpty }
}

// MARK: - Crossings of a shape

extension ShapeTable {
    /// The drawbridges that a shape crosses, in order; O(points).
    ///
    /// A piece longer than two kilometres is a straight line between stops, not a road over a bridge, and is ignored.
    package func crossings(of shape: ShapeIndex) -> [BridgeCrossings.Crossing] {
        let rows = rows(of: shape)
        var found: [(position: Double, bridge: BridgeIndex)] = []
        var row = rows.lowerBound
        while let stretch = nextStretch(from: row, before: rows.upperBound) {
            row = stretch.upperBound
            for crossing in BridgeDeck.crossings(of: stretch.map(point)) {
                guard let bridge = crossing.deck.bridge else { continue }
                let first = stretch.lowerBound - rows.lowerBound
                found.append((Double(first) + crossing.position, bridge))
            }
        }
        guard !found.isEmpty, let line = ShapeLine(points(of: shape)) else { return [] }
        return found.map {
            BridgeCrossings.Crossing(
                bridge: $0.bridge, metres: line.metres(atPosition: $0.position))
        }
    }

    /// The next rows, at least two, whose pieces all may touch a bridge.
    private func nextStretch(from start: Int, before end: Int) -> Range<Int>? {
        guard var row = (start..<max(start, end - 1)).first(where: isPieceNearBridge) else {
            return nil
        }
        let first = row
        while row < end - 1, isPieceNearBridge(row) { row += 1 }
        return first..<row + 1
    }

    /// Whether the piece from a point to the next one may touch a bridge.
    @inline(__always) private func isPieceNearBridge(_ row: Int) -> Bool {
        let (south, north) = ordered(latitudes[row], latitudes[row + 1])
        let (west, east) = ordered(longitudes[row], longitudes[row + 1])
        guard BridgeBox.all.meets(south: south, north: north, west: west, east: east),
            Int64(north) - Int64(south) < 180_000, Int64(east) - Int64(west) < 270_000
        else { return false }
        return BridgeBox.each.contains {
            $0.meets(south: south, north: north, west: west, east: east)
        }
    }

    @inline(__always) private func ordered(_ a: Int32, _ b: Int32) -> (Int32, Int32) {
        a < b ? (a, b) : (b, a)
    }
}

/// The surroundings of a drawbridge in the units of ``ShapeTable``, so that other stretches of a shape are skipped.
private struct BridgeBox {
    let south, north, west, east: Int32

    /// Half a kilometre and more around a point.
    private init(_ point: GeoPoint) {
        let latitude = Self.units(point.latitude)
        let longitude = Self.units(point.longitude)
        south = latitude - 54_000
        north = latitude + 54_000
        west = longitude - 80_000
        east = longitude + 80_000
    }

    private init(_ boxes: [BridgeBox]) {
        south = boxes.map(\.south).min() ?? 0
        north = boxes.map(\.north).max() ?? 0
        west = boxes.map(\.west).min() ?? 0
        east = boxes.map(\.east).max() ?? 0
    }

    static let each = BridgeCatalogue.seattle.map { BridgeBox($0.point) }
    static let all = BridgeBox(each)

    @inline(__always) func meets(south: Int32, north: Int32, west: Int32, east: Int32) -> Bool {
        north >= self.south && south <= self.north && east >= self.west && west <= self.east
    }

    private static func units(_ degrees: Double) -> Int32 {
        Int32((degrees * ShapeTable.unitsPerDegree).rounded())
    }
}
