// The drawbridges that a shape crosses: only its stretches near one are looked at closely.
internal import BridgecastCore

extension ShapeTable {
    /// The drawbridges that a shape crosses, in its order, with metres along it; O(points).
    ///
    /// A piece between two points that is longer than two kilometres is no road over a bridge but a straight line between
    /// stops, and crosses none.
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

    /// The rows of the next points, two or more, whose pieces all may touch a bridge.
    private func nextStretch(from start: Int, before end: Int) -> Range<Int>? {
        guard var row = (start..<max(start, end - 1)).first(where: isPieceNearBridge) else {
            return nil
        }
        let first = row
        while row < end - 1, isPieceNearBridge(row) { row += 1 }
        return first..<row + 1
    }

    /// Whether the piece from a point to the next one may touch a bridge.
    @inline(__always)
    private func isPieceNearBridge(_ row: Int) -> Bool {
        let (south, north) = ordered(latitudes[row], latitudes[row + 1])
        let (west, east) = ordered(longitudes[row], longitudes[row + 1])
        guard NearBridges.all.meets(south, north, west, east),
            Int64(north) - Int64(south) < 180_000,
            Int64(east) - Int64(west) < 270_000
        else { return false }
        return NearBridges.each.contains { $0.meets(south, north, west, east) }
    }

    @inline(__always)
    private func ordered(_ a: Int32, _ b: Int32) -> (Int32, Int32) { a < b ? (a, b) : (b, a) }

    private func point(_ row: Int) -> GeoPoint {
        GeoPoint(
            latitude: Double(latitudes[row]) / Self.unitsPerDegree,
            longitude: Double(longitudes[row]) / Self.unitsPerDegree)
    }
}

/// The surroundings of the drawbridges in the units of ``ShapeTable``: more than what tells whether a line crosses one.
private struct NearBridges {
    let south, north, west, east: Int32

    /// Half a kilometre and more around a point.
    private init(_ point: GeoPoint) {
        let (latitude, longitude) = (Self.units(point.latitude), Self.units(point.longitude))
        (south, north) = (latitude - 54_000, latitude + 54_000)
        (west, east) = (longitude - 80_000, longitude + 80_000)
    }

    private init(_ boxes: [NearBridges]) {
        south = boxes.map(\.south).min() ?? 0
        north = boxes.map(\.north).max() ?? 0
        west = boxes.map(\.west).min() ?? 0
        east = boxes.map(\.east).max() ?? 0
    }

    static let each = BridgeCatalogue.seattle.map { NearBridges($0.point) }
    /// The box around all.
    static let all = NearBridges(each)

    @inline(__always)
    func meets(_ south: Int32, _ north: Int32, _ west: Int32, _ east: Int32) -> Bool {
        north >= self.south && south <= self.north && east >= self.west && west <= self.east
    }

    private static func units(_ degrees: Double) -> Int32 {
        Int32((degrees * ShapeTable.unitsPerDegree).rounded())
    }
}
