// What the directions of lines are called: as the feed names them, else by where most of their vehicles go.
internal import BridgecastCore

extension TransitFeed {
    /// The name of a route's direction, such as `North`; nil where the feed gives none (directions.txt).
    ///
    /// - Parameter direction: 0 or 1.
    public func directionName(_ route: RouteIndex, _ direction: Int) -> String? {
        guard direction == 0 || direction == 1 else { return nil }
        let place = 2 * route.position + direction
        guard place < routes.directionNames.count, !routes.directionNames.isEmpty(place) else {
            return nil
        }
        return routes.directionNames[place]
    }

    /// What a direction is called at a stop or station: its name if all routes there agree on it, else the headsign that most
    /// trips of the direction show there, the first by trip of equally many; nil if none leaves in it.
    ///
    /// - Complexity: O(stop times at the stop)
    public func directionName(_ direction: Int, at stop: StopIndex) -> String? {
        var names: Set<String?> = []
        var headsigns: [Int32: (count: Int, first: Int)] = [:]
        var routesSeen: Set<Int32> = []
        for place in [stop] + children.of(stop).map({ StopIndex(Int($0)) }) {
            for row in rows(at: place).lazy.map({ Int($0) }) {
                let trip = stopTimes.trip(ofRow: row)
                guard Int(trips.directions[trip.position]) == direction,
                    row + 1 < stopTimes.rows(of: trip).upperBound
                else { continue }
                let route = trips.routes[trip.position]
                if routesSeen.insert(route).inserted {
                    names.insert(directionName(RouteIndex(Int(route)), direction))
                }
                let sign = stopTimes.headsign(ofRow: row) ?? trips.headsigns[trip.position]
                let before = headsigns[sign] ?? (0, trip.position)
                headsigns[sign] = (before.count + 1, min(before.first, trip.position))
            }
        }
        if names.count == 1, let name = names.first ?? nil { return name }
        let most = headsigns.max {
            ($0.value.count, -$0.value.first) < ($1.value.count, -$1.value.first)
        }
        return most.map { headsign($0.key) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The rows of the stop times at a stop.
    private func rows(at stop: StopIndex) -> ArraySlice<UInt32> {
        calls.rows[calls.range(of: stop)]
    }
}

extension StopCalls {
    /// Where the rows of a stop lie in ``rows``.
    package func range(of stop: StopIndex) -> Range<Int> {
        Int(starts[stop.position])..<Int(starts[stop.position + 1])
    }
}
