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

    /// A document of a route; as ``TransitFeed/patterns(of:)``.
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
