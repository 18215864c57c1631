// A realtime feed in JSON, in snake, camel and Pascal case alike, into values.
internal import BridgecastCore

/// Reads feeds in JSON: protobuf's own mapping, and what others made by hand, such as 511's.
struct RealtimeJSONReader {
    var intake: RealtimeIntake

    /// A feed.
    ///
    /// - Throws: `DocumentProblem` if it has more entities than any feed.
    mutating func feed(_ root: JSONTree) throws(DocumentProblem) -> RealtimeFeed {
        var feed = RealtimeFeed()
        if let header = root["header"] {
            feed.version = intake.text(header, "gtfsrealtimeversion")
            let increment = intake.choice(header, "incrementality", .incrementality)
            feed.isDifferential = increment == 1
            feed.timestamp = intake.moment(header, "timestamp")
        }
        let entities = try intake.list(root, "entity", "entities")
        guard entities.count <= RealtimeIntake.mostEntities else {
            throw DocumentProblem(
                "entity", "\(entities.count) of them, more than any feed has")
        }
        for (number, entity) in entities.enumerated() {
            intake.subject = .entity(number + 1, "")
            feed.entities.append(try self.entity(entity, number + 1))
        }
        return feed
    }

    private mutating func entity(
        _ tree: JSONTree, _ number: Int
    ) throws(DocumentProblem) -> RealtimeEntity {
        let id = intake.text(tree, "id")
        intake.subject = .entity(number, id ?? "")
        return RealtimeEntity(
            id: id ?? "", isDeleted: intake.flag(tree, "isdeleted"),
            tripUpdate: try tree["tripupdate"].map { (t) throws(DocumentProblem) in
                try tripUpdate(t)
            },
            vehicle: try tree["vehicle"].map { (t) throws(DocumentProblem) in try vehicle(t) },
            alert: try tree["alert"].map { (t) throws(DocumentProblem) in try alert(t) })
    }

    private mutating func tripUpdate(_ tree: JSONTree) throws(DocumentProblem) -> TripUpdate {
        var update = TripUpdate()
        update.trip = tree["trip"].map { trip($0) } ?? TripSelector()
        update.vehicle = tree["vehicle"].map { label($0) }
        update.timestamp = intake.moment(tree, "timestamp")
        update.delaySeconds = intake.count(tree, "delay")
        update.properties = tree["tripproperties"].map { properties($0) }
        for stop in try intake.list(tree, "stoptimeupdate", "stoptimeupdates") {
            update.stops.append(self.stop(stop))
        }
        return update
    }

    private mutating func stop(_ tree: JSONTree) -> StopTimeUpdate {
        var stop = StopTimeUpdate()
        stop.sequence = intake.count(tree, "stopsequence")
        stop.stopID = intake.text(tree, "stopid")
        stop.arrival = tree["arrival"].map { event($0) }
        stop.departure = tree["departure"].map { event($0) }
        stop.departureOccupancy = intake.choice(tree, "departureoccupancystatus", .occupancy)
            .flatMap(Occupancy.init)
        stop.relationship = intake.choice(tree, "schedulerelationship", .stopRelationship)
            .flatMap(StopTimeUpdate.Relationship.init)
        guard let properties = tree["stoptimeproperties"] else { return stop }
        stop.assignedStopID = intake.text(properties, "assignedstopid")
        stop.headsign = intake.text(properties, "stopheadsign")
        return stop
    }

    private mutating func event(_ tree: JSONTree) -> StopTimeEvent {
        StopTimeEvent(
            delaySeconds: intake.count(tree, "delay"), time: intake.moment(tree, "time"),
            scheduledTime: intake.moment(tree, "scheduledtime"),
            uncertaintySeconds: intake.count(tree, "uncertainty"))
    }

    private mutating func vehicle(_ tree: JSONTree) throws(DocumentProblem) -> VehicleReport {
        var report = VehicleReport()
        report.trip = tree["trip"].map { trip($0) }
        report.vehicle = tree["vehicle"].map { label($0) }
        if let position = tree["position"] {
            report.latitude = intake.float(position, "latitude")
            report.longitude = intake.float(position, "longitude")
            report.bearing = intake.float(position, "bearing")
            report.odometer = intake.real(position, "odometer")
            report.speed = intake.float(position, "speed")
        }
        report.stopSequence = intake.count(tree, "currentstopsequence")
        report.stopID = intake.text(tree, "stopid")
        report.stopStatus = intake.choice(tree, "currentstatus", .stopStatus)
            .flatMap(VehicleReport.StopStatus.init)
        report.timestamp = intake.moment(tree, "timestamp")
        report.congestionLevel = intake.choice(tree, "congestionlevel", .congestionLevel)
        report.occupancy = intake.choice(tree, "occupancystatus", .occupancy)
            .flatMap(Occupancy.init)
        report.occupancyPercentage = intake.count(tree, "occupancypercentage")
        for carriage in try intake.list(tree, "multicarriagedetails") {
            report.carriages.append(self.carriage(carriage))
        }
        return report
    }

    private mutating func carriage(_ tree: JSONTree) -> VehicleReport.Carriage {
        var carriage = VehicleReport.Carriage()
        carriage.id = intake.text(tree, "id")
        carriage.label = intake.text(tree, "label")
        carriage.occupancy = intake.choice(tree, "occupancystatus", .occupancy)
            .flatMap(Occupancy.init)
        carriage.occupancyPercentage = intake.count(tree, "occupancypercentage")
            .flatMap { $0 < 0 ? nil : $0 }
        carriage.sequence = intake.count(tree, "carriagesequence")
        return carriage
    }
}
