// The ways of trips, found when first asked for and kept: vehicles ask for the same ones every 30 seconds.
internal import BridgecastCore
private import Synchronization

/// Keeps the geometries of a feed's trips.
///
/// Trips with the same shape, stops and distances share one. What it holds is bounded: beyond
/// ``mostNumbers`` it starts anew.
package final class GeometryCache: Sendable {
    /// Numbers of 8 bytes that are kept, about: 64 MB.
    static let mostNumbers = 8_000_000

    private struct Kept {
        var byTrip: [Int32: RunGeometry?] = [:]
        var byPattern: [Pattern: RunGeometry?] = [:]
        var lines: [Int32: ShapeLine?] = [:]
        var numbers = 0
    }

    /// What decides a geometry.
    private struct Pattern: Hashable {
        let shape: Int32
        let stops: [Int32]
        /// Bits, since what is not a number is not even the same as itself.
        let distances: [UInt32]
    }

    private let kept = Mutex(Kept())

    package init() {}

    /// The way of a trip; nil where nothing tells it.
    func geometry(of trip: TripIndex, in feed: TransitFeed) -> RunGeometry? {
        if let known = kept.withLock({ $0.byTrip[trip.number] }) { return known }
        let rows = feed.stopTimes.rows(of: trip)
        let hasDistances = !feed.stopTimes.distances.isEmpty && !feed.shapes.distances.isEmpty
        let pattern = Pattern(
            shape: feed.trips.shapes[trip.position], stops: Array(feed.stopTimes.stops[rows]),
            distances: hasDistances ? feed.stopTimes.distances[rows].map(\.bitPattern) : [])
        let found =
            kept.withLock { $0.byPattern[pattern] }
            ?? make(pattern, in: feed)
        return kept.withLock { kept in
            kept.numbers += 4
            if kept.byPattern[pattern] == nil {
                kept.numbers += 2 * pattern.stops.count + 8
            }
            if kept.numbers > Self.mostNumbers { kept = Kept() }
            // Of two that were made at the same time, all use the first.
            let shared = kept.byPattern[pattern] ?? found
            kept.byPattern[pattern] = .some(shared)
            kept.byTrip[trip.number] = .some(shared)
            return shared
        }
    }

    private func make(_ pattern: Pattern, in feed: TransitFeed) -> RunGeometry? {
        let stops = pattern.stops.map { feed.stops.point(StopIndex(Int($0))) }
        guard !stops.isEmpty else { return nil }
        if let shape = ShapeIndex(stored: pattern.shape), let line = line(of: shape, in: feed) {
            let metres =
                Self.metres(on: line, shape, pattern.distances, stops, in: feed)
                ?? StopPlacing.metres(on: line, stops: stops)
            return RunGeometry(line: line, stopMetres: metres, isShape: true)
        }
        return Self.straight(stops)
    }

    private static func metres(
        on line: ShapeLine, _ shape: ShapeIndex, _ distances: [UInt32], _ stops: [GeoPoint?],
        in feed: TransitFeed
    ) -> [Double]? {
        guard !distances.isEmpty else { return nil }
        return StopPlacing.metres(
            on: line, pointDistances: feed.shapes.distances[feed.shapes.rows(of: shape)],
            stopDistances: distances.map { Float(bitPattern: $0) }[...], stops: stops)
    }

    /// Straight from stop to stop.
    private static func straight(_ stops: [GeoPoint?]) -> RunGeometry? {
        let placed = stops.indices.filter { stops[$0] != nil }
        guard let line = ShapeLine(placed.compactMap { stops[$0] }) else { return nil }
        let metres = StopPlacing.filled(Array(zip(placed, line.metres)), count: stops.count)
        return RunGeometry(line: line, stopMetres: metres, isShape: false)
    }

    /// The line of a shape; nil if it has not two different points.
    private func line(of shape: ShapeIndex, in feed: TransitFeed) -> ShapeLine? {
        if let known = kept.withLock({ $0.lines[shape.number] }) { return known }
        let line = ShapeLine(feed.shapes.points(of: shape))
        kept.withLock {
            $0.lines[shape.number] = .some(line)
            $0.numbers += 4 * (line?.metres.count ?? 1)
        }
        return line
    }
}
