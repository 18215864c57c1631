// Vehicles as JSON: `GET /realtime`, and a route's widget with vehicles, stops and next arrivals.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

package struct VehiclesDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    /// The routes that were asked for; none for all.
    package let routes: [TransitRoute]
    package let vehicles: [VehicleEntry]
    /// How many there are in all; more than ``vehicles`` where a limit cut them.
    package let total: Int
    /// What riders should know of the routes, and of the vehicles' lines, next stops and trips.
    package let alerts: [AlertEntry]

    /// A document of vehicles.
    ///
    /// - Parameters:
    ///   - routes: Only these routes; none for all.
    ///   - details: What is found out about each.
    ///   - now: The time of the document; by default the snapshot's.
    ///   - range: Which part of the matching list is shown.
    package init(
        _ routes: [RouteIndex], _ snapshot: TransitSnapshot, at now: Timestamp? = nil,
        _ details: VehicleDetails = VehicleDetails(), showing range: Range<Int> = 0..<1000,
        envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        self.envelope = envelope
        self.routes = routes.map { snapshot.feed[$0] }
        let fitting = snapshot.vehicles.indices.filter { index in
            routes.isEmpty || snapshot.vehicles[index].route.map(routes.contains) ?? false
        }
        total = fitting.count
        let shown = fitting.dropFirst(range.lowerBound).prefix(range.count).map {
            VehicleEntry(
                $0, snapshot, at: now ?? snapshot.asOf, bridges: bridges, details: details)
        }
        vehicles = shown
        alerts = AlertEntry.active(
            in: snapshot, at: now ?? snapshot.asOf,
            stops: shown.flatMap { $0.next.map(\.departure.stop) },
            routes: Set(routes + shown.compactMap(\.vehicle.route)),
            trips: Set(shown.compactMap(\.vehicle.report.trip?.tripID)))
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            json.field("route", routes.count == 1 ? routes.first : nil)
            json.list("routes", objects: routes) { $0.fields(of: $1) }
            json.field("total", total)
            json.list("vehicles", vehicles) { $1.write(to: &$0, &clock) }
            json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
        }
    }
}

/// What a document of vehicles finds out about each.
package struct VehicleDetails: Sendable {
    /// The stop at which its arrival is predicted; nil for none.
    package var stop: StopIndex?
    /// Up to so many seconds late or early is on time.
    package var onTimeSeconds: Int

    package init(
        stop: StopIndex? = nil, onTimeSeconds: Int = BoardQuery.defaultOnTimeSeconds
    ) {
        self.stop = stop
        self.onTimeSeconds = onTimeSeconds
    }
}

package struct VehicleEntry: Sendable {
    /// As the feed and its match have it.
    package let vehicle: LiveVehicle
    package let now: Timestamp
    /// Where it is thought to be then; nil where its way is not known.
    package let moving: MovingVehicle?
    /// Its next stops, at most ``maxStops``.
    package let next: [DepartureEntry]
    /// The drawbridges that it still has to cross.
    package let bridges: [BridgeAhead]
    /// Its arrival at ``VehicleDetails/stop``; nil where it does not stop there any more.
    package let atStop: DepartureEntry?
    private let asksForStop: Bool
    private let feed: TransitFeed
    /// Its times along its line; nil where its way is not known.
    private let course: RunCourse?

    package static let maxStops = 3

    /// - Parameters:
    ///   - index: Its index in ``TransitSnapshot/vehicles``.
    ///   - now: The time of the document.
    ///   - includesNextStops: Whether its next stops and bridges are found.
    ///   - details: What else is found.
    package init(
        _ index: Int, _ snapshot: TransitSnapshot, at now: Timestamp, bridges: TransitBridges?,
        includesNextStops: Bool = true, details: VehicleDetails = VehicleDetails()
    ) {
        vehicle = snapshot.vehicles[index]
        asksForStop = details.stop != nil
        self.now = now
        feed = snapshot.feed
        let course = vehicle.run.flatMap { snapshot.course(of: $0) }
        moving = snapshot.moving(index, at: now, on: course)
        guard includesNextStops else {
            self.bridges = []
            next = []
            atStop = nil
            self.course = nil
            return
        }
        let ahead = bridges?.ahead(of: vehicle.run, in: snapshot, at: now, on: course) ?? []
        self.bridges = ahead
        self.course = course
        let stops =
            vehicle.run.map { snapshot.stops(of: $0, onTimeSeconds: details.onTimeSeconds) } ?? []
        let coming = stops.filter { $0.isComing(at: now) }
        next = coming.prefix(Self.maxStops).map {
            DepartureEntry($0, snapshot, at: now, ahead: ahead)
        }
        let wanted = details.stop.map { snapshot.platforms(of: $0) } ?? []
        atStop = coming.first { wanted.contains($0.stop) }.map {
            DepartureEntry($0, snapshot, at: now, ahead: ahead)
        }
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

    /// Seconds since it was seen, never negative; nil if unknown.
    package var ageSeconds: Int? { vehicle.ageSeconds(at: now) }

    func write(to json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.object { json in
            writePosition(into: &json, &clock)
            json.field("label", vehicle.report.vehicle?.label)
            json.field("trip_id", vehicle.report.trip?.tripID)
            json.field("route_id", vehicle.route.map { feed[$0].id })
            let headsign = vehicle.run.map { feed[$0.trip].headsign }
            json.field("headsign", headsign == "" ? nil : headsign)
            json.field("direction", vehicle.run.flatMap { feed[$0.trip].direction })
            writeRun(into: &json)
            writeLoad(into: &json)
            json.list("next_stops", objects: next) { json, entry in
                entry.writeStop(into: &json)
                entry.writeTimes(into: &json, &clock)
                write(call: entry.departure.stopOrder, into: &json, &clock)
            }
            if asksForStop {
                if let atStop {
                    json.object("at_stop") {
                        PredictionEntry(entry: atStop).writeFields(into: &$0, &clock)
                    }
                } else {
                    json.null("at_stop")
                }
            }
            json.list("bridges", bridges) { $1.write(to: &$0, at: now, &clock) }
        }
    }

    /// Writes which run it is on, and how late it is at its next stop.
    private func writeRun(into json: inout JSONWriter) {
        if let run = vehicle.run {
            json.object("run") { json in
                json.field("trip_id", feed[run.trip].id)
                json.field("service_date", "\(run.date)")
                json.field(
                    "start_time", run.startSeconds.map(ClockText.hoursMinutesSeconds(ofSeconds:)))
            }
            let pattern = vehicle.route.flatMap { feed.patterns(of: $0).pattern(of: run.trip) }
            json.field("pattern", pattern?.id)
        } else {
            json.null("run")
            json.null("pattern")
        }
        json.field("delay_s", next.first?.departure.delaySeconds)
        json.field("status", next.first?.departure.status.rawValue)
    }

    /// Writes where a stop lies on its line, and when it is there by the times that it is moved by.
    private func write(
        call order: Int, into json: inout JSONWriter, _ clock: inout ZonedTimeText
    ) {
        json.field("sequence", order + 1)
        let known = course.flatMap { $0.arrivals.indices.contains(order) ? $0 : nil }
        json.field("along_m", known?.geometry.stopMetres[order], decimals: 1)
        json.fields("arrival", known.map { Self.time($0.arrivals[order]) }, &clock)
        json.fields("departure", known.map { Self.time($0.departures[order]) }, &clock)
    }

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(seconds.rounded()))
    }

    func writeLoad(into json: inout JSONWriter) {
        json.occupancy(vehicle.report.occupancy, vehicle.report.occupancyPercentage)
    }

    /// Writes which one it is and where: what a map needs.
    func writePosition(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        let report = vehicle.report
        json.field("id", vehicle.shownID)
        json.field("lat", point?.latitude, decimals: 6)
        json.field("lon", point?.longitude, decimals: 6)
        json.field("bearing", bearing, decimals: 1)
        json.field("timestamp", vehicle.seenAt.map { Int($0.secondsSinceEpoch) })
        json.field("seen_at", vehicle.seenAt, &clock)
        json.field("age_s", ageSeconds)
        json.field("stale", ageSeconds.map { $0 > TransitPhase.staleAfterSeconds })
        json.field("dead_reckoned", moving?.isReckoned ?? false)
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

package struct LiveWidgetDocument: Sendable, JSONObjectAnswer {
    package let envelope: TransitEnvelope
    package let route: TransitRoute
    /// Its vehicles, at most ``maxVehicles``.
    package let vehicles: [VehicleEntry]
    /// Its stops in the order of each direction, at most ``maxStops``.
    package let stops: [StopEntry]
    /// The next arrivals: three at the favourite stop, or the next at each stop.
    package let predictions: [DepartureEntry]

    package static let maxVehicles = 200
    package static let maxStops = 300
    package static let arrivalsAtStop = 3

    /// A widget of a route.
    ///
    /// - Parameters:
    ///   - details: With the favourite stop; without one the next arrival at each stop of the route.
    ///   - now: The time of the document; by default the snapshot's.
    package init(
        _ route: RouteIndex, _ details: VehicleDetails = VehicleDetails(),
        _ snapshot: TransitSnapshot, at now: Timestamp? = nil, envelope: TransitEnvelope,
        bridges: TransitBridges? = nil
    ) {
        let feed = snapshot.feed
        let stop = details.stop
        let now = now ?? snapshot.asOf
        self.route = feed[route]
        self.envelope = envelope
        let found = RouteStops(of: route, in: feed)
        let line = found.all.prefix(Self.maxStops)
        stops = found.calls.prefix(Self.maxStops).map { StopEntry($0.stop, in: feed, call: $0) }
        vehicles = snapshot.vehicles.indices.lazy.filter { snapshot.vehicles[$0].route == route }
            .prefix(Self.maxVehicles).map {
                VehicleEntry($0, snapshot, at: now, bridges: nil, includesNextStops: false)
            }
        var query = BoardQuery()
        query.route = route
        query.includesArrivals = true
        query.onTimeSeconds = details.onTimeSeconds
        let limit = stop == nil ? 1 : Self.arrivalsAtStop
        predictions = (stop.map { [$0] } ?? Array(line)).flatMap { stop in
            let board = snapshot.board(of: stop, at: now, query, holding: bridges)
            // A cancelled trip is no arrival.
            return board.departures.lazy.filter(\.isServed).prefix(limit).map { departure in
                let ahead = bridges?.ahead(of: departure.run, in: snapshot, at: now) ?? []
                return DepartureEntry(departure, snapshot, at: now, ahead: ahead)
            }
        }
    }

    /// Route, vehicles, stops and predictions are top-level fields.
    package func writeFields(into json: inout JSONWriter) {
        var clock = ZonedTimeText(envelope.zone)
        envelope.write(into: &json, &clock)
        json.object("route") { $0.fields(of: route) }
        json.list("vehicles", objects: vehicles) { json, vehicle in
            vehicle.writePosition(into: &json, &clock)
            vehicle.writeLoad(into: &json)
        }
        json.list("stops", stops)
        json.list("predictions", predictions) { PredictionEntry(entry: $1).write(to: &$0, &clock) }
        json.field("timestamp", Int(envelope.validAt.secondsSinceEpoch))
    }
}

// MARK: - Occupancy

/// How full a vehicle is, in five levels.
package enum OccupancyLevel: Sendable, Hashable, CaseIterable {
    case low, moderate, high, veryCrowded, notBoardable, noData

    /// The level of a feed's value; nil and "no data available" are both no data.
    package init(_ occupancy: Occupancy?) {
        self =
            switch occupancy {
            case .empty, .manySeats: .low
            case .fewSeats: .moderate
            case .standingRoomOnly, .crushedStandingRoomOnly: .high
            case .full, .notAcceptingPassengers: .veryCrowded
            case .notBoardable: .notBoardable
            case .noDataAvailable, nil: .noData
            }
    }

    /// Such as `Very crowded`.
    package var text: String {
        switch self {
        case .low: "Low"
        case .moderate: "Moderate"
        case .high: "High"
        case .veryCrowded: "Very crowded"
        case .notBoardable: "not boardable"
        case .noData: "no data"
        }
    }

    /// The name of the level's colour; nil where there is nothing to colour.
    package var colourName: String? {
        switch self {
        case .low: "green"
        case .moderate: "yellow"
        case .high: "orange"
        case .veryCrowded: "red"
        case .notBoardable, .noData: nil
        }
    }
}

extension JSONWriter {
    /// Writes four fields into an open object; the number is that of GTFS-realtime, 0 to 8, null if unknown.
    mutating func occupancy(_ occupancy: Occupancy?, _ percentage: Int?) {
        field("occupancy_status", occupancy?.rawValue)
        field("occupancy_percentage", percentage)
        let level = OccupancyLevel(occupancy)
        field("occupancy", level.text)
        field("occupancy_color", level.colourName)
    }
}
