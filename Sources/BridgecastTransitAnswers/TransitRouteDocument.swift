// A route as JSON with its directions, their stops, and the drawbridges it crosses: `GET /routes/{id}`.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

package struct TransitRouteDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    package let route: TransitRoute
    package let stops: RouteStops
    /// The drawbridges that any of its shapes crosses, in the order of the catalogue.
    package let bridges: [BridgeIndex]
    package let vehicles: Int
    /// What riders should know of it.
    package let alerts: [AlertEntry]

    /// A document of a route; O(trips of the feed + stop times of the route).
    package init(
        _ route: RouteIndex, _ snapshot: TransitSnapshot, _ crossings: BridgeCrossings,
        envelope: TransitEnvelope
    ) {
        let feed = snapshot.feed
        self.route = feed[route]
        self.envelope = envelope
        stops = RouteStops(of: route, in: feed)
        bridges =
            crossings.isEmpty
            ? [] : BridgeIndex.all.filter { crossings.routes(over: $0).contains(route) }
        vehicles = snapshot.vehicles.count { $0.route == route }
        alerts = AlertEntry.active(in: snapshot, at: envelope.validAt, routes: [route])
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            json.fields(of: route)
            json.list("directions", objects: stops.directions) { json, direction in
                json.field("direction", direction.number)
                json.list("headsigns", direction.headsigns)
                json.field("stops", direction.stops.count)
                json.field("trips", direction.trips)
            }
            json.list("bridges", objects: bridges) { json, bridge in json.fields(of: bridge) }
            json.field("vehicles", vehicles)
            json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
        }
    }
}

extension JSONWriter {
    /// Writes what a route is called as an object; null for none.
    mutating func field(_ name: StaticString, _ route: TransitRoute?) {
        guard let route else { return null(name) }
        object(name) { $0.fields(of: route) }
    }

    mutating func fields(of route: TransitRoute) {
        field("id", route.id)
        field("short_name", route.shortName)
        field("long_name", route.longName)
        field("title", route.title)
        field("color", route.webColour)
        field("text_color", route.webTextColour)
        field("kind", route.kind.name)
        field("agency", route.agency)
        field(route.serviceClass)
    }

    /// Writes `service_class` and its colour into an open object; null where no name states it.
    mutating func field(_ serviceClass: ServiceClass?) {
        field("service_class", serviceClass?.rawValue)
        field("service_class_color", serviceClass?.colourName)
    }
}

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

    /// Finds the stops of a route; O(trips of the feed + stop times of the route).
    package init(of route: RouteIndex, in feed: TransitFeed) {
        var byDirection: [Int: DirectionTrips] = [:]
        for row in 0..<feed.trips.count where feed.trips.routes[row] == route.number {
            let trip = TripIndex(row)
            byDirection[Int(feed.trips.directions[row]), default: DirectionTrips()].take(
                trip, in: feed)
        }
        directions = byDirection.sorted { ($0.key < 0 ? 2 : $0.key) < ($1.key < 0 ? 2 : $1.key) }
            .map { $0.value.direction($0.key < 0 ? nil : $0.key) }
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

private struct DirectionTrips {
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
        let named = headsigns.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(
            RouteStops.maxHeadsigns
        ).map(\.key)
        return RouteStops.Direction(
            number: number, headsigns: Array(named),
            stops: merged.compactMap { StopIndex(stored: $0) }, trips: trips)
    }

    /// The longest pattern, with the stops of others put in after the stop that they follow.
    private var merged: [Int32] {
        let longestFirst = patterns.sorted {
            ($1.count, $0.lexicographicallyPrecedes($1) ? 0 : 1) < (
                $0.count, $1.lexicographicallyPrecedes($0) ? 0 : 1
            )
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
