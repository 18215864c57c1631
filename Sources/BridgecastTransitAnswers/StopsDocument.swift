// Stops of a route in their order, or of a whole feed, as JSON: what `GET /stops` answers.
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

package struct StopsDocument: Sendable, JSONAnswer {
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
    ///   - route: The stops of this route alone, in the order of each direction; nil for all stops and stations.
    ///   - text: Only those whose name, code or identifier contains it, the best first, with the lines that call there.
    ///   - range: Which part of the matching list is shown.
    package init(
        _ route: RouteIndex?, matching text: String? = nil, in feed: TransitFeed,
        showing range: Range<Int> = 0..<1000, _ envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.route = route.map { feed[$0] }
        guard let route else {
            let rows = feed.stops(matching: text)
            total = rows.count
            directions = []
            stops = rows.dropFirst(range.lowerBound).prefix(range.count).map {
                StopEntry($0, in: feed, lines: text == nil ? nil : feed.routes(at: $0))
            }
            return
        }
        let line = RouteStops(of: route, in: feed)
        let calls = line.calls.filter { call in
            text.map { feed.names(ofStop: call.stop, match: $0) } ?? true
        }
        total = calls.count
        stops = calls.dropFirst(range.lowerBound).prefix(range.count).map {
            StopEntry($0.stop, in: feed, call: $0)
        }
        directions = line.directions.map { ($0.number, $0.stops.map { feed[$0].id }) }
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            json.field("route", route)
            json.field("total", total)
            json.list("stops", stops)
            guard route != nil else { return }
            json.list("directions", objects: directions) { json, direction in
                json.field("direction", direction.number)
                json.list("stop_ids", direction.stops)
            }
        }
    }
}

package struct StopEntry: Sendable, JSONObjectAnswer {
    package let stop: TransitStop
    /// The station that it belongs to; nil if to none.
    package let station: TransitStop?
    /// Its position on a route; nil outside of one.
    package let call: RouteStops.Call?
    /// Metres from the point that was asked for; nil without one.
    package let metres: Double?
    /// The lines that call there, at most ``maxLines``; nil where they were not found.
    package let lines: [TransitRoute]?

    package static let maxLines = 8

    package init(
        _ stop: StopIndex, in feed: TransitFeed, call: RouteStops.Call? = nil,
        metres: Double? = nil, lines: [RouteIndex]? = nil
    ) {
        self.lines = lines.map { $0.prefix(Self.maxLines).map { feed[$0] } }
        self.stop = feed[stop]
        station = self.stop.parent.map { feed[$0] }
        self.call = call
        self.metres = metres
    }

    package func writeFields(into json: inout JSONWriter) {
        json.field("id", stop.id)
        json.field("code", stop.code.isEmpty ? nil : stop.code)
        json.field("name", stop.name)
        json.field("lat", stop.point?.latitude, decimals: 6)
        json.field("lon", stop.point?.longitude, decimals: 6)
        json.field("kind", stop.kind.name)
        json.field("platform", stop.platform.isEmpty ? nil : stop.platform)
        json.field("station_id", station?.id)
        json.field("wheelchair", stop.wheelchair.name)
        if let call {
            json.field("direction", call.direction)
            json.field("sequence", call.sequence)
        }
        if let metres { json.field("distance_m", metres, decimals: 1) }
        if let lines { json.list("lines", objects: lines) { $0.fields(of: $1) } }
    }
}

extension TransitStop.Kind {
    /// `stop`, `station`, `entrance`, `node` or `boarding_area`.
    package var name: String {
        switch self {
        case .stop: "stop"
        case .station: "station"
        case .entrance: "entrance"
        case .node: "node"
        case .boardingArea: "boarding_area"
        }
    }
}
