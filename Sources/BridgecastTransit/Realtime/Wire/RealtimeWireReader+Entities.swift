// The messages of an entity into values: what is not set is nil.
internal import BridgecastCore
internal import BridgecastRealtimeWire

extension RealtimeWireReader {
    mutating func entity(
        _ wire: TransitRealtime_FeedEntity
    ) throws(DocumentProblem) -> RealtimeEntity {
        try intake.count(1)
        if wire.hasShape || wire.hasStop || wire.hasTripModifications {
            intake.note(
                .info, "unused_entity", "", "shapes, stops and changes of trips are not used")
        }
        return RealtimeEntity(
            id: wire.id, isDeleted: wire.hasIsDeleted ? wire.isDeleted : nil,
            tripUpdate: wire.hasTripUpdate ? try tripUpdate(wire.tripUpdate) : nil,
            vehicle: wire.hasVehicle ? try vehicle(wire.vehicle) : nil,
            alert: wire.hasAlert ? try alert(wire.alert) : nil)
    }

    private mutating func tripUpdate(
        _ wire: TransitRealtime_TripUpdate
    ) throws(DocumentProblem) -> TripUpdate {
        try intake.count(wire.stopTimeUpdate.count)
        var update = TripUpdate()
        update.trip = TripSelector(wire.trip)
        if wire.hasVehicle { update.vehicle = VehicleLabel(wire.vehicle) }
        if wire.hasTimestamp {
            update.timestamp = intake.moment(wire.timestamp, "trip_update.timestamp")
        }
        if wire.hasDelay { update.delaySeconds = Int(wire.delay) }
        if wire.hasTripProperties { update.properties = TripProperties(wire.tripProperties) }
        update.stops.reserveCapacity(wire.stopTimeUpdate.count)
        for stop in wire.stopTimeUpdate { update.stops.append(self.stop(stop)) }
        return update
    }

    private mutating func stop(
        _ wire: TransitRealtime_TripUpdate.StopTimeUpdate
    ) -> StopTimeUpdate {
        var stop = StopTimeUpdate()
        if wire.hasStopSequence { stop.sequence = Int(wire.stopSequence) }
        if wire.hasStopID { stop.stopID = wire.stopID }
        if wire.hasArrival { stop.arrival = event(wire.arrival, "arrival.time") }
        if wire.hasDeparture { stop.departure = event(wire.departure, "departure.time") }
        if wire.hasDepartureOccupancyStatus {
            stop.departureOccupancy = Occupancy(rawValue: wire.departureOccupancyStatus.rawValue)
        }
        if wire.hasScheduleRelationship {
            stop.relationship = .init(rawValue: wire.scheduleRelationship.rawValue)
        }
        guard wire.hasStopTimeProperties else { return stop }
        let properties = wire.stopTimeProperties
        if properties.hasAssignedStopID { stop.assignedStopID = properties.assignedStopID }
        if properties.hasStopHeadsign { stop.headsign = properties.stopHeadsign }
        return stop
    }

    private mutating func event(
        _ wire: TransitRealtime_TripUpdate.StopTimeEvent, _ field: String
    ) -> StopTimeEvent {
        StopTimeEvent(
            delaySeconds: wire.hasDelay ? Int(wire.delay) : nil,
            time: wire.hasTime ? intake.moment(wire.time, field) : nil,
            scheduledTime: wire.hasScheduledTime ? intake.moment(wire.scheduledTime, field) : nil,
            uncertaintySeconds: wire.hasUncertainty ? Int(wire.uncertainty) : nil)
    }

    private mutating func vehicle(
        _ wire: TransitRealtime_VehiclePosition
    ) throws(DocumentProblem) -> VehicleReport {
        try intake.count(wire.multiCarriageDetails.count)
        var report = VehicleReport()
        if wire.hasTrip { report.trip = TripSelector(wire.trip) }
        if wire.hasVehicle { report.vehicle = VehicleLabel(wire.vehicle) }
        if wire.hasPosition { report.place(wire.position) }
        if wire.hasCurrentStopSequence { report.stopSequence = Int(wire.currentStopSequence) }
        if wire.hasStopID { report.stopID = wire.stopID }
        if wire.hasCurrentStatus {
            report.stopStatus = .init(rawValue: wire.currentStatus.rawValue)
        }
        if wire.hasTimestamp {
            report.timestamp = intake.moment(wire.timestamp, "vehicle.timestamp")
        }
        if wire.hasCongestionLevel { report.congestionLevel = wire.congestionLevel.rawValue }
        if wire.hasOccupancyStatus {
            report.occupancy = Occupancy(rawValue: wire.occupancyStatus.rawValue)
        }
        if wire.hasOccupancyPercentage {
            report.occupancyPercentage = Int(wire.occupancyPercentage)
        }
        report.carriages = wire.multiCarriageDetails.map(VehicleReport.Carriage.init)
        return report
    }

    private mutating func alert(
        _ wire: TransitRealtime_Alert
    ) throws(DocumentProblem) -> ServiceAlert {
        let texts = [wire.headerText, wire.descriptionText, wire.url]
        try intake.count(
            wire.activePeriod.count + wire.informedEntity.count
                + texts.reduce(0) { $0 + $1.translation.count })
        var alert = ServiceAlert()
        for period in wire.activePeriod { alert.activePeriods.append(self.period(period)) }
        alert.informed = wire.informedEntity.map(ServiceAlert.Selector.init)
        if wire.hasCause { alert.cause = wire.cause.rawValue }
        if wire.hasEffect { alert.effect = wire.effect.rawValue }
        if wire.hasSeverityLevel { alert.severity = wire.severityLevel.rawValue }
        alert.header = wire.headerText.translation.map(ServiceAlert.Translation.init)
        alert.description = wire.descriptionText.translation.map(ServiceAlert.Translation.init)
        alert.url = wire.url.translation.map(ServiceAlert.Translation.init)
        return alert
    }

    private mutating func period(_ wire: TransitRealtime_TimeRange) -> ServiceAlert.Period {
        // 0 is a usual word for an end that is open, and needs no notice.
        ServiceAlert.Period(
            start: wire.start == 0 ? nil : intake.moment(wire.start, "alert.active_period.start"),
            end: wire.end == 0 ? nil : intake.moment(wire.end, "alert.active_period.end"))
    }
}
