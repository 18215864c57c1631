// A run of a trip stop by stop, as JSON: what `trip --format json` and `GET /trips/{id}` answer.
// Belongs here: a line, its vehicles, a trip; not: what leaves a stop (Boards).
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A run with its stops, its vehicle and the bridges before it.
package struct TripDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// Which trip it is.
    package let trip: TripFacts
    /// Its stops in order, those behind it too.
    package let stops: [DepartureEntry]
    /// Its vehicle; nil if none is known.
    package let vehicle: VehicleEntry?
    /// The drawbridges that it still has to cross.
    package let bridges: [BridgeEntry]
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
        let ahead = bridges?.ahead(of: run, in: snapshot, at: now) ?? []
        self.init(
            TripFacts(run, in: snapshot), snapshot.stops(of: run), snapshot.runs[run]?.vehicle,
            snapshot, at: now, envelope, ahead: ahead)
    }

    /// A document of a run that the timetable does not have; which bridges it crosses is not known without a line.
    package init(
        _ run: AddedRun, _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        _ envelope: TransitEnvelope
    ) {
        self.init(
            TripFacts(run, in: snapshot), snapshot.stops(of: run), run.vehicle, snapshot,
            at: now ?? snapshot.asOf, envelope, ahead: [])
    }

    private init(
        _ trip: TripFacts, _ stops: [Departure], _ vehicle: Int?, _ snapshot: TransitSnapshot,
        at now: Timestamp, _ envelope: TransitEnvelope, ahead: [BridgeAhead]
    ) {
        (self.trip, self.envelope, self.snapshot) = (trip, envelope, snapshot)
        bridges = ahead.map { BridgeEntry($0, at: now) }
        self.stops = stops.map { DepartureEntry($0, snapshot, at: now, ahead: ahead) }
        self.vehicle = vehicle.flatMap { place in
            snapshot.vehicles.indices.contains(place)
                ? VehicleEntry(place, snapshot, at: now, bridges: nil, tellsWhatIsNext: false) : nil
        }
        alerts = AlertEntry.active(
            in: snapshot, at: now, stops: stops.map(\.stop),
            routes: Set(trip.route.map { [$0.index] } ?? []), trips: [trip.id])
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                trip.write(into: &json)
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
