// A route as JSON: what it is called, where it goes, which drawbridges it crosses; what `GET /routes/{id}` answers.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A route with its directions.
package struct TransitRouteDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The route.
    package let route: TransitRoute
    /// Its directions and their stops.
    package let stops: RouteStops
    /// The drawbridges that any of its shapes crosses, in the order of the catalogue.
    package let bridges: [BridgeIndex]
    /// Vehicles that are known to run on it.
    package let vehicles: Int
    /// What riders should know of it.
    package let alerts: [AlertEntry]

    /// A document of a route; O(trips of the feed + stop times of the route).
    package init(
        _ route: RouteIndex, _ snapshot: TransitSnapshot, _ crossings: BridgeCrossings,
        _ envelope: TransitEnvelope
    ) {
        let feed = snapshot.feed
        (self.route, self.envelope) = (feed[route], envelope)
        stops = RouteStops(of: route, in: feed)
        bridges =
            crossings.isEmpty
            ? [] : BridgeIndex.all.filter { crossings.routes(over: $0).contains(route) }
        vehicles = snapshot.vehicles.count { $0.route == route }
        alerts = AlertEntry.active(in: snapshot, at: envelope.validAt, routes: [route])
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                json.fields(of: route)
                json.list("directions", stops.directions) { json, direction in
                    json.object { json in
                        json.field("direction", direction.number)
                        json.list("headsigns", direction.headsigns)
                        json.field("stops", direction.stops.count)
                        json.field("trips", direction.trips)
                    }
                }
                json.list("bridges", bridges) { json, bridge in
                    json.object { json in
                        json.field("bridge", BridgeCatalogue[bridge].name)
                        json.field("bridge_id", BridgeCatalogue[bridge].id.rawValue)
                    }
                }
                json.field("vehicles", vehicles)
                json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
            }
        }
    }
}

extension JSONWriter {
    /// Writes what a route is called as an object; null for none.
    mutating func field(_ name: StaticString, _ route: TransitRoute?) {
        guard let route else { return null(name) }
        object(name) { $0.fields(of: route) }
    }

    /// Writes what a route is called into an object that is open.
    mutating func fields(of route: TransitRoute) {
        field("id", route.id)
        field("short_name", route.shortName)
        field("long_name", route.longName)
        field("title", route.title)
        field("color", route.webColour)
        field("text_color", route.webTextColour)
        field("kind", route.kind.word)
        field("agency", route.agency)
    }
}
