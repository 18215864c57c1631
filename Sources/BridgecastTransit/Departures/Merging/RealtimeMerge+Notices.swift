// What could not be matched, in words: feeds are of another agency, of another timetable, or simply wrong.
internal import BridgecastCore

extension RealtimeMerge {
    static var updateFile: String { "TripUpdate" }
    static var vehicleFile: String { "VehiclePosition" }

    /// Notes that a selector means no run.
    mutating func note(_ miss: TripResolver.Miss, _ selector: TripSelector, file: String) {
        let trip = printable(selector.tripID ?? "")
        switch miss {
        case .unknownTrip where selector.tripID == nil:
            result.notices.add(
                .warning, "trip_start_not_in_timetable", file: file, field: "start_time",
                "no trip of route '\(printable(selector.routeID ?? ""))' starts at "
                    + "\(printable(selector.startTime ?? "")) then; it is left out")
        case .unknownTrip:
            result.notices.add(
                .warning, "trip_id_not_in_timetable", file: file, field: "trip_id",
                "the timetable has no trip '\(trip)'; it is left out")
        case .notThatDay:
            let day = selector.startDate.map { "on " + printable($0) } ?? "around this moment"
            result.notices.add(
                .warning, "trip_not_in_service", file: file, field: "start_date",
                "trip '\(trip)' does not run \(day) by the timetable; it is left out")
        case .unnamed:
            result.notices.add(
                .warning, "trip_not_named", file: file, field: "trip",
                "neither a trip_id nor a route_id with a start_time; it is left out")
        case .ambiguous:
            result.notices.add(
                .warning, "trip_ambiguous", file: file, field: "trip",
                "several trips of route '\(printable(selector.routeID ?? ""))' start at "
                    + "\(printable(selector.startTime ?? "")); it is left out")
        case .noStops:
            result.notices.add(
                .warning, "unusable_trip", file: file, field: "trip_id",
                "trip '\(trip)' stops nowhere by the timetable; it is left out")
        }
    }

    /// Notes that a trip has two updates.
    mutating func noteTwice(_ update: TripUpdate) {
        result.notices.add(
            .warning, "duplicate_trip_update", file: Self.updateFile, field: "trip_id",
            "trip '\(printable(update.trip.tripID ?? ""))' is updated twice; the newer update is used"
        )
    }

    /// Notes stops of an update that its trip does not have.
    mutating func noteUnmatched(_ updates: [Int], _ update: TripUpdate) {
        func name(_ stop: StopTimeUpdate) -> String {
            stop.stopID.map { "stop '" + printable($0) + "'" }
                ?? stop.sequence.map { "stop_sequence \($0)" } ?? "a stop without a name"
        }
        for number in updates {
            result.notices.add(
                .warning, "stop_not_in_trip", file: Self.updateFile, field: "stop_id",
                "trip '\(printable(update.trip.tripID ?? ""))' does not call at "
                    + "\(name(update.stops[number])); "
                    + "what is said of it is left out")
        }
    }

    /// Notes moments that no lateness explains.
    mutating func noteImplausible(_ count: Int, _ update: TripUpdate) {
        result.notices.add(
            .warning, "implausible_prediction", file: Self.updateFile, field: "time",
            "trip '\(printable(update.trip.tripID ?? ""))': \(count) moments lie more than a day from "
                + "the timetable; they are left out")
    }
}
