// One departure with all its fields on a board; part of boards, timelines, trips and predictions.
package import BridgecastCore
internal import BridgecastSupport
package import BridgecastTransit

/// A departure for documents: names instead of rows, and the bridges on its way.
package struct DepartureEntry: Sendable {
    package let departure: Departure
    /// The time of the document; countdowns start from it.
    package let now: Timestamp
    /// The drawbridges that its vehicle still has to cross before this stop, in order.
    package let bridges: [BridgeEntry]
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
        bridges = ahead.filter { $0.afterStop < departure.stopOrder }.map {
            BridgeEntry(bridge: $0, now: now)
        }
        outlook = bridges.isEmpty ? nil : ahead.outlook(atStop: departure.stopOrder)
    }

    /// The route; nil if the timetable does not have it.
    package var route: TransitRoute? { departure.route.map { snapshot.feed[$0] } }
    package var stop: TransitStop { snapshot.feed[departure.stop] }
    /// Seconds until it leaves, negative after that; nil if its time is unknown or nothing stops here.
    package var countdownSeconds: Int? {
        guard departure.isServed else { return nil }
        return departure.expected.map { Int($0.secondsSinceEpoch - now.secondsSinceEpoch) }
    }
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
                $1.write(to: &$0, &clock, includesReasons: includesReasons)
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

extension Departure {
    /// Whether something stops: false for what is cancelled and what passes by.
    package var isServed: Bool { status != .cancelled && status != .skipped }
}

package struct BridgeEntry: Sendable {
    package let bridge: BridgeAhead
    package let now: Timestamp

    /// Delays of at least three minutes are given a probability of their own.
    package static let longDelaySeconds = 180.0

    package var text: String { bridge.text(at: now) }

    /// - Parameter includesReasons: Whether to write the reasons of its forecast, the longest part.
    func write(
        to json: inout JSONWriter, _ clock: inout ZonedTimeText, includesReasons: Bool = true
    ) {
        json.object { json in
            writeFields(into: &json, &clock)
            if includesReasons { json.list("reasons", bridge.reasons) }
        }
    }

    /// Writes its fields into an open object, without reasons.
    func writeFields(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.fields(of: bridge.bridge)
        json.fields("eta", bridge.arrival, &clock)
        json.field("eta_basis", bridge.evidence.rawValue)
        json.field("is_waiting", bridge.waitsNow)
        json.fields("raised_since", bridge.raisedSince, &clock)
        json.field("probability_stopped", bridge.delay?.probabilityDelayed, decimals: 5)
        json.field(
            "probability_over_3min",
            bridge.delay.map { 1 - $0.cumulative(atSeconds: Self.longDelaySeconds) }, decimals: 5)
        if let delay = bridge.delay {
            json.object("delay_s") { json in
                json.field("mean", delay.expectedSeconds, decimals: 1)
                json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
                json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
                json.field("p90", delay.quantileSeconds(0.9), decimals: 1)
            }
        } else {
            json.null("delay_s")
        }
        json.field("text", text)
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
