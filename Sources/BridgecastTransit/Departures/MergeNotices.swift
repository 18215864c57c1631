// Notices of a merge: trips and stops that the timetable does not have, and feeds that do not fit it at all.
internal import BridgecastCore
internal import BridgecastSupport

extension RealtimeMerge {
    static var updateFile: String { "TripUpdate" }
    static var vehicleFile: String { "VehiclePosition" }

    /// Notes that a selector means no run of the timetable.
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
            let day = selector.startDate.map { "on " + printable($0) } ?? "around this time"
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
    mutating func noteDuplicate(_ update: TripUpdate) {
        result.notices.add(
            .warning, "duplicate_trip_update", file: Self.updateFile, field: "trip_id",
            "trip '\(printable(update.trip.tripID ?? ""))' is updated twice; the newer update is used"
        )
    }

    /// Notes that an added trip has no stop with a time.
    mutating func noteEmpty(_ update: TripUpdate) {
        result.notices.add(
            .warning, "added_trip_without_times", file: Self.updateFile, field: "stop_time_update",
            "trip '\(printable(update.trip.tripID ?? ""))' is added without a stop of the timetable that "
                + "has a time; it is left out")
    }

    /// Notes stops of an update that its trip does not have.
    mutating func noteUnmatched(_ updates: [Int], _ update: TripUpdate) {
        func name(_ stop: StopTimeUpdate) -> String {
            stop.stopID.map { "stop '" + printable($0) + "'" }
                ?? stop.sequence.map { "stop_sequence \($0)" } ?? "a stop without a name"
        }
        for index in updates {
            result.notices.add(
                .warning, "stop_not_in_trip", file: Self.updateFile, field: "stop_id",
                "trip '\(printable(update.trip.tripID ?? ""))' does not call at "
                    + "\(name(update.stops[index])); "
                    + "its update is left out")
        }
    }

    /// Notes times that no lateness explains.
    mutating func noteImplausible(_ count: Int, _ update: TripUpdate) {
        result.notices.add(
            .warning, "implausible_prediction", file: Self.updateFile, field: "time",
            "trip '\(printable(update.trip.tripID ?? ""))': \(count) times are more than a day from "
                + "the timetable; they are left out")
    }
}

// MARK: - Feeds that do not fit

/// Whether a feed's trips are in the timetable, and whether it has timestamps in the future.
struct SourceFit: Sendable {
    /// Trips that are not in the timetable.
    private var foreignTrips: Set<String> = []
    /// Routes that are not in the timetable, of entities that name no trip.
    private var foreignRoutes: Set<String> = []
    private var knowsTrip = false
    private var knowsRoute = false
    /// The number of entities with a timestamp in the future.
    private var aheadCount = 0
    /// The maximum by which they are ahead, seconds.
    private var maxAheadSeconds: Int64 = 0

    /// Notes what an entity is about.
    ///
    /// Trips that a feed adds are never in the timetable. Once one trip is known the feed fits, and no more are looked up.
    mutating func note(_ selector: TripSelector, _ resolver: TripResolver) {
        guard !knowsTrip else { return }
        let isAdded = selector.relationship == .added || selector.relationship == .new
        if let id = selector.tripID, !id.isEmpty {
            if resolver.trip(selector) != nil {
                knowsTrip = true
            } else if !isAdded {
                foreignTrips.insert(id)
            }
        } else if let id = selector.routeID, !id.isEmpty, !knowsRoute {
            if resolver.route(selector) != nil {
                knowsRoute = true
            } else {
                foreignRoutes.insert(id)
            }
        }
    }

    /// Counts an entity that is `seconds` in the future.
    mutating func countAhead(_ seconds: Int64) {
        aheadCount += 1
        maxAheadSeconds = max(maxAheadSeconds, seconds)
    }

    /// Such as `none of its 25 trips is in the timetable`; nil if one is, or the feed names none.
    var foreignMessage: String? {
        guard !knowsTrip else { return nil }
        if !foreignTrips.isEmpty { return Self.none(foreignTrips, "trip") }
        return knowsRoute || foreignRoutes.isEmpty ? nil : Self.none(foreignRoutes, "route")
    }

    /// Such as `2 of its entities have timestamps up to 3600 s in the future; they are left out`; nil if none is.
    var futureMessage: String? {
        switch aheadCount {
        case 0: nil
        case 1:
            "one of its entities has a timestamp \(maxAheadSeconds) s in the future; it is left out"
        default:
            "\(aheadCount) of its entities have timestamps up to \(maxAheadSeconds) s in the future; "
                + "they are left out"
        }
    }

    private static func none(_ ids: Set<String>, _ kind: String) -> String {
        guard ids.count == 1, let only = ids.first else {
            return "none of its \(ids.count) \(kind)s is in the timetable"
        }
        return "its only \(kind), '\(printable(only))', is not in the timetable"
    }
}

extension RealtimeMerge {
    /// Whether a timestamp is plausible: not farther in the future than clocks differ.
    ///
    /// If it is not, its feed's count rises.
    mutating func isPlausible(_ timestamp: Timestamp?, of source: Int) -> Bool {
        guard let timestamp else { return true }
        let ahead = timestamp.secondsSinceEpoch - asOf.secondsSinceEpoch
        guard ahead > RealtimeState.maxAheadSeconds else { return true }
        fits[source].countAhead(ahead)
        return false
    }

    /// Notes which feeds do not fit, by their identifiers.
    mutating func noteFits(of sources: [String]) {
        for (id, fit) in zip(sources, fits) {
            if let message = fit.foreignMessage {
                result.notices.add(
                    .warning, FeedNotice.foreignFeedCode, file: id,
                    "\(message): it is of another agency, or the timetable is out of date")
            }
            if let message = fit.futureMessage {
                result.notices.add(
                    .warning, FeedNotice.futureCode, file: id, field: "timestamp", message)
            }
        }
    }
}
