// A realtime feed as lines of JSON, with all that it contains and nothing else; printed by `feed check`, compared
// with other readers by tools/checks.
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// Writes feeds with the names of the specification; what is not set is null, enums are numbers, times seconds.
package enum RealtimeDump {
    /// The first line: `{"header": {"gtfs_realtime_version", "incrementality", "timestamp"}}`.
    package static func header(_ feed: RealtimeFeed, into json: inout JSONWriter) {
        json.object {
            $0.object("header") {
                $0.field("gtfs_realtime_version", feed.version)
                $0.field("incrementality", feed.isDifferential ? 1 : 0)
                $0.seconds("timestamp", feed.timestamp)
            }
        }
    }

    /// A line: an entity as `FeedEntity` has it.
    package static func entity(_ entity: RealtimeEntity, into json: inout JSONWriter) {
        json.object {
            $0.field("id", entity.id)
            $0.field("is_deleted", entity.isDeleted)
            $0.part("trip_update", entity.tripUpdate) { $0.fields(of: $1) }
            $0.part("vehicle", entity.vehicle) { $0.fields(of: $1) }
            $0.part("alert", entity.alert) { $0.fields(of: $1) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func part<Part>(
        _ name: StaticString, _ part: Part?, _ body: (inout JSONWriter, Part) -> Void
    ) {
        guard let part else { return null(name) }
        object(name) { body(&$0, part) }
    }

    fileprivate mutating func seconds(_ name: StaticString, _ time: Timestamp?) {
        field(name, time.map { Int($0.secondsSinceEpoch) })
    }

    /// The shortest text that reads back as the same number; one that is not finite as protobuf's mapping has it.
    fileprivate mutating func exact(_ name: StaticString, _ number: Float?) {
        exact(name, number.map { ($0.isFinite, "\($0)") })
    }

    fileprivate mutating func exact(_ name: StaticString, _ number: Double?) {
        exact(name, number.map { ($0.isFinite, "\($0)") })
    }

    private mutating func exact(_ name: StaticString, _ number: (isFinite: Bool, text: String)?) {
        guard let number else { return null(name) }
        guard number.isFinite else { return field(name, number.text) }
        field(name, json: number.text.utf8)
    }

    // MARK: Selectors

    private mutating func fields(of trip: TripSelector) {
        field("trip_id", trip.tripID)
        field("route_id", trip.routeID)
        field("direction_id", trip.direction)
        field("start_time", trip.startTime)
        field("start_date", trip.startDate)
        field("schedule_relationship", trip.relationship?.rawValue)
    }

    private mutating func fields(of vehicle: VehicleLabel) {
        field("id", vehicle.id)
        field("label", vehicle.label)
        field("license_plate", vehicle.licencePlate)
        field("wheelchair_accessible", vehicle.wheelchair)
    }

    // MARK: Trips

    fileprivate mutating func fields(of update: TripUpdate) {
        object("trip") { $0.fields(of: update.trip) }
        part("vehicle", update.vehicle) { $0.fields(of: $1) }
        seconds("timestamp", update.timestamp)
        field("delay", update.delaySeconds)
        part("trip_properties", update.properties) { $0.fields(of: $1) }
        list("stop_time_update", update.stops) { json, stop in json.object { $0.fields(of: stop) } }
    }

    private mutating func fields(of properties: TripProperties) {
        field("trip_id", properties.tripID)
        field("start_date", properties.startDate)
        field("start_time", properties.startTime)
        field("shape_id", properties.shapeID)
        field("trip_headsign", properties.headsign)
        field("trip_short_name", properties.shortName)
    }

    private mutating func fields(of stop: StopTimeUpdate) {
        field("stop_sequence", stop.sequence)
        field("stop_id", stop.stopID)
        part("arrival", stop.arrival) { $0.fields(of: $1) }
        part("departure", stop.departure) { $0.fields(of: $1) }
        field("departure_occupancy_status", stop.departureOccupancy?.rawValue)
        field("schedule_relationship", stop.relationship?.rawValue)
        guard stop.assignedStopID != nil || stop.headsign != nil else { return }
        object("stop_time_properties") {
            $0.field("assigned_stop_id", stop.assignedStopID)
            $0.field("stop_headsign", stop.headsign)
        }
    }

    private mutating func fields(of event: StopTimeEvent) {
        field("delay", event.delaySeconds)
        seconds("time", event.time)
        seconds("scheduled_time", event.scheduledTime)
        field("uncertainty", event.uncertaintySeconds)
    }

    // MARK: Vehicles

    fileprivate mutating func fields(of report: VehicleReport) {
        part("trip", report.trip) { $0.fields(of: $1) }
        part("vehicle", report.vehicle) { $0.fields(of: $1) }
        object("position") {
            $0.exact("latitude", report.latitude)
            $0.exact("longitude", report.longitude)
            $0.exact("bearing", report.bearing)
            $0.exact("odometer", report.odometer)
            $0.exact("speed", report.speed)
        }
        field("current_stop_sequence", report.stopSequence)
        field("stop_id", report.stopID)
        field("current_status", report.stopStatus?.rawValue)
        seconds("timestamp", report.timestamp)
        field("congestion_level", report.congestionLevel)
        field("occupancy_status", report.occupancy?.rawValue)
        field("occupancy_percentage", report.occupancyPercentage)
        list("multi_carriage_details", report.carriages) { json, carriage in
            json.object { $0.fields(of: carriage) }
        }
    }

    private mutating func fields(of carriage: VehicleReport.Carriage) {
        field("id", carriage.id)
        field("label", carriage.label)
        field("occupancy_status", carriage.occupancy?.rawValue)
        field("occupancy_percentage", carriage.occupancyPercentage)
        field("carriage_sequence", carriage.sequence)
    }

    // MARK: Alerts

    fileprivate mutating func fields(of alert: ServiceAlert) {
        list("active_period", alert.activePeriods) { json, period in
            json.object {
                $0.seconds("start", period.start)
                $0.seconds("end", period.end)
            }
        }
        list("informed_entity", alert.informed) { json, selector in
            json.object { $0.fields(of: selector) }
        }
        field("cause", alert.cause)
        field("effect", alert.effect)
        field("severity_level", alert.severity)
        texts("header_text", alert.header)
        texts("description_text", alert.description)
        texts("url", alert.url)
    }

    private mutating func fields(of selector: ServiceAlert.Selector) {
        field("agency_id", selector.agencyID)
        field("route_id", selector.routeID)
        field("stop_id", selector.stopID)
        field("route_type", selector.routeType)
        field("direction_id", selector.direction)
        part("trip", selector.trip) { $0.fields(of: $1) }
    }

    private mutating func texts(_ name: StaticString, _ texts: [ServiceAlert.Translation]) {
        object(name) {
            $0.list("translation", texts) { json, text in
                json.object {
                    $0.field("text", text.text)
                    $0.field("language", text.language.isEmpty ? nil : text.language)
                }
            }
        }
    }
}
