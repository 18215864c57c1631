// Names of directions: those of the feed, else the most frequent headsigns.
internal import BridgecastCore

extension TransitFeed {
    /// The name of a route's direction in directions.txt, such as `North`; nil if it has none.
    ///
    /// - Parameter direction: 0 or 1.
    public func directionName(_ route: RouteIndex, _ direction: Int) -> String? {
        guard direction == 0 || direction == 1 else { return nil }
        let index = 2 * route.position + direction
        guard index < routes.directionNames.count, !routes.directionNames.isEmpty(index) else {
            return nil
        }
        return routes.directionNames[index]
    }

    /// The name of a direction at a stop or station: the name in the feed if all routes there share it, else the most frequent
    /// headsign there, in case of a tie that of the first trip; nil if no trip leaves in it.
    ///
    /// - Complexity: O(stop times at the stop)
    public func directionName(_ direction: Int, at stop: StopIndex) -> String? {
        var names: Set<String?> = []
        var headsigns: [Int32: (count: Int, first: Int)] = [:]
        var routesSeen: Set<Int32> = []
        for (row, trip) in departures(at: stop)
        where Int(trips.directions[trip.position]) == direction {
            let route = trips.routes[trip.position]
            if routesSeen.insert(route).inserted {
                names.insert(directionName(RouteIndex(Int(route)), direction))
            }
            let sign = stopTimes.headsign(ofRow: row) ?? trips.headsigns[trip.position]
            let known = headsigns[sign] ?? (0, trip.position)
            headsigns[sign] = (known.count + 1, min(known.first, trip.position))
        }
        if names.count == 1, let name = names.first ?? nil { return name }
        let commonest = headsigns.max {
            ($0.value.count, -$0.value.first) < ($1.value.count, -$1.value.first)
        }
        return commonest.map { headsign($0.key) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directions, 0 and 1, in which trips leave from a stop or station on any day, in order; empty where the feed has none.
    ///
    /// - Complexity: O(stop times at the stop)
    package func directions(at stop: StopIndex) -> [Int] {
        let found = departures(at: stop).reduce(into: Set<Int>()) {
            $0.insert(Int(trips.directions[$1.trip.position]))
        }
        return [0, 1].filter(found.contains)
    }

    /// The rows of the stop times at a stop or station from which a trip goes on.
    private func departures(at stop: StopIndex) -> some Sequence<(row: Int, trip: TripIndex)> {
        ([stop] + children.of(stop).map { StopIndex(Int($0)) }).lazy
            .flatMap { self.calls.rows[self.calls.range(of: $0)] }
            .map { (row: Int($0), trip: self.stopTimes.trip(ofRow: Int($0))) }
            .filter { $0.row + 1 < self.stopTimes.rows(of: $0.trip).upperBound }
    }
}
