internal import BridgecastCore
private import Synchronization

/// The path of a trip with its stops in order along it.
public final class RunGeometry: Sendable {
    /// Its shape, or straight lines from stop to stop if the feed has no usable shape.
    public let line: ShapeLine
    /// Metres along the line of each stop; never decreasing.
    public let stopMetres: [Double]
    /// Whether the line is a shape of the feed.
    public let isShape: Bool

    package init(line: ShapeLine, stopMetres: [Double], isShape: Bool) {
        self.line = line
        self.stopMetres = stopMetres
        self.isShape = isShape
    }

    /// Index of the last stop at or before a distance along the line; nil before the first stop.
    ///
    /// O(log stops).
    public func lastStop(atMetres metres: Double) -> Int? {
        let after = stopMetres.partitioningIndex { $0 > metres }
        return after > 0 ? after - 1 : nil
    }
}

extension TransitFeed {
    /// The path of a trip; nil if it has neither a shape nor two stops at different locations.
    ///
    /// Cached, and shared by trips with the same shape and stops: O(1) then, O(points x stops) at first.
    public func geometry(of trip: TripIndex) -> RunGeometry? {
        geometries.geometry(of: trip, in: self)
    }
}

// MARK: - Cache

/// Caches the geometries of a feed's trips, which vehicles ask for every 30 seconds.
///
/// Trips with the same shape, stops and distances share one. Emptied when it exceeds ``maxNumbers``.
package final class GeometryCache: Sendable {
    /// Approximate size in numbers of 8 bytes: 64 MB.
    static let maxNumbers = 8_000_000

    private struct Entries {
        var byTrip: [Int32: RunGeometry?] = [:]
        var byPattern: [Pattern: RunGeometry?] = [:]
        var lines: [Int32: ShapeLine?] = [:]
        var numbers = 0
    }

    private struct Pattern: Hashable {
        let shape: Int32
        let stops: [Int32]
        /// Bit patterns, since NaN is not equal to itself.
        let distances: [UInt32]
    }

    private let entries = Mutex(Entries())

    package init() {}

    /// The path of a trip; nil if unknown.
    func geometry(of trip: TripIndex, in feed: TransitFeed) -> RunGeometry? {
        if let known = entries.withLock({ $0.byTrip[trip.number] }) { return known }
        let rows = feed.stopTimes.rows(of: trip)
        let hasDistances = !feed.stopTimes.distances.isEmpty && !feed.shapes.distances.isEmpty
        let pattern = Pattern(
            shape: feed.trips.shapes[trip.position], stops: Array(feed.stopTimes.stops[rows]),
            distances: hasDistances ? feed.stopTimes.distances[rows].map(\.bitPattern) : [])
        let found = entries.withLock { $0.byPattern[pattern] } ?? make(pattern, in: feed)
        return entries.withLock { entries in
            entries.numbers += 4
            if entries.byPattern[pattern] == nil { entries.numbers += 2 * pattern.stops.count + 8 }
            if entries.numbers > Self.maxNumbers { entries = Entries() }
            // Of two that were made at the same time, the first is used by all.
            let shared = entries.byPattern[pattern] ?? found
            entries.byPattern[pattern] = .some(shared)
            entries.byTrip[trip.number] = .some(shared)
            return shared
        }
    }

    private func make(_ pattern: Pattern, in feed: TransitFeed) -> RunGeometry? {
        let stops = pattern.stops.map { feed.stops.point(StopIndex(Int($0))) }
        guard !stops.isEmpty else { return nil }
        if let shape = ShapeIndex(stored: pattern.shape), let line = line(of: shape, in: feed) {
            let metres =
                Self.statedMetres(
                    on: line, of: shape, distances: pattern.distances, stops: stops, in: feed)
                ?? StopPlacing.metres(on: line, stops: stops)
            return RunGeometry(line: line, stopMetres: metres, isShape: true)
        }
        return Self.straight(stops)
    }

    private static func statedMetres(
        on line: ShapeLine, of shape: ShapeIndex, distances: [UInt32], stops: [GeoPoint?],
        in feed: TransitFeed
    ) -> [Double]? {
        guard !distances.isEmpty else { return nil }
        return StopPlacing.metres(
            on: line, pointDistances: feed.shapes.distances[feed.shapes.rows(of: shape)],
            stopDistances: distances.map { Float(bitPattern: $0) }[...], stops: stops)
    }

    private static func straight(_ stops: [GeoPoint?]) -> RunGeometry? {
        let placed = stops.indices.filter { stops[$0] != nil }
        guard let line = ShapeLine(placed.compactMap { stops[$0] }) else { return nil }
        let metres = StopPlacing.filled(Array(zip(placed, line.metres)), count: stops.count)
        return RunGeometry(line: line, stopMetres: metres, isShape: false)
    }

    /// The line of a shape; nil without two distinct points.
    private func line(of shape: ShapeIndex, in feed: TransitFeed) -> ShapeLine? {
        if let known = entries.withLock({ $0.lines[shape.number] }) { return known }
        let line = ShapeLine(feed.shapes.points(of: shape))
        entries.withLock {
            $0.lines[shape.number] = .some(line)
            $0.numbers += 4 * (line?.metres.count ?? 1)
        }
        return line
    }
}

// MARK: - Stops on a line

/// Places stops on lines: by the feed's own distances if they are sound, else by nearness in order.
enum StopPlacing {
    /// Distance between a stop and the position by the feed's distances beyond which these are rejected, metres.
    static let maxMetresFromDistance = 300.0
    /// Stops times points beyond which stops are placed one after the other, since the optimum takes memory.
    static let maxChoices = 16_000_000

    /// Metres along a line by the feed's own distances of stops and points, in its own unit; nil if they are missing,
    /// decreasing, beyond the line, or far from the stops.
    static func metres(
        on line: ShapeLine, pointDistances: ArraySlice<Float>, stopDistances: ArraySlice<Float>,
        stops: [GeoPoint?]
    ) -> [Double]? {
        guard pointDistances.count == line.metres.count, stopDistances.count == stops.count,
            let first = pointDistances.first, let last = pointDistances.last, last > first,
            isIncreasing(pointDistances), isIncreasing(stopDistances)
        else { return nil }
        // Decimals may be truncated, so the last stop can be a little beyond the last point.
        let slack = (last - first) / 1000
        var metres: [Double] = []
        for (distance, stop) in zip(stopDistances, stops) {
            guard distance >= first - slack, distance <= last + slack else { return nil }
            let after = min(
                max(
                    pointDistances.partitioningIndex { $0 > distance },
                    pointDistances.startIndex + 1), pointDistances.endIndex - 1)
            let low = pointDistances[after - 1]
            let high = pointDistances[after]
            let share = high > low ? min(1, max(0, (distance - low) / (high - low))) : 0
            let along = line.metres(
                atPosition: Double(after - 1 - pointDistances.startIndex) + Double(share))
            if let stop, stop.metres(to: line.point(atMetres: along)) > maxMetresFromDistance {
                return nil
            }
            metres.append(max(along, metres.last ?? 0))
        }
        return metres
    }

    private static func isIncreasing(_ distances: ArraySlice<Float>) -> Bool {
        guard var previous = distances.first, previous >= 0 else { return false }
        for distance in distances {
            // False for NaN, too.
            guard distance >= previous else { return false }
            previous = distance
        }
        return true
    }

    /// Metres along a line of stops in order, with the minimal sum of squared distances from the line.
    ///
    /// If a line passes a stop more than once, ties are broken by the straight distances between the stops. Stops without
    /// a location are interpolated.
    /// - Complexity: O(points x stops).
    static func metres(on line: ShapeLine, stops: [GeoPoint?]) -> [Double] {
        let placed = stops.indices.filter { stops[$0] != nil }
        let points = placed.compactMap { stops[$0] }
        let found =
            points.count * line.metres.count <= maxChoices
            ? optimal(on: line, points) : sequential(on: line, points)
        return filled(Array(zip(placed, found)), count: stops.count)
    }

    private static func optimal(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        let pieces = line.metres.count - 1
        let expected = expectedMetres(on: line, stops)
        var costs = [Double](repeating: 0, count: pieces)
        // By stop and piece, the piece of the previous stop on the cheapest path there.
        var origins: [[Int32]] = []
        for (order, stop) in stops.enumerated() {
            let view = PlaneAround(stop, middle: line.longitudes[0])
            var origin = [Int32](repeating: 0, count: pieces)
            var cheapest = 0
            var minCost = Double.infinity
            for piece in 0..<pieces {
                if costs[piece] < minCost {
                    minCost = costs[piece]
                    cheapest = piece
                }
                let (share, off) = view.nearest(on: line, piece)
                let along = line.metres(atPosition: Double(piece) + share)
                let deviation = along - expected[order]
                origin[piece] = Int32(order == 0 ? piece : cheapest)
                costs[piece] =
                    (order == 0 ? 0 : minCost) + off * off + deviation * deviation * deviationWeight
            }
            origins.append(origin)
        }
        return traced(on: line, stops, costs: costs, origins: origins)
    }

    /// The deviation from the straight-line estimate only breaks ties: a kilometre counts as much as three metres from
    /// the line.
    private static let deviationWeight = 1e-5

    /// Follows the cheapest path back from the last stop.
    private static func traced(
        on line: ShapeLine, _ stops: [GeoPoint], costs: [Double], origins: [[Int32]]
    ) -> [Double] {
        guard var piece = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return [] }
        var chosen = [Int](repeating: 0, count: stops.count)
        for order in stops.indices.reversed() {
            chosen[order] = piece
            piece = Int(origins[order][piece])
        }
        var metres: [Double] = []
        for (stop, piece) in zip(stops, chosen) {
            let share = PlaneAround(stop, middle: line.longitudes[0]).nearest(on: line, piece).share
            metres.append(max(line.metres(atPosition: Double(piece) + share), metres.last ?? 0))
        }
        return metres
    }

    /// Each stop at the nearest position not before the previous stop's.
    static func sequential(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        var reached = 0.0
        return stops.map { stop in
            reached = line.nearest(to: stop, within: reached...line.length).metres
            return reached
        }
    }

    /// Positions of stops in proportion to the straight distances between them.
    private static func expectedMetres(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        var sums = [0.0]
        for (before, after) in zip(stops, stops.dropFirst()) {
            sums.append(sums[sums.count - 1] + before.metres(to: after))
        }
        let total = sums[sums.count - 1]
        return sums.enumerated().map { order, sum in
            let share = total > 0 ? sum / total : Double(order) / Double(max(1, sums.count - 1))
            return share * line.length
        }
    }

    /// Interpolates the positions of all stops from those of some: evenly between them, constant at the ends.
    static func filled(_ known: [(order: Int, metres: Double)], count: Int) -> [Double] {
        guard let first = known.first, let last = known.last else {
            return [Double](repeating: 0, count: count)
        }
        var metres = [Double](repeating: first.metres, count: count)
        for (a, b) in zip(known, known.dropFirst()) {
            for order in a.order..<b.order {
                let share = Double(order - a.order) / Double(b.order - a.order)
                metres[order] = a.metres + share * (b.metres - a.metres)
            }
        }
        for order in last.order..<count { metres[order] = last.metres }
        return metres
    }
}
