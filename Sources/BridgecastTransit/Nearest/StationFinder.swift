// The stations nearest to somewhere.
// Belongs here: where one is and which station is near; not: what leaves there (Departures).
public import BridgecastCore
private import Foundation

/// Finds stations and stops by place; made once for a feed.
///
/// Places are points on a sphere in a k-d tree, so poles and the date line are places like others.
public struct StationFinder: Sendable {
    /// A stop with its distance.
    public struct Found: Sendable, Hashable {
        /// The station, or a stop that belongs to none.
        public let stop: StopIndex
        /// Great-circle distance, metres.
        public let metres: Double
        package init(stop: StopIndex, metres: Double) { (self.stop, self.metres) = (stop, metres) }
    }

    /// How many stations and stops there are to find.
    public var count: Int { tree.count }
    private let tree: PointTree
    /// By place of the tree's points before it was made: the stops in order of their identifiers.
    private let stops: [StopIndex]
    private let points: [GeoPoint]

    /// Distances that differ by less are the same, metres.
    private static let sameMetres = 0.001

    /// Indexes a feed's stations and stops; those without a place or without a trip are left out.
    ///
    /// A station without a place of its own is where the first of its stops with a place is.
    /// - Complexity: O(n log n), a tenth of a second for 100,000.
    public init(_ feed: TransitFeed) {
        var places: [Int32: GeoPoint] = [:]
        var ofStops: [Int32: GeoPoint] = [:]
        for row in 0..<feed.stops.count where feed.calls.starts[row] < feed.calls.starts[row + 1] {
            let root = feed.station(of: StopIndex(row))
            if let point = feed.stops.point(root) {
                places[root.number] = point
            } else if let point = feed.stops.point(StopIndex(row)), ofStops[root.number] == nil {
                ofStops[root.number] = point
            }
        }
        places.merge(ofStops) { own, _ in own }
        let named = places.keys.map { (id: feed.stops.ids[Int($0)], row: $0) }
            .sorted { ($0.id, $0.row) < ($1.id, $1.row) }
        stops = named.map { StopIndex(Int($0.row)) }
        let points = named.map { places[$0.row] ?? GeoPoint(latitude: 0, longitude: 0) }
        self.points = points
        tree = PointTree(points.map { PointTree.onSphere($0) })
    }

    /// The nearest ones, nearest first; of those that are equally near, to a millimetre, the first by identifier.
    ///
    /// - Parameters:
    ///   - point: Where; a point that is not on earth has nothing near it.
    ///   - limit: At most so many; 1 by default.
    ///   - withinMetres: Not further than that; 50 km by default.
    /// - Complexity: O(log n + limit²), about a microsecond for one of 100,000.
    public func nearest(
        to point: GeoPoint, limit: Int = 1, withinMetres: Double = 50_000
    ) -> [Found] {
        guard limit > 0, withinMetres >= 0, (-90...90).contains(point.latitude),
            (-180...180).contains(point.longitude)
        else { return [] }
        let centre = PointTree.onSphere(point)
        let furthest = PointTree.squaredChord(ofMetres: withinMetres + Self.sameMetres)
        // The distance of the last one first, then all that are no further: the equally near ones are among them.
        var reach = furthest
        if limit <= PointTree.mostNearest,
            let last = tree.distance(ofNearest: limit, to: centre, within: furthest)
        {
            let metres = PointTree.metres(ofSquaredChord: last)
            reach = min(reach, PointTree.squaredChord(ofMetres: metres + 2 * Self.sameMetres))
        }
        let found = tree.within(reach, of: centre).map { row in
            (row: row, metres: points[row].metres(to: point))
        }.filter { $0.metres <= withinMetres }
        let ordered = found.map {
            (row: $0.row, metres: $0.metres, step: ($0.metres / Self.sameMetres).rounded())
        }.sorted { ($0.step, $0.row) < ($1.step, $1.row) }
        return ordered.prefix(limit).map { Found(stop: stops[$0.row], metres: $0.metres) }
    }
}

extension TransitFeed {
    /// The station that a stop belongs to, or the stop itself.
    package func station(of stop: StopIndex) -> StopIndex {
        var stop = stop
        // A boarding area belongs to a platform, which belongs to a station: two steps.
        for _ in 0..<2 {
            guard let parent = StopIndex(stored: stops.parents[stop.position]) else { break }
            stop = parent
        }
        return stop
    }
}
