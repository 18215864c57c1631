// A route with its vehicles, stops and next arrivals in one document: what `GET /routes/{id}/live-widget` answers.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// All that a widget of a route shows.
package struct LiveWidgetDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The route.
    package let route: TransitRoute
    /// Its vehicles, at most ``mostVehicles``.
    package let vehicles: [VehicleEntry]
    /// Its stops in the order of each direction, at most ``mostStops``.
    package let stops: [StopEntry]
    /// The next arrivals: three at the favourite stop, or the next at each stop.
    package let predictions: [DepartureEntry]

    /// Vehicles of a widget.
    package static let mostVehicles = 200
    /// Stops of a widget.
    package static let mostStops = 300
    /// Arrivals at the favourite stop.
    package static let arrivalsAtStop = 3

    /// A widget of a route.
    ///
    /// - Parameters:
    ///   - stop: The favourite stop; nil for the next arrival at each stop of the route.
    ///   - now: The moment; the snapshot's unless something else is said.
    package init(
        _ route: RouteIndex, stop: StopIndex? = nil, _ snapshot: TransitSnapshot,
        at now: Timestamp? = nil, _ envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        let (feed, now) = (snapshot.feed, now ?? snapshot.asOf)
        (self.route, self.envelope) = (feed[route], envelope)
        let found = RouteStops(of: route, in: feed)
        let line = found.all.prefix(Self.mostStops)
        stops = found.calls.prefix(Self.mostStops).map { StopEntry($0.stop, in: feed, call: $0) }
        vehicles = snapshot.vehicles.indices.lazy
            .filter { snapshot.vehicles[$0].route == route }.prefix(Self.mostVehicles)
            .map { VehicleEntry($0, snapshot, at: now, bridges: nil, tellsWhatIsNext: false) }
        var query = BoardQuery()
        (query.route, query.includesArrivals) = (route, true)
        let most = stop == nil ? 1 : Self.arrivalsAtStop
        predictions = (stop.map { [$0] } ?? Array(line)).flatMap { stop in
            let board = snapshot.board(of: stop, at: now, query, holding: bridges?.holds)
            // What does not come is no arrival.
            return board.departures.lazy.filter(\.isServed).prefix(most).map { departure in
                let ahead = bridges?.ahead(of: departure.run, in: snapshot, at: now) ?? []
                return DepartureEntry(departure, snapshot, at: now, ahead: ahead)
            }
        }
    }

    /// Writes it as an object; route, vehicles, stops and predictions stand at its top.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("route") { $0.fields(of: route) }
            json.list("vehicles", vehicles) { json, vehicle in
                json.object { json in
                    vehicle.writePlace(into: &json, &clock)
                    vehicle.writeLoad(into: &json)
                }
            }
            json.list("stops", stops) { $1.write(to: &$0) }
            json.list("predictions", predictions) { PredictionEntry($1).write(to: &$0, &clock) }
            json.field("timestamp", Int(envelope.validAt.secondsSinceEpoch))
        }
    }
}
