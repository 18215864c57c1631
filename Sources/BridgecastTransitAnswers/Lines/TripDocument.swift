// A run of a trip stop by stop, as JSON: what `trip --format json` and `GET /trips/{id}` answer.
// Belongs here: a line, its vehicles, a trip; not: what leaves a stop (Boards).
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A run with its stops, its vehicle and the bridges before it.
package struct TripDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The run.
    package let run: RunKey
    /// The trip that it is a run of.
    package let trip: TransitTrip
    /// Its route.
    package let route: TransitRoute
    /// Its stops in order, those behind it too.
    package let stops: [DepartureEntry]
    /// Its vehicle; nil if none is known.
    package let vehicle: VehicleEntry?
    /// The drawbridges that it still has to cross.
    package let bridges: [BridgeEntry]
    /// How it relates to the timetable.
    package let relationship: TripRelationship
    /// What riders should know of it.
    package let alerts: [AlertEntry]
    let snapshot: TransitSnapshot

    /// A document of a run.
    ///
    /// - Parameter now: The moment from which is counted down; the snapshot's unless something else is said.
    package init(
        _ run: RunKey, _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        _ envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        let now = now ?? snapshot.asOf
        (self.run, self.envelope, self.snapshot) = (run, envelope, snapshot)
        trip = snapshot.feed[run.trip]
        route = snapshot.feed[trip.route]
        let ahead = bridges?.ahead(of: run, in: snapshot, at: now) ?? []
        self.bridges = ahead.map { BridgeEntry($0, at: now) }
        stops = snapshot.stops(of: run).map {
            DepartureEntry($0, snapshot, at: now, ahead: ahead)
        }
        let live = snapshot.runs[run]
        relationship = live?.relationship ?? .scheduled
        vehicle = live?.vehicle.flatMap { place in
            snapshot.vehicles.indices.contains(place)
                ? VehicleEntry(place, snapshot, at: now, bridges: nil, tellsWhatIsNext: false) : nil
        }
        alerts = AlertEntry.active(
            in: snapshot, at: now, stops: stops.map(\.departure.stop), routes: [trip.route],
            trips: [trip.id])
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                writeTrip(into: &json)
                if let vehicle {
                    json.object("vehicle") { vehicle.writePlace(into: &$0, &clock) }
                } else {
                    json.null("vehicle")
                }
                json.list("stops", stops) { json, entry in
                    json.object { write(entry, into: &$0, &clock) }
                }
                json.list("bridges", bridges) { $1.write(to: &$0, &clock) }
                json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
            }
        }
    }

    /// Writes which trip it is into an object that is open.
    func writeTrip(into json: inout JSONWriter) {
        json.field("trip_id", trip.id)
        json.field("service_date", "\(run.date)")
        json.field("start_time", run.startSeconds.map(ServiceTimeText.text))
        json.field("relationship", relationship.word)
        json.field("route_id", route.id)
        json.field("route", route.title)
        json.field("route_color", route.webColour)
        json.field("headsign", trip.headsign.isEmpty ? nil : trip.headsign)
        json.field("trip_short_name", trip.shortName.isEmpty ? nil : trip.shortName)
        json.field("direction", trip.direction)
        json.field("wheelchair", trip.wheelchair.word)
    }

    private func write(
        _ entry: DepartureEntry, into json: inout JSONWriter, _ clock: inout MomentText
    ) {
        json.field("sequence", entry.departure.stopOrder + 1)
        json.field("lat", entry.stop.point?.latitude, decimals: 6)
        json.field("lon", entry.stop.point?.longitude, decimals: 6)
        entry.writeStop(into: &json)
        entry.writeTimes(into: &json, &clock)
        json.occupancy(entry.departure.occupancy, entry.departure.occupancyPercentage)
        json.field("bridge_delay", entry.outlook)
    }
}
