// The stops of a route in their order, for each direction; of route documents, lists of stops and live widgets.
package import BridgecastTransit

/// The stops of a route.
package struct RouteStops: Sendable {
    /// A direction of a route.
    package struct Direction: Sendable {
        /// 0 or 1; nil where the feed does not say.
        package let number: Int?
        /// Where its trips go, the most frequent first, at most ``mostHeadsigns``.
        package let headsigns: [String]
        /// All stops of its trips: those of the longest trip in order, others after the stop that they follow.
        package let stops: [StopIndex]
        /// Trips of the timetable.
        package let trips: Int
    }

    /// Where a stop stands on a route.
    package struct Call: Sendable, Hashable {
        /// The stop.
        package let stop: StopIndex
        /// 0 or 1; nil where the feed does not say.
        package let direction: Int?
        /// Place in that direction, from 1.
        package let sequence: Int
    }

    /// By direction, the one without a number last.
    package let directions: [Direction]

    /// Headsigns that are named of a direction.
    package static let mostHeadsigns = 5

    /// Finds the stops of a route; O(trips of the feed + stop times of the route).
    package init(of route: RouteIndex, in feed: TransitFeed) {
        var byDirection: [Int: Gathering] = [:]
        for row in 0..<feed.trips.count where feed.trips.routes[row] == route.number {
            let trip = TripIndex(row)
            byDirection[Int(feed.trips.directions[row]), default: Gathering()].take(trip, in: feed)
        }
        directions = byDirection.sorted { ($0.key < 0 ? 2 : $0.key) < ($1.key < 0 ? 2 : $1.key) }
            .map { $0.value.direction($0.key < 0 ? nil : $0.key) }
    }

    /// The stops of each direction in order; those that both use stand twice.
    package var calls: [Call] {
        directions.flatMap { direction in
            direction.stops.enumerated().map {
                Call(stop: $1, direction: direction.number, sequence: $0 + 1)
            }
        }
    }

    /// All stops, those of the first direction first, each once.
    package var all: [StopIndex] {
        var seen: Set<StopIndex> = []
        return directions.flatMap(\.stops).filter { seen.insert($0).inserted }
    }
}

/// What the trips of a direction have.
private struct Gathering {
    private var patterns: Set<[Int32]> = []
    private var headsigns: [String: Int] = [:]
    private var trips = 0

    mutating func take(_ trip: TripIndex, in feed: TransitFeed) {
        trips += 1
        patterns.insert(Array(feed.stopTimes.stops[feed.stopTimes.rows(of: trip)]))
        let headsign = feed.headsign(feed.trips.headsigns[trip.position])
        if !headsign.isEmpty { headsigns[headsign, default: 0] += 1 }
    }

    func direction(_ number: Int?) -> RouteStops.Direction {
        let named = headsigns.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(RouteStops.mostHeadsigns).map(\.key)
        return RouteStops.Direction(
            number: number, headsigns: Array(named),
            stops: merged.compactMap { StopIndex(stored: $0) },
            trips: trips)
    }

    /// The longest pattern, with the stops of others put in after the stop that they follow.
    private var merged: [Int32] {
        let longestFirst = patterns.sorted {
            ($1.count, $0.lexicographicallyPrecedes($1) ? 0 : 1)
                < ($0.count, $1.lexicographicallyPrecedes($0) ? 0 : 1)
        }
        var order = longestFirst.first ?? []
        var known = Set(order)
        for pattern in longestFirst.dropFirst() {
            var place = 0
            for stop in pattern {
                if known.insert(stop).inserted {
                    order.insert(stop, at: place)
                    place += 1
                } else if let found = order[place...].firstIndex(of: stop) {
                    place = found + 1
                }
            }
        }
        return order
    }
}
