// The stops of a line in the order of each direction, with where its trips go: what its patterns are merged to.
package import BridgecastTransit

package struct RouteStops: Sendable {
    package struct Direction: Sendable {
        /// 0 or 1; nil where the feed has none.
        package let number: Int?
        /// Where its trips go, the most frequent first, at most ``maxHeadsigns``.
        package let headsigns: [String]
        /// All stops of its trips: those of the longest trip in order, others after the stop that they follow.
        package let stops: [StopIndex]
        package let trips: Int
    }

    package struct Call: Sendable, Hashable {
        package let stop: StopIndex
        /// 0 or 1; nil where the feed has none.
        package let direction: Int?
        /// Position in that direction, from 1.
        package let sequence: Int
    }

    /// By direction, the one without a number last.
    package let directions: [Direction]

    package static let maxHeadsigns = 5

    /// Merges the patterns of a route; O(their stops), once they are known.
    package init(of route: RouteIndex, in feed: TransitFeed) {
        var parts: [ArraySlice<RoutePattern>] = []
        var rest = feed.patterns(of: route).all[...]
        while let first = rest.first {
            parts.append(rest.prefix { $0.direction == first.direction })
            rest = rest.drop { $0.direction == first.direction }
        }
        directions = parts.map { Direction(of: $0, in: feed) }
    }

    /// The stops of each direction in order; those that both use appear twice.
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

extension RouteStops.Direction {
    /// Merges the patterns of a direction, of which there is at least one.
    fileprivate init(of patterns: ArraySlice<RoutePattern>, in feed: TransitFeed) {
        var counts: [String: Int] = [:]
        for (headsign, count) in patterns.flatMap(\.headsigns) {
            counts[feed.headsign(headsign), default: 0] += count
        }
        counts[""] = nil
        number = patterns.first?.direction
        headsigns = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(RouteStops.maxHeadsigns).map(\.key)
        stops = Self.merged(Set(patterns.map(\.stops)))
        trips = patterns.reduce(0) { $0 + $1.trips }
    }

    /// The longest pattern, with the stops of others put in after the stop that they follow.
    private static func merged(_ patterns: Set<[StopIndex]>) -> [StopIndex] {
        let longestFirst = patterns.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
        }
        var order = longestFirst.first ?? []
        var known = Set(order)
        for pattern in longestFirst.dropFirst() {
            var index = 0
            for stop in pattern {
                if known.insert(stop).inserted {
                    order.insert(stop, at: index)
                    index += 1
                } else if let found = order[index...].firstIndex(of: stop) {
                    index = found + 1
                }
            }
        }
        return order
    }
}
