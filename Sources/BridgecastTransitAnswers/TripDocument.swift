// One run of a trip, stop by stop, as JSON or GeoJSON: `trip --format json` and `GET /trips/{id}`.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// A run with its stops, its vehicle and the bridges before it.
package struct TripDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    package let trip: TripFacts
    /// Its stops in order, those already passed included.
    package let stops: [DepartureEntry]
    /// Its vehicle; nil if none is known.
    package let vehicle: VehicleEntry?
    /// The drawbridges that it still has to cross.
    package let bridges: [BridgeAhead]
    fileprivate let now: Timestamp
    /// What riders should know of it.
    package let alerts: [AlertEntry]
    /// A ride on it that was asked about; nil for none.
    package var ride: RideOutlook?
    let snapshot: TransitSnapshot

    /// A document of a run.
    ///
    /// - Parameters:
    ///   - now: Countdowns start here; by default the snapshot's time.
    ///   - onTimeSeconds: Up to so many seconds late or early is on time.
    package init(
        _ run: RunKey, _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        onTimeSeconds: Int = BoardQuery.defaultOnTimeSeconds, envelope: TransitEnvelope,
        bridges: TransitBridges? = nil
    ) {
        let now = now ?? snapshot.asOf
        let ahead = bridges?.ahead(of: run, in: snapshot, at: now) ?? []
        self.init(
            TripFacts(run, in: snapshot), snapshot,
            stops: snapshot.stops(of: run, onTimeSeconds: onTimeSeconds),
            vehicle: snapshot.runs[run]?.vehicle, at: now, envelope: envelope, ahead: ahead)
    }

    /// A document of a run that the timetable does not have; which bridges it crosses is not known without a line.
    package init(
        _ run: AddedRun, _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        onTimeSeconds: Int = BoardQuery.defaultOnTimeSeconds, envelope: TransitEnvelope
    ) {
        self.init(
            TripFacts(run, in: snapshot), snapshot,
            stops: snapshot.stops(of: run, onTimeSeconds: onTimeSeconds),
            vehicle: run.vehicle, at: now ?? snapshot.asOf, envelope: envelope, ahead: [])
    }

    private init(
        _ trip: TripFacts, _ snapshot: TransitSnapshot, stops: [Departure], vehicle: Int?,
        at now: Timestamp, envelope: TransitEnvelope, ahead: [BridgeAhead]
    ) {
        self.trip = trip
        self.envelope = envelope
        self.snapshot = snapshot
        bridges = ahead
        self.now = now
        self.stops = stops.map { DepartureEntry($0, snapshot, at: now, ahead: ahead) }
        self.vehicle = vehicle.flatMap { index in
            snapshot.vehicles.indices.contains(index)
                ? VehicleEntry(index, snapshot, at: now, bridges: nil, includesNextStops: false)
                : nil
        }
        alerts = AlertEntry.active(
            in: snapshot, at: now, stops: stops.map(\.stop),
            routes: Set(trip.route.map { [$0.index] } ?? []), trips: [trip.id])
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            trip.write(into: &json)
            if let vehicle {
                json.object("vehicle") { vehicle.writePosition(into: &$0, &clock) }
            } else {
                json.null("vehicle")
            }
            json.list("stops", stops) { json, entry in
                json.object { write(entry, into: &$0, &clock) }
            }
            json.list("bridges", bridges) { $1.write(to: &$0, at: now, &clock) }
            json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
            if let ride { json.object("ride") { ride.write(into: &$0, &clock) } }
        }
    }

    private func write(
        _ entry: DepartureEntry, into json: inout JSONWriter, _ clock: inout ZonedTimeText
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

/// What a trip is called and where it goes.
package struct TripFacts: Sendable {
    /// Its identifier; empty where a feed gives an added run none.
    package let id: String
    /// The service day; nil where a feed gives an added run none.
    package let serviceDate: CivilDate?
    package let isInTimetable: Bool
    /// Its route; nil if the timetable does not have it.
    package let route: TransitRoute?
    /// Where it goes, and what riders call it; empty if nothing.
    package let headsign, shortName: String
    package let relationship: TripRelationship
    /// The line on the map; nil where the feed has none.
    let shape: ShapeIndex?
    private let startTime: String?
    private let direction: Int?
    private let wheelchair: Accessibility

    init(_ run: RunKey, in snapshot: TransitSnapshot) {
        let trip = snapshot.feed[run.trip]
        id = trip.id
        serviceDate = run.date
        isInTimetable = true
        route = snapshot.feed[trip.route]
        headsign = trip.headsign
        shortName = trip.shortName
        relationship = snapshot.runs[run]?.relationship ?? .scheduled
        startTime = run.startSeconds.map(ClockText.hoursMinutesSeconds(ofSeconds:))
        shape = trip.shape
        direction = trip.direction
        wheelchair = trip.wheelchair
    }

    /// Those of a run that only the realtime feed has.
    init(_ run: AddedRun, in snapshot: TransitSnapshot) {
        let trip = run.update.trip
        let properties = run.update.properties
        id = run.tripID ?? ""
        isInTimetable = false
        serviceDate = (properties?.startDate ?? trip.startDate).flatMap {
            CivilDate(compact: $0.utf8)
        }
        route = run.route.map { snapshot.feed[$0] }
        headsign = run.headsign
        shortName = properties?.shortName ?? ""
        relationship = trip.relationship ?? .added
        startTime = properties?.startTime ?? trip.startTime
        shape = nil
        direction = trip.direction
        wheelchair = .unknown
    }

    func write(into json: inout JSONWriter) {
        json.field("trip_id", id)
        json.field("service_date", serviceDate.map { "\($0)" })
        json.field("start_time", startTime)
        json.field("relationship", relationship.name)
        json.field("route_id", route?.id)
        json.field("route", route?.title)
        json.field("route_color", route?.webColour)
        json.field("headsign", headsign.isEmpty ? nil : headsign)
        json.field("trip_short_name", shortName.isEmpty ? nil : shortName)
        json.field("direction", direction)
        json.field(route?.serviceClass(ofTrip: shortName, to: headsign))
        json.field("wheelchair", wheelchair.name)
    }
}

package struct TripMap: Sendable, JSONObjectAnswer {
    private let trip: TripDocument
    /// The points of its line; from stop to stop where the feed has no shape.
    private let line: [GeoPoint]
    private let hasShape: Bool

    /// The map of a run; without any point it has no features.
    package init(_ trip: TripDocument) {
        self.trip = trip
        let shape = trip.trip.shape.map { trip.snapshot.feed.points(of: $0) } ?? []
        hasShape = shape.count > 1
        line = hasShape ? shape : trip.stops.compactMap(\.stop.point)
    }

    /// Writes it as a FeatureCollection; the envelope's fields are further members.
    package func writeFields(into json: inout JSONWriter) {
        var clock = ZonedTimeText(trip.envelope.zone)
        json.field("type", "FeatureCollection")
        trip.envelope.write(into: &json, &clock)
        json.field(boundsOf: line)
        json.list("features", CollectionOfOne(())) { json, _ in
            if line.count > 1 { writeLine(into: &json) }
            writeStops(into: &json, &clock)
            writeVehicle(into: &json, &clock)
            writeBridges(into: &json, &clock)
        }
    }

    private func writeLine(into json: inout JSONWriter) {
        json.feature(along: line) { json in
            json.field("feature", "line")
            // Straight from stop to stop: not the way that it takes.
            json.field("approximate", !hasShape)
            trip.trip.write(into: &json)
        }
    }

    private func writeStops(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        for entry in trip.stops {
            json.feature(at: entry.stop.point) { json in
                json.field("feature", "stop")
                json.field("sequence", entry.departure.stopOrder + 1)
                entry.writeStop(into: &json)
                entry.writeTimes(into: &json, &clock)
                json.field("bridge_delay", entry.outlook)
            }
        }
    }

    private func writeVehicle(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        guard let vehicle = trip.vehicle else { return }
        json.feature(at: vehicle.point) { json in
            json.field("feature", "vehicle")
            vehicle.writePosition(into: &json, &clock)
        }
    }

    private func writeBridges(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        for ahead in trip.bridges {
            let facts = BridgeCatalogue[ahead.bridge]
            let point = GeoPoint(latitude: facts.latitude, longitude: facts.longitude)
            json.feature(at: point) { json in
                json.field("feature", "bridge")
                ahead.writeFields(into: &json, at: trip.now, &clock)
                json.list("reasons", ahead.reasons)
            }
        }
    }
}
