// The departures of a stop as JSON: its board now, boards over the next hours, the next arrivals in short, the stops
// nearest to a point; and one departure with the bridges on its way, which trips have too.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// A departures board with names and bridges.
package struct StopBoardDocument: Sendable, JSONAnswer {
    package var envelope: TransitEnvelope
    package let stop: StopEntry
    package let board: StopBoard
    package let departures: [DepartureEntry]
    /// What its directions are called, where each has a part of the board.
    package let directionNames: [Int: String]
    /// What riders should know of the stop and the routes on the board.
    package let alerts: [AlertEntry]
    /// Why nothing departs, or that a feed of trips or vehicles fails; nil if neither is so.
    package let problem: StationProblem?

    /// - Parameters:
    ///   - snapshot: What the board was made from.
    ///   - bridges: Forecasts of drawbridges; nil to leave them out.
    ///   - metres: Distance from the point that was asked for; nil without one.
    package init(
        _ board: StopBoard, _ snapshot: TransitSnapshot, envelope: TransitEnvelope,
        bridges: TransitBridges? = nil, metres: Double? = nil
    ) {
        self.board = board
        self.envelope = envelope
        stop = StopEntry(board.stop, in: snapshot.feed, metres: metres)
        departures = board.departures.map { departure in
            let ahead = bridges?.ahead(of: departure.run, in: snapshot, at: board.asOf) ?? []
            return DepartureEntry(departure, snapshot, at: board.asOf, ahead: ahead)
        }
        problem = snapshot.problem(of: board)
        directionNames =
            board.query.limitPerDirection == nil
            ? [:]
            : [0, 1].reduce(into: [:]) { $0[$1] = snapshot.feed.directionName($1, at: board.stop) }
        alerts = AlertEntry.active(
            in: snapshot, at: board.asOf,
            stops: snapshot.platforms(of: board.stop) + board.departures.map(\.stop),
            routes: Set(board.departures.compactMap(\.route)),
            trips: Set(board.departures.map(\.tripID)))
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { writeData(into: &$0, &$1) }
    }

    private func write(_ problem: StationProblem?, into json: inout JSONWriter) {
        guard let problem else { return json.null("problem") }
        json.object("problem") { json in
            json.field("code", problem.code)
            json.field("message", problem.description)
            json.field("recovery", problem.recovery)
        }
    }

    func writeData(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.field("stop", stop)
        json.field("as_of", board.asOf, &clock)
        json.field("valid_until", board.validUntil, &clock)
        json.field("no_service", board.noService)
        json.field("arrivals_only", board.hasOnlyArrivals)
        write(problem, into: &json)
        if board.query.limitPerDirection != nil {
            json.list("directions", objects: directionNames.sorted { $0.key < $1.key }) {
                json, direction in
                json.field("direction", direction.key)
                json.field("name", direction.value)
            }
        }
        json.list("departures", departures) { $1.write(to: &$0, &clock) }
        json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
    }
}

package struct StopTimelineDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    /// The boards, the earliest first; all of one stop.
    package let entries: [StopBoardDocument]
    /// Until when the last entry may be shown.
    package let validUntil: Timestamp

    /// A document of boards of one stop.
    ///
    /// - Parameters:
    ///   - boards: At least one, from the earliest time to the latest.
    ///   - validUntil: Until when the last one may be shown.
    package init(
        _ boards: [StopBoard], validUntil: Timestamp, _ snapshot: TransitSnapshot,
        envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        self.envelope = envelope
        self.validUntil = validUntil
        entries = boards.map {
            StopBoardDocument($0, snapshot, envelope: envelope, bridges: bridges)
        }
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            if let stop = entries.first?.stop { json.field("stop", stop) }
            json.field("valid_until", validUntil, &clock)
            json.list("alerts", entries.first?.alerts ?? []) { $1.write(to: &$0, &clock) }
            json.list("entries", objects: entries.indices) { json, index in
                let entry = entries[index]
                let end = index + 1 < entries.count ? entries[index + 1].board.asOf : validUntil
                json.fields("date", entry.board.asOf, &clock)
                json.field("valid_until", end, &clock)
                json.field("no_service", entry.board.noService)
                json.list("departures", entry.departures) {
                    $1.write(to: &$0, &clock, includesReasons: false)
                }
            }
        }
    }
}

package struct StopPredictionsDocument: Sendable, JSONAnswer {
    private let board: StopBoardDocument

    package init(_ board: StopBoardDocument) { self.board = board }

    package func write(to json: inout JSONWriter) {
        board.envelope.writeDocument(to: &json) { json, clock in
            json.field("stop", board.stop)
            json.field("valid_until", board.board.validUntil, &clock)
            json.field("no_service", board.board.noService)
            json.list("predictions", board.departures) {
                PredictionEntry(entry: $1).write(to: &$0, &clock)
            }
        }
    }
}

/// An arrival in short: `stop_id`, `arrival_time`, `confidence`, and what makes these clear.
struct PredictionEntry {
    let entry: DepartureEntry

    func write(to json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.object { writeFields(into: &$0, &clock) }
    }

    /// Writes it into an open object.
    func writeFields(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        let departure = entry.departure
        // Nothing is to be waited for where nothing stops.
        let arrival = departure.expectedArrival
        let left = departure.secondsToArrival(at: entry.now)
        json.field("stop_id", entry.stop.id)
        // Seconds from now.
        json.field("arrival_time", left)
        json.fields("arrival_at", arrival, &clock)
        json.field("countdown", left.map { Countdown.text(seconds: $0) })
        json.field("predicted", departure.origin != nil)
        json.field("confidence", departure.confidence.rawValue)
        json.field("confidence_color", departure.confidence.colourName)
        json.field("status", departure.status.rawValue)
        json.field("delay_s", departure.delaySeconds)
        json.field("route_id", entry.route?.id)
        json.field("route", entry.route?.title)
        json.field("headsign", departure.headsign.isEmpty ? nil : departure.headsign)
        json.field("trip_id", departure.tripID)
        json.field("direction", departure.direction)
        json.field("vehicle_id", entry.vehicle?.shownID)
        json.occupancy(departure.occupancy, departure.occupancyPercentage)
        json.field("bridge_delay", entry.outlook)
    }
}

package struct NearestDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    package let stops: [StopEntry]
    /// The board of the nearest one; nil where it was not asked for or there is none.
    package let board: StopBoardDocument?

    package init(
        _ found: [StationFinder.Found], in feed: TransitFeed, envelope: TransitEnvelope,
        board: StopBoardDocument? = nil
    ) {
        self.envelope = envelope
        self.board = board
        stops = found.map { StopEntry($0.stop, in: feed, metres: $0.metres) }
    }

    /// The point that was asked for is not written.
    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            json.list("stops", stops)
            if let board { json.object("board") { board.writeData(into: &$0, &clock) } }
        }
    }
}

// MARK: - One departure

/// A departure for documents: names instead of rows, and the bridges on its way.
package struct DepartureEntry: Sendable {
    package let departure: Departure
    /// The time of the document; countdowns start from it.
    package let now: Timestamp
    /// The drawbridges that its vehicle still has to cross before this stop, in order.
    package let bridges: [BridgeAhead]
    /// What they may add to the arrival here; nil if there are none with a forecast.
    package let outlook: BridgeOutlookAtStop?
    private let snapshot: TransitSnapshot

    /// - Parameter ahead: The bridges that its run still has to cross, those after this stop included.
    package init(
        _ departure: Departure, _ snapshot: TransitSnapshot, at now: Timestamp,
        ahead: [BridgeAhead] = []
    ) {
        self.departure = departure
        self.snapshot = snapshot
        self.now = now
        bridges = ahead.filter { $0.afterStop < departure.stopOrder }
        outlook = bridges.isEmpty ? nil : ahead.outlook(atStop: departure.stopOrder)
    }

    /// The route; nil if the timetable does not have it.
    package var route: TransitRoute? { departure.route.map { snapshot.feed[$0] } }
    package var stop: TransitStop { snapshot.feed[departure.stop] }
    /// Seconds until it leaves, negative after that; nil if its time is unknown or nothing stops here.
    package var countdownSeconds: Int? { departure.secondsLeft(at: now) }
    /// The vehicle as it was reported; nil if none is known.
    package var vehicle: LiveVehicle? {
        departure.vehicle.flatMap {
            snapshot.vehicles.indices.contains($0) ? snapshot.vehicles[$0] : nil
        }
    }
    /// What its direction is called in the feed; nil where it has no name there.
    package var directionName: String? {
        guard let route = departure.route, let direction = departure.direction else { return nil }
        return snapshot.feed.directionName(route, direction)
    }

    /// Writes it as an object; the reasons of forecasts are left out where a document has many boards.
    func write(
        to json: inout JSONWriter, _ clock: inout ZonedTimeText, includesReasons: Bool = true
    ) {
        json.object { json in
            writeTrip(into: &json)
            writeStop(into: &json)
            writeTimes(into: &json, &clock)
            writeVehicle(into: &json, &clock)
            json.list("bridges", bridges) {
                $1.write(to: &$0, at: now, &clock, includesReasons: includesReasons)
            }
            json.field("bridge_delay", outlook)
        }
    }

    private func writeTrip(into json: inout JSONWriter) {
        let route = route
        json.field("trip_id", departure.tripID)
        json.field("service_date", departure.run.map { "\($0.date)" })
        json.field(
            "start_time", departure.run?.startSeconds.map(ClockText.hoursMinutesSeconds(ofSeconds:))
        )
        json.field("route_id", route?.id)
        json.field("route", route?.title)
        json.field("route_color", route?.webColour)
        json.field("route_text_color", route?.webTextColour)
        json.field("kind", route?.kind.name)
        json.field(route?.serviceClass(ofTrip: departure.shortName, to: departure.headsign))
        json.field("headsign", departure.headsign.isEmpty ? nil : departure.headsign)
        json.field("trip_short_name", departure.shortName.isEmpty ? nil : departure.shortName)
        json.field("direction", departure.direction)
        json.field("direction_name", directionName)
    }

    func writeStop(into json: inout JSONWriter) {
        let stop = stop
        json.field("stop_id", stop.id)
        json.field("stop_name", stop.name)
        json.field("platform", stop.platform.isEmpty ? nil : stop.platform)
        let planned = departure.plannedStop.map { snapshot.feed[$0] }
        json.field("planned_platform", planned.map { $0.platform.isEmpty ? $0.id : $0.platform })
        json.field("wheelchair", departure.wheelchair.name)
    }

    /// When it stops, as scheduled and as predicted.
    func writeTimes(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.fields("scheduled_arrival", departure.scheduledArrival, &clock)
        json.fields("scheduled_departure", departure.scheduledDeparture, &clock)
        json.fields("predicted_arrival", departure.predictedArrival, &clock)
        json.fields("predicted_departure", departure.predictedDeparture, &clock)
        json.fields("expected", departure.expected, &clock)
        let left = countdownSeconds
        json.field("countdown_s", left)
        json.field("countdown", left.map { Countdown.text(seconds: $0) })
        json.field("delay_s", departure.delaySeconds)
        json.field("status", departure.status.rawValue)
        json.field("prediction_origin", departure.origin?.rawValue)
        json.field("spread_s", departure.spreadSeconds, decimals: 0)
        json.field("approximate", departure.isApproximate)
        json.field("confidence", departure.confidence.rawValue)
        json.field("confidence_color", departure.confidence.colourName)
    }

    private func writeVehicle(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.field("vehicle_id", vehicle.map(\.shownID))
        json.field("vehicle_seen_at", departure.seenAt, &clock)
        json.field("vehicle_age_s", vehicle?.ageSeconds(at: now))
        json.occupancy(departure.occupancy, departure.occupancyPercentage)
    }
}

extension BridgeAhead {
    /// Delays of at least three minutes are given a probability of their own.
    private static var longDelaySeconds: Double { 180 }

    /// Writes it as an object.
    ///
    /// - Parameters:
    ///   - now: The time of the document.
    ///   - includesReasons: Whether to write the reasons of its forecast, the longest part.
    func write(
        to json: inout JSONWriter, at now: Timestamp, _ clock: inout ZonedTimeText,
        includesReasons: Bool = true
    ) {
        json.object { json in
            writeFields(into: &json, at: now, &clock)
            if includesReasons { json.list("reasons", reasons) }
        }
    }

    /// Writes its fields into an open object, without reasons.
    func writeFields(into json: inout JSONWriter, at now: Timestamp, _ clock: inout ZonedTimeText) {
        json.fields(of: bridge)
        json.fields("eta", arrival, &clock)
        json.field("eta_basis", evidence.rawValue)
        json.field("is_waiting", isWaiting)
        json.fields("raised_since", raisedSince, &clock)
        json.field("probability_stopped", delay?.probabilityDelayed, decimals: 5)
        json.field(
            "probability_over_3min",
            delay.map { 1 - $0.cumulative(atSeconds: Self.longDelaySeconds) }, decimals: 5)
        if let delay {
            json.object("delay_s") { json in
                json.field("mean", delay.expectedSeconds, decimals: 1)
                json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
                json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
                json.field("p90", delay.quantileSeconds(0.9), decimals: 1)
            }
        } else {
            json.null("delay_s")
        }
        json.field("text", text(at: now))
    }
}

extension JSONWriter {
    /// Writes a field with what all bridges before a stop may add to the arrival there, or null.
    mutating func field(_ name: StaticString, _ outlook: BridgeOutlookAtStop?) {
        guard let outlook else { return null(name) }
        object(name) { json in
            json.field("mean_s", outlook.meanSeconds, decimals: 1)
            json.field("p50_s", outlook.p50Seconds, decimals: 1)
            json.field("p80_s", outlook.p80Seconds, decimals: 1)
            json.field("p90_s", outlook.p90Seconds, decimals: 1)
            json.field("probability_stopped", outlook.probabilityDelayed, decimals: 5)
            json.field("probability_over_3min", outlook.probabilityOver3Minutes, decimals: 5)
        }
    }
}
