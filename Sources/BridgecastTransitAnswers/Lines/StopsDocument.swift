// Stops of a route in their order, or of a whole feed, as JSON: what `GET /stops` answers.
package import BridgecastAnswers
package import BridgecastTransit

/// A list of stops.
package struct StopsDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The route whose stops they are; nil for those of the feed.
    package let route: TransitRoute?
    /// The stops: of a route in the order of each direction, else in that of the feed.
    package let stops: [StopEntry]
    /// By direction of a route, the identifiers of its stops in order; empty without a route.
    package let directions: [(number: Int?, stops: [String])]
    /// How many there are in all; more than ``stops`` where a limit cut them.
    package let total: Int

    /// A document of stops.
    ///
    /// - Parameters:
    ///   - route: The stops of this route alone; nil for all stops and stations of the feed.
    ///   - places: Which of those that fit are shown.
    package init(
        _ route: RouteIndex?, in feed: TransitFeed, showing places: Range<Int> = 0..<1000,
        _ envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.route = route.map { feed[$0] }
        guard let route else {
            let rows = (0..<feed.stops.count).map { StopIndex($0) }.filter {
                feed.stops.kinds[$0.position] <= TransitStop.Kind.station.rawValue
            }
            (total, directions) = (rows.count, [])
            stops = rows.dropFirst(places.lowerBound).prefix(places.count)
                .map { StopEntry($0, in: feed) }
            return
        }
        let line = RouteStops(of: route, in: feed)
        let calls = line.calls
        total = calls.count
        stops = calls.dropFirst(places.lowerBound).prefix(places.count)
            .map { StopEntry($0.stop, in: feed, call: $0) }
        directions = line.directions.map { ($0.number, $0.stops.map { feed[$0].id }) }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                json.field("route", route)
                json.field("total", total)
                json.list("stops", stops) { $1.write(to: &$0) }
                guard route != nil else { return }
                json.list("directions", directions) { json, direction in
                    json.object { json in
                        json.field("direction", direction.number)
                        json.list("stop_ids", direction.stops)
                    }
                }
            }
        }
    }
}
