// What is wrong with the content of a realtime feed, whatever its form; timetables are not needed.
internal import BridgecastSupport
internal import BridgecastCore

/// Checks a feed without its timetable.
///
/// Rules of gtfs-realtime-validator (MobilityData, RULES.md): E002, E025, E026, E027, E038 to E040, E041, E052, W001,
/// W002, W006; E001 is found in reading.
struct RealtimeCheck {
    private var notices: FeedNotices
    private var subject = (number: 0, id: "")
    private var ids: Set<String> = []

    /// Adds a notice for everything that is wrong.
    static func check(_ feed: RealtimeFeed, _ notices: inout FeedNotices) {
        var check = RealtimeCheck(notices: notices)
        check.header(feed)
        check.ids.reserveCapacity(feed.entities.count)
        for (index, entity) in feed.entities.enumerated() {
            check.subject = (index + 1, entity.id)
            check.identity(entity, isDifferential: feed.isDifferential)
            entity.tripUpdate.map { check.tripUpdate($0) }
            entity.vehicle.map { check.vehicle($0) }
            entity.alert.map { check.alert($0) }
        }
        notices = check.notices
    }

    private init(notices: FeedNotices) { self.notices = notices }

    private mutating func note(
        _ code: String, field: String, _ message: @autoclosure () -> String,
        severity: FeedNotice.Severity = .warning
    ) {
        notices.add(
            severity, code, field: field,
            "entity \(subject.number) ('\(printable(subject.id, maxLength: 40))'): \(message())")
    }

    private mutating func header(_ feed: RealtimeFeed) {
        if feed.version == nil {
            notices.add(.warning, "missing_version", field: "header", "no gtfs_realtime_version")
        }
        if feed.timestamp == nil {
            notices.add(
                .warning, "missing_timestamp", field: "header",
                "no timestamp; its age is unknown")
        }
    }

    private mutating func identity(_ entity: RealtimeEntity, isDifferential: Bool) {
        if entity.id.isEmpty {
            note("missing_entity_id", field: "id", "no id")
        } else if !ids.insert(entity.id).inserted {
            note("duplicate_entity_id", field: "id", "another entity has the same id")
        }
        if entity.isDeleted == true, !isDifferential {
            note(
                "deleted_in_full_dataset", field: "is_deleted",
                "only differential feeds remove entities")
        }
        let isEmpty = entity.tripUpdate == nil && entity.vehicle == nil && entity.alert == nil
        if isEmpty, entity.isDeleted != true {
            note("entity_without_content", field: "", "neither trip update nor vehicle nor alert")
        }
    }

    // MARK: Trips

    private mutating func trip(_ trip: TripSelector, _ field: String) {
        if trip.tripID == nil, trip.routeID == nil {
            note("trip_without_id", field: field, "neither trip_id nor route_id")
        }
        if let date = trip.startDate, !date.isEmpty, CivilDate(compact: date.utf8) == nil {
            note("invalid_date", field: field, "start_date '\(printable(date, maxLength: 20))'")
        }
        if let time = trip.startTime, !time.isEmpty, !Self.isTime(time) {
            note("invalid_time", field: field, "start_time '\(printable(time, maxLength: 20))'")
        }
        if let direction = trip.direction, !(0...1).contains(direction) {
            note("invalid_direction", field: field, "direction_id \(direction) is neither 0 nor 1")
        }
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    private mutating func tripUpdate(_ update: TripUpdate) {
        trip(update.trip, "trip_update.trip")
        if update.stops.isEmpty, update.delaySeconds == nil, needsStops(update.trip) {
            note("trip_without_stops", field: "trip_update", "no stop_time_update and no delay")
        }
        var lastSequence: Int?
        var lastTime: Timestamp?
        for stop in update.stops {
            self.stop(stop)
            if let next = stop.sequence, let last = lastSequence, next <= last {
                note(
                    "stop_sequence_not_increasing", field: "stop_sequence",
                    "\(next) follows \(last)")
            }
            lastSequence = stop.sequence ?? lastSequence
            for time in [stop.arrival?.time, stop.departure?.time] {
                guard let time else { continue }
                if let last = lastTime, time < last {
                    note(
                        "decreasing_stop_times", field: "stop_time_update",
                        "\(time.secondsSinceEpoch) follows \(last.secondsSinceEpoch)")
                }
                lastTime = time
            }
        }
    }

    private func needsStops(_ trip: TripSelector) -> Bool {
        trip.relationship != .cancelled && trip.relationship != .deleted
            && trip.relationship != .duplicated
    }

    private mutating func stop(_ stop: StopTimeUpdate) {
        if stop.sequence == nil, stop.stopID == nil {
            note(
                "stop_without_id", field: "stop_time_update", "neither stop_sequence nor stop_id")
        }
        let isTimed = stop.arrival != nil || stop.departure != nil
        if !isTimed, (stop.relationship ?? .scheduled) == .scheduled {
            note("stop_without_times", field: "stop_time_update", "neither arrival nor departure")
        }
        for event in [stop.arrival, stop.departure] {
            guard let event, event.time == nil, event.delaySeconds == nil else { continue }
            note("event_without_time", field: "stop_time_update", "neither time nor delay")
        }
    }

    // MARK: Vehicles and alerts

    private mutating func vehicle(_ report: VehicleReport) {
        report.trip.map { trip($0, "vehicle.trip") }
        if report.vehicle?.id ?? "" == "" {
            note(
                "missing_vehicle_id", field: "vehicle.vehicle.id", "no id of the vehicle",
                severity: .info)
        }
        if report.point == nil {
            note(
                "coordinates_out_of_range", field: "vehicle.position",
                "missing or out of range; ignored")
        }
        if let bearing = report.bearing, !(0...360).contains(bearing) {
            note("bearing_out_of_range", field: "vehicle.position.bearing", "\(bearing) degrees")
        }
        if let speed = report.speed, !(0...120).contains(speed) {
            note("speed_out_of_range", field: "vehicle.position.speed", "\(speed) m/s")
        }
        if report.timestamp == nil {
            note(
                "missing_vehicle_timestamp", field: "vehicle.timestamp", "no timestamp",
                severity: .info)
        }
    }

    private mutating func alert(_ alert: ServiceAlert) {
        if alert.header.isEmpty {
            note("missing_header_text", field: "alert.header_text", "no text")
        }
        if alert.informed.isEmpty {
            note(
                "alert_without_informed_entity", field: "alert.informed_entity",
                "informed_entity is empty")
        }
        for period in alert.activePeriods {
            guard let start = period.start, let end = period.end, start > end else { continue }
            note("period_ends_before_start", field: "alert.active_period", "it is never active")
        }
    }
}
