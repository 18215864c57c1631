// A vehicle as JSON: where it was seen, where it is by now, what it does next; part of vehicles and live widgets.
internal import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A vehicle for documents.
package struct VehicleEntry: Sendable {
    /// As the feed and its match have it.
    package let vehicle: LiveVehicle
    /// The moment of the document.
    package let now: Timestamp
    /// Where it is thought to be then; nil where its way is not known.
    package let moving: MovingVehicle?
    /// Its next stops, at most ``mostStops``.
    package let next: [DepartureEntry]
    /// The drawbridges that it still has to cross.
    package let bridges: [BridgeEntry]
    private let feed: TransitFeed

    /// Next stops that are shown.
    package static let mostStops = 3

    /// An entry of a vehicle.
    ///
    /// - Parameters:
    ///   - place: Its place in ``TransitSnapshot/vehicles``.
    ///   - now: The moment of the document.
    ///   - tellsWhatIsNext: Whether its next stops and bridges are found.
    package init(
        _ place: Int, _ snapshot: TransitSnapshot, at now: Timestamp, bridges: TransitBridges?,
        tellsWhatIsNext: Bool = true
    ) {
        vehicle = snapshot.vehicles[place]
        (self.now, feed) = (now, snapshot.feed)
        moving = snapshot.moving(place, at: now)
        guard tellsWhatIsNext else {
            (self.bridges, next) = ([], [])
            return
        }
        let ahead = bridges?.ahead(of: vehicle.run, in: snapshot, at: now) ?? []
        self.bridges = ahead.map { BridgeEntry($0, at: now) }
        let stops = vehicle.run.map { snapshot.stops(of: $0) } ?? []
        next = stops.lazy.filter { $0.isServed && $0.expected.map { $0 >= now } ?? false }
            .prefix(Self.mostStops).map { DepartureEntry($0, snapshot, at: now, ahead: ahead) }
    }

    /// Where it is, as far as is known: on its way by now, else where it was seen.
    package var point: GeoPoint? {
        if let moving { return moving.place.point }
        if let place = vehicle.place { return place.point }
        return vehicle.report.point
    }

    /// Degrees clockwise from north; nil if unknown.
    package var bearing: Double? {
        moving?.place.heading ?? vehicle.place?.heading ?? vehicle.report.bearing.map(Double.init)
    }

    /// Seconds since it was seen, never negative; nil if nobody says when.
    package var ageSeconds: Int? { vehicle.ageSeconds(at: now) }

    func write(to json: inout JSONWriter, _ clock: inout MomentText) {
        json.object { json in
            writePlace(into: &json, &clock)
            json.field("label", vehicle.report.vehicle?.label)
            json.field("trip_id", vehicle.report.trip?.tripID)
            json.field("route_id", vehicle.route.map { feed[$0].id })
            let headsign = vehicle.run.map { feed[$0.trip].headsign }
            json.field("headsign", headsign == "" ? nil : headsign)
            json.field("direction", vehicle.run.flatMap { feed[$0.trip].direction })
            writeLoad(into: &json)
            json.list("next_stops", next) { json, entry in
                json.object { json in
                    entry.writeStop(into: &json)
                    entry.writeTimes(into: &json, &clock)
                }
            }
            json.list("bridges", bridges) { $1.write(to: &$0, &clock) }
        }
    }

    /// Writes how full it is.
    func writeLoad(into json: inout JSONWriter) {
        json.occupancy(vehicle.report.occupancy, vehicle.report.occupancyPercentage)
    }

    /// Writes which one it is and where: what a map needs.
    func writePlace(into json: inout JSONWriter, _ clock: inout MomentText) {
        let report = vehicle.report
        json.field("id", vehicle.shownID)
        json.field("lat", point?.latitude, decimals: 6)
        json.field("lon", point?.longitude, decimals: 6)
        json.field("bearing", bearing, decimals: 1)
        json.field("timestamp", vehicle.seenAt.map { Int($0.secondsSinceEpoch) })
        json.field("seen_at", vehicle.seenAt, &clock)
        json.field("age_s", ageSeconds)
        json.field("stale", ageSeconds.map { Double($0) > TransitEnvelope.staleAfterSeconds })
        json.field("reckoned", moving?.isReckoned ?? false)
        json.field(
            "speed_m_per_s", moving?.metresPerSecond ?? report.speed.map(Double.init), decimals: 2)
        json.field("along_m", (moving?.place ?? vehicle.place)?.metres, decimals: 1)
        json.field("off_route", vehicle.place?.isOffRoute)
        json.field("off_m", vehicle.place?.offMetres, decimals: 1)
        json.field("fix_lat", report.point?.latitude, decimals: 6)
        json.field("fix_lon", report.point?.longitude, decimals: 6)
    }
}

extension LiveVehicle {
    /// What it is known by: its own identifier, or its label, or that of the feed's entity; feeds write empty ones.
    package var shownID: String { known(report.vehicle?.id, report.vehicle?.label) }

    /// What riders see on it, or its identifier.
    package var shownName: String { known(report.vehicle?.label, report.vehicle?.id) }

    private func known(_ names: String?...) -> String {
        names.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? entityID
    }
}
