// The patterns of a line: its trips by direction, path and stops, with where stops lie along each.
public import BridgecastCore
private import Synchronization

/// Trips of a line with the same direction, path and stops.
public struct RoutePattern: Sendable, Identifiable {
    /// Its index in ``RoutePatterns/all``.
    public let number: Int
    /// Its number.
    public var id: Int { number }
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
}

/// The patterns of a line, ordered by direction, those with the most trips first.
public final class RoutePatterns: Sendable {
    /// By number.
    public let all: [RoutePattern]
    private let numbers: [TripIndex: Int]

    fileprivate init(all: [RoutePattern], numbers: [TripIndex: Int]) {
        self.all = all
        self.numbers = numbers
    }

    /// The pattern of a trip of the line; nil for trips of other lines.
    public func pattern(of trip: TripIndex) -> RoutePattern? { numbers[trip].map { all[$0] } }
}

extension TransitFeed {
    /// The patterns of a line.
    ///
    /// Cached: O(1) then; at first O(trips of the feed + stop times of the line).
    public func patterns(of route: RouteIndex) -> RoutePatterns {
        routePatterns.patterns(of: route, in: self)
    }
}

/// The patterns of a feed's lines that were asked for.
package final class RoutePatternCache: Sendable {
    private let known = Mutex<[RouteIndex: RoutePatterns]>([:])

    package init() {}

    fileprivate func patterns(of route: RouteIndex, in feed: TransitFeed) -> RoutePatterns {
        if let found = known.withLock({ $0[route] }) { return found }
        let made = PatternGrouping(of: route, in: feed).patterns
        return known.withLock { known in
            // Of two that were made at the same time, the first is used by all.
            let shared = known[route] ?? made
            known[route] = shared
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
        for row in 0..<feed.trips.count where feed.trips.routes[row] == route.number {
            let trip = TripIndex(row)
            let key = Key(
                direction: feed.trips.directions[row], shape: feed.trips.shapes[row],
                stops: Array(feed.stopTimes.stops[feed.stopTimes.rows(of: trip)]))
            trips[key, default: []].append(trip)
        }
    }

    var patterns: RoutePatterns {
        let ordered = trips.sorted { first, second in
            let directions = (Self.order(first.key), Self.order(second.key))
            if directions.0 != directions.1 { return directions.0 < directions.1 }
            if first.value.count != second.value.count {
                return first.value.count > second.value.count
            }
            return first.value[0] < second.value[0]
        }
        var all: [RoutePattern] = []
        var numbers: [TripIndex: Int] = [:]
        for (key, trips) in ordered {
            for trip in trips { numbers[trip] = all.count }
            let direction = key.direction < 0 ? nil : Int(key.direction)
            all.append(
                RoutePattern(
                    number: all.count, direction: direction, trip: trips[0], trips: trips.count,
                    isMain: all.last.map { $0.direction != direction } ?? true,
                    stops: key.stops.compactMap { StopIndex(stored: $0) }))
        }
        return RoutePatterns(all: all, numbers: numbers)
    }

    /// Trips without a direction are last.
    private static func order(_ key: Key) -> Int { key.direction < 0 ? .max : Int(key.direction) }
}
