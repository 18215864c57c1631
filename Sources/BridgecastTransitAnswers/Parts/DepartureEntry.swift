// One departure with everything that a board says of it; part of boards, timelines, trips and predictions.
internal import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A departure for documents: names instead of rows, and the bridges on its way.
package struct DepartureEntry: Sendable {
    /// What stops when.
    package let departure: Departure
    /// The moment of the document, from which it is counted down.
    package let now: Timestamp
    /// The drawbridges that its vehicle still has to cross before this stop, in order.
    package let bridges: [BridgeEntry]
    /// What they may add to the arrival here; nil if there are none with a forecast.
    package let outlook: BridgeOutlookAtStop?
    private let snapshot: TransitSnapshot

    /// An entry of a departure.
    ///
    /// - Parameter ahead: The bridges that its run still has to cross, those behind this stop too.
    package init(
        _ departure: Departure, _ snapshot: TransitSnapshot, at now: Timestamp,
        ahead: [BridgeAhead] = []
    ) {
        (self.departure, self.snapshot, self.now) = (departure, snapshot, now)
        bridges = ahead.filter { $0.afterStop < departure.stopOrder }.map {
            BridgeEntry($0, at: now)
        }
        outlook = bridges.isEmpty ? nil : ahead.outlook(atStop: departure.stopOrder)
    }

    /// The route; nil if the timetable does not have it.
    package var route: TransitRoute? { departure.route.map { snapshot.feed[$0] } }
    /// Where it leaves.
    package var stop: TransitStop { snapshot.feed[departure.stop] }
    /// Seconds until it leaves, negative after that; nil if its moment is not known, or nothing stops here then.
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
    func write(to json: inout JSONWriter, _ clock: inout MomentText, tellsWhy: Bool = true) {
        json.object { json in
            writeTrip(into: &json)
            writeStop(into: &json)
            writeTimes(into: &json, &clock)
            writeVehicle(into: &json, &clock)
            json.list("bridges", bridges) { $1.write(to: &$0, &clock, tellsWhy: tellsWhy) }
            json.field("bridge_delay", outlook)
        }
    }

    private func writeTrip(into json: inout JSONWriter) {
        let route = route
        json.field("trip_id", departure.tripID)
        json.field("service_date", departure.run.map { "\($0.date)" })
        json.field("start_time", departure.run?.startSeconds.map(ServiceTimeText.text))
        json.field("route_id", route?.id)
        json.field("route", route?.title)
        json.field("route_color", route?.webColour)
        json.field("route_text_color", route?.webTextColour)
        json.field("kind", route?.kind.word)
        json.field("headsign", departure.headsign.isEmpty ? nil : departure.headsign)
        json.field("trip_short_name", departure.shortName.isEmpty ? nil : departure.shortName)
        json.field("direction", departure.direction)
        json.field("direction_name", directionName)
    }

    /// Where it stops.
    func writeStop(into json: inout JSONWriter) {
        let stop = stop
        json.field("stop_id", stop.id)
        json.field("stop_name", stop.name)
        json.field("platform", stop.platform.isEmpty ? nil : stop.platform)
        let planned = departure.plannedStop.map { snapshot.feed[$0] }
        json.field("planned_platform", planned.map { $0.platform.isEmpty ? $0.id : $0.platform })
        json.field("wheelchair", departure.wheelchair.word)
    }

    /// When it stops, as scheduled and as predicted.
    func writeTimes(into json: inout JSONWriter, _ clock: inout MomentText) {
        json.fields(
            "scheduled_arrival", "scheduled_arrival_epoch_s", departure.scheduledArrival, &clock)
        json.fields(
            "scheduled_departure", "scheduled_departure_epoch_s", departure.scheduledDeparture,
            &clock)
        json.fields(
            "predicted_arrival", "predicted_arrival_epoch_s", departure.predictedArrival, &clock)
        json.fields(
            "predicted_departure", "predicted_departure_epoch_s", departure.predictedDeparture,
            &clock)
        json.fields("expected", "expected_epoch_s", departure.expected, &clock)
        let left = countdownSeconds
        json.field("countdown_s", left)
        json.field("countdown", left.map { Countdown.text(seconds: $0) })
        json.field("delay_s", departure.delaySeconds)
        json.field("status", departure.status.rawValue)
        json.field("prediction_origin", departure.origin?.word)
        json.field("spread_s", departure.spreadSeconds, decimals: 0)
        json.field("approximate", departure.isApproximate)
        json.field("confidence", departure.confidence.rawValue)
        json.field("confidence_color", departure.confidence.colourName)
    }

    private func writeVehicle(into json: inout JSONWriter, _ clock: inout MomentText) {
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
