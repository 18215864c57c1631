// Where vehicles drive: shapes.txt in columns.
public import BridgecastCore

/// shapes.txt in columns, a shape's points together and in order.
public struct ShapeTable: Sendable {
    package var ids = IdentifierTable()
    /// By shape, where its points begin; one more than there are shapes.
    package var starts: [UInt32] = [0]
    /// Ten-millionths of a degree, 11 mm at most.
    package var latitudes: [Int32] = []
    package var longitudes: [Int32] = []
    /// shape_dist_traveled in the feed's own unit; NaN where it gives none.
    ///
    /// Empty if it nowhere does.
    package var distances: [Float] = []

    package init() {}

    package var count: Int { ids.count }

    /// The places of a shape's points in the columns.
    package func rows(of shape: ShapeIndex) -> Range<Int> {
        Int(starts[shape.position])..<Int(starts[shape.position + 1])
    }

    /// The points of a shape.
    package func points(of shape: ShapeIndex) -> [GeoPoint] {
        rows(of: shape).map {
            GeoPoint(
                latitude: Double(latitudes[$0]) / Self.unitsPerDegree,
                longitude: Double(longitudes[$0]) / Self.unitsPerDegree)
        }
    }

    package static let unitsPerDegree = 1e7
}

extension TransitFeed {
    /// The points of a shape, in order.
    public func points(of shape: ShapeIndex) -> [GeoPoint] { shapes.points(of: shape) }
}
