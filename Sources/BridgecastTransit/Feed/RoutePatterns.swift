// The patterns of a line: its trips by direction, path and stops, with where stops lie along each.
public import BridgecastCore
private import Synchronization

/// Trips of a line with the same direction, path and stops.
public struct RoutePattern: Sendable, Identifiable {
    /// A digest of its direction, path and stops, 0 or more: the same in another timetable that has them unchanged, so that
    /// what was drawn of one is not taken for another.
    public let id: Int
    /// 0 or 1; nil where the feed has none.
    public let direction: Int?
    /// One of its trips, the first in the feed; its path is ``TransitFeed/geometry(of:)``.
    public let trip: TripIndex
    /// How many trips it has, each counted once however many days it runs.
    public let trips: Int
    /// Whether no pattern of its direction has more trips.
    public let isMain: Bool
    /// Its stops in order.
    public let stops: [StopIndex]
    /// How many of its trips show each headsign, by its number; those without one are left out.
    package let headsigns: [Int32: Int]
}

/// The patterns of a line, ordered by direction, those with the most trips first.
public final class RoutePatterns: Sendable {
    /// Those without a direction last.
    public let all: [RoutePattern]
    private let indices: [TripIndex: Int]

    fileprivate init(all: [RoutePattern], indices: [TripIndex: Int]) {
        self.all = all
        self.indices = indices
    }

    /// The pattern of a trip of the line; nil for trips of other lines.
    public func pattern(of trip: TripIndex) -> RoutePattern? { indices[trip].map { all[$0] } }
}

extension TransitFeed {
    /// The patterns of a line.
    ///
    /// Cached: O(1) then; at first O(stop times of the line + points of its paths), and once O(trips of the feed).
    public func patterns(of route: RouteIndex) -> RoutePatterns {
        routePatterns.patterns(of: route, in: self)
    }

    /// The trips of each line and where they go, made once.
    var lineTrips: LineTrips { routePatterns.lineTrips(in: self) }
}

/// The trips of each line, and where they go.
final class LineTrips: Sendable {
    private let starts: [UInt32]
    private let rows: [UInt32]
    /// By line, the headsigns of its trips, each once.
    let destinations: [[String]]

    /// O(trips).
    fileprivate init(_ feed: TransitFeed) {
        let all = (0..<UInt32(feed.trips.count)).map { $0 }
        (rows, starts) = StopCalls.sorted(all, keys: feed.routes.count) {
            Int(feed.trips.routes[Int($0)])
        }
        var headsigns = [Set<Int32>](repeating: [], count: feed.routes.count)
        for (route, headsign) in zip(feed.trips.routes, feed.trips.headsigns) where headsign >= 0 {
            headsigns[Int(route)].insert(headsign)
        }
        destinations = headsigns.map { $0.sorted().map { feed.headsign($0) } }
    }

    /// The trips of a line in the order of the feed.
    func trips(of route: RouteIndex) -> some Sequence<TripIndex> {
        rows[Int(starts[route.position])..<Int(starts[route.position + 1])].lazy
            .map { TripIndex(Int($0)) }
    }
}

/// The patterns of a feed's lines that were asked for.
package final class RoutePatternCache: Sendable {
    private let known = Mutex<[RouteIndex: RoutePatterns]>([:])
    private let trips = Mutex<LineTrips?>(nil)

    package init() {}

    fileprivate func patterns(of route: RouteIndex, in feed: TransitFeed) -> RoutePatterns {
        if let found = known.withLock({ $0[route] }) { return found }
        let made = PatternGrouping(of: route, in: feed).patterns(in: feed)
        return known.withLock { known in
            // Of two that were made at the same time, the first is used by all.
            let shared = known[route] ?? made
            known[route] = shared
            return shared
        }
    }

    fileprivate func lineTrips(in feed: TransitFeed) -> LineTrips {
        if let found = trips.withLock({ $0 }) { return found }
        let made = LineTrips(feed)
        return trips.withLock { known in
            let shared = known ?? made
            known = shared
            return shared
        }
    }
}

/// Groups the trips of a line.
private struct PatternGrouping {
    private struct Key: Hashable {
        let direction: Int8
        let shape: Int32
        let stops: [Int32]
    }

    private var trips: [Key: [TripIndex]] = [:]

    init(of route: RouteIndex, in feed: TransitFeed) {
        for trip in feed.lineTrips.trips(of: route) {
            let key = Key(
                direction: feed.trips.directions[trip.position],
                shape: feed.trips.shapes[trip.position],
                stops: Array(feed.stopTimes.stops[feed.stopTimes.rows(of: trip)]))
            trips[key, default: []].append(trip)
        }
    }

    func patterns(in feed: TransitFeed) -> RoutePatterns {
        let ordered = trips.sorted { first, second in
            let directions = (Self.order(first.key), Self.order(second.key))
            if directions.0 != directions.1 { return directions.0 < directions.1 }
            if first.value.count != second.value.count {
                return first.value.count > second.value.count
            }
            return first.value[0] < second.value[0]
        }
        var all: [RoutePattern] = []
        var indices: [TripIndex: Int] = [:]
        var ids: Set<Int> = []
        for (key, trips) in ordered {
            for trip in trips { indices[trip] = all.count }
            let direction = key.direction < 0 ? nil : Int(key.direction)
            var id = Self.digest(of: key, in: feed)
            // Two paths of the same points; one may be drawn for the other.
            while !ids.insert(id).inserted { id += 1 }
            all.append(
                RoutePattern(
                    id: id, direction: direction, trip: trips[0], trips: trips.count,
                    isMain: all.last.map { $0.direction != direction } ?? true,
                    stops: key.stops.compactMap { StopIndex(stored: $0) },
                    headsigns: Self.headsigns(of: trips, in: feed)))
        }
        return RoutePatterns(all: all, indices: indices)
    }

    private static func headsigns(
        of trips: [TripIndex], in feed: TransitFeed
    ) -> [Int32: Int] {
        trips.reduce(into: [:]) { counts, trip in
            let headsign = feed.trips.headsigns[trip.position]
            if headsign >= 0 { counts[headsign, default: 0] += 1 }
        }
    }

    /// Trips without a direction are last.
    private static func order(_ key: Key) -> Int { key.direction < 0 ? .max : Int(key.direction) }

    /// A digest of a direction, the identifiers of stops and the points of a path, or where it has none those of the stops.
    private static func digest(of key: Key, in feed: TransitFeed) -> Int {
        var digest = PatternDigest()
        digest.add(UInt8(bitPattern: key.direction))
        for stop in key.stops {
            for byte in feed.stops.ids[Int(stop)].utf8 { digest.add(byte) }
            // No text of UTF-8 has it.
            digest.add(UInt8.max)
        }
        let shape = ShapeIndex(stored: key.shape).map { feed.shapes.rows(of: $0) } ?? 0..<0
        for row in shape {
            digest.add(feed.shapes.latitudes[row])
            digest.add(feed.shapes.longitudes[row])
        }
        guard shape.count < 2 else { return digest.value }
        for stop in key.stops {
            let point = feed.stops.point(StopIndex(Int(stop)))
            digest.add(Int32((point?.latitude ?? 91) * 1e7))
            digest.add(Int32((point?.longitude ?? 181) * 1e7))
        }
        return digest.value
    }
}

/// FNV-1a, of which 52 bits are used: readers of JSON keep them exactly.
private struct PatternDigest {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: Int { Int(hash >> 12) }

    mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    mutating func add(_ number: Int32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> Int32(shift)))
        }
    }
}
