// Vehicles as they are known now, as JSON: what `vehicles --format json` and `GET /realtime` answer.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// Vehicles of a route, or of all.
package struct RealtimeDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The route that was asked for; nil for all.
    package let route: TransitRoute?
    /// The vehicles, in the order of the feed.
    package let vehicles: [VehicleEntry]
    /// How many there are in all; more than ``vehicles`` where a limit cut them.
    package let total: Int

    /// A document of vehicles.
    ///
    /// - Parameters:
    ///   - route: Only this route; nil for all.
    ///   - now: The moment; the snapshot's unless something else is said.
    ///   - places: Which of those that fit are shown.
    package init(
        _ route: RouteIndex?, _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        showing places: Range<Int> = 0..<1000, _ envelope: TransitEnvelope,
        bridges: TransitBridges? = nil
    ) {
        self.envelope = envelope
        self.route = route.map { snapshot.feed[$0] }
        let fitting = snapshot.vehicles.indices.filter {
            route == nil || snapshot.vehicles[$0].route == route
        }
        total = fitting.count
        vehicles = fitting.dropFirst(places.lowerBound).prefix(places.count).map {
            VehicleEntry($0, snapshot, at: now ?? snapshot.asOf, bridges: bridges)
        }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                json.field("route", route)
                json.field("total", total)
                json.list("vehicles", vehicles) { $1.write(to: &$0, &clock) }
            }
        }
    }
}
