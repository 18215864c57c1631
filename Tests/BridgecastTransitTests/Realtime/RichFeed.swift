// A realtime feed in which everything that is read is set: as a message, and as the values that it is read as.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTransit
import SwiftProtobuf

enum RichFeed {
    static let seconds: Int64 = 1_771_380_000

    private static func time(_ offset: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: seconds + offset)
    }

    private static func stamp(_ offset: Int64) -> UInt64 { UInt64(seconds + offset) }
}

// MARK: - Message

extension RichFeed {
    static func bytes() throws -> [UInt8] { try message.bytes() }

    static var message: TransitRealtime_FeedMessage {
        var gone = TransitRealtime_FeedEntity()
        gone.id = "gone"
        gone.isDeleted = true
        var update = TransitRealtime_FeedEntity(id: "ü/1", tripUpdate: updateMessage)
        update.isDeleted = false
        var message = TransitRealtime_FeedMessage(
            at: seconds,
            [
                update, TransitRealtime_FeedEntity(id: "v", vehicle: vehicleMessage),
                TransitRealtime_FeedEntity(id: "a", alert: alertMessage), gone,
            ])
        message.header.incrementality = .differential
        return message
    }

    private static var tripMessage: TransitRealtime_TripDescriptor {
        var trip = TransitRealtime_TripDescriptor()
        trip.tripID = "t"
        trip.routeID = "r"
        trip.directionID = 1
        trip.startTime = "25:10:00"
        trip.startDate = "20260217"
        trip.scheduleRelationship = .duplicated
        return trip
    }

    private static var labelMessage: TransitRealtime_VehicleDescriptor {
        var label = TransitRealtime_VehicleDescriptor()
        label.id = "9"
        label.label = "Nine"
        label.licensePlate = "ABC"
        label.wheelchairAccessible = .wheelchairAccessible
        return label
    }

    static var updateMessage: TransitRealtime_TripUpdate {
        var stop = TransitRealtime_TripUpdate.StopTimeUpdate()
        stop.stopSequence = 0
        stop.stopID = "a"
        stop.stopTimeProperties.assignedStopID = "a2"
        stop.stopTimeProperties.stopHeadsign = "There"
        stop.arrival.delay = 0
        stop.arrival.time = seconds + 60
        stop.arrival.scheduledTime = seconds + 60
        stop.arrival.uncertainty = 0
        stop.departure.delay = -5
        stop.departureOccupancyStatus = .empty
        stop.scheduleRelationship = .scheduled
        var skipped = TransitRealtime_TripUpdate.StopTimeUpdate()
        skipped.stopID = "b"
        skipped.scheduleRelationship = .noData
        var update = TransitRealtime_TripUpdate()
        update.trip = tripMessage
        update.vehicle = labelMessage
        update.timestamp = stamp(1)
        update.delay = -30
        update.tripProperties.tripID = "t2"
        update.tripProperties.startDate = "20260218"
        update.tripProperties.startTime = "01:00:00"
        update.tripProperties.shapeID = "s"
        update.tripProperties.tripHeadsign = "Home"
        update.tripProperties.tripShortName = "X1"
        update.stopTimeUpdate = [stop, skipped]
        return update
    }

    static var vehicleMessage: TransitRealtime_VehiclePosition {
        var vehicle = TransitRealtime_VehiclePosition()
        vehicle.trip = tripMessage
        vehicle.vehicle = labelMessage
        vehicle.timestamp = stamp(2)
        vehicle.position.latitude = 47.6472
        vehicle.position.longitude = -122.3047
        vehicle.position.bearing = 0
        vehicle.position.odometer = 12_345.678
        vehicle.position.speed = 0
        vehicle.currentStopSequence = 3
        vehicle.stopID = "a"
        vehicle.currentStatus = .incomingAt
        vehicle.congestionLevel = .unknownCongestionLevel
        vehicle.occupancyStatus = .empty
        vehicle.occupancyPercentage = 0
        var carriage = TransitRealtime_VehiclePosition.CarriageDetails()
        carriage.id = "c"
        carriage.label = "1"
        carriage.occupancyStatus = .notBoardable
        carriage.occupancyPercentage = 101
        carriage.carriageSequence = 1
        vehicle.multiCarriageDetails = [
            carriage, TransitRealtime_VehiclePosition.CarriageDetails(),
        ]
        return vehicle
    }

    static var alertMessage: TransitRealtime_Alert {
        var alert = TransitRealtime_Alert()
        var began = TransitRealtime_TimeRange()
        began.start = stamp(0)
        var ends = TransitRealtime_TimeRange()
        ends.end = stamp(9)
        alert.activePeriod = [began, ends]
        var selector = TransitRealtime_EntitySelector()
        selector.agencyID = "g"
        selector.routeID = "r"
        selector.stopID = "s"
        selector.routeType = 3
        selector.directionID = 0
        selector.trip = tripMessage
        alert.informedEntity = [selector]
        alert.cause = .construction
        alert.effect = .significantDelays
        alert.severityLevel = .severe
        alert.headerText = translated([("Bridge up", "en"), ("Brücke offen", "de")])
        alert.descriptionText = translated([("Wait.", nil)])
        alert.url = translated([("https://example.org/a", "en")])
        return alert
    }

    private static func translated(
        _ texts: [(text: String, language: String?)]
    ) -> TransitRealtime_TranslatedString {
        var translated = TransitRealtime_TranslatedString()
        translated.translation = texts.map { text, language in
            var translation = TransitRealtime_TranslatedString.Translation()
            translation.text = text
            if let language { translation.language = language }
            return translation
        }
        return translated
    }
}

extension TransitRealtime_FeedMessage {
    /// A full dataset.
    init(at seconds: Int64?, _ entities: [TransitRealtime_FeedEntity] = []) {
        self.init()
        header.gtfsRealtimeVersion = "2.0"
        if let seconds { header.timestamp = UInt64(seconds) }
        entity = entities
    }

    func bytes() throws -> [UInt8] { try serializedBytes(partial: true) }
}

extension TransitRealtime_FeedEntity {
    init(
        id: String, tripUpdate: TransitRealtime_TripUpdate? = nil,
        vehicle: TransitRealtime_VehiclePosition? = nil, alert: TransitRealtime_Alert? = nil
    ) {
        self.init()
        self.id = id
        if let tripUpdate { self.tripUpdate = tripUpdate }
        if let vehicle { self.vehicle = vehicle }
        if let alert { self.alert = alert }
    }
}

// MARK: - Values

extension RichFeed {
    static let feed = RealtimeFeed(
        version: "2.0", isDifferential: true, timestamp: time(0),
        entities: [
            RealtimeEntity(id: "ü/1", isDeleted: false, tripUpdate: update),
            RealtimeEntity(id: "v", vehicle: vehicle), RealtimeEntity(id: "a", alert: alert),
            RealtimeEntity(id: "gone", isDeleted: true),
        ])

    private static var trip: TripSelector {
        var trip = TripSelector()
        trip.tripID = "t"
        trip.routeID = "r"
        trip.direction = 1
        trip.startTime = "25:10:00"
        trip.startDate = "20260217"
        trip.relationship = .duplicated
        return trip
    }

    private static var label: VehicleLabel {
        var label = VehicleLabel()
        label.id = "9"
        label.label = "Nine"
        label.licencePlate = "ABC"
        label.wheelchair = 2
        return label
    }

    static var update: TripUpdate {
        var properties = TripProperties()
        properties.tripID = "t2"
        properties.startDate = "20260218"
        properties.startTime = "01:00:00"
        properties.shapeID = "s"
        properties.headsign = "Home"
        properties.shortName = "X1"
        var stop = StopTimeUpdate()
        stop.sequence = 0
        stop.stopID = "a"
        stop.assignedStopID = "a2"
        stop.arrival = StopTimeEvent(
            delaySeconds: 0, time: time(60), scheduledTime: time(60), uncertaintySeconds: 0)
        stop.departure = StopTimeEvent(delaySeconds: -5)
        stop.departureOccupancy = .empty
        stop.relationship = .scheduled
        stop.headsign = "There"
        var skipped = StopTimeUpdate()
        skipped.stopID = "b"
        skipped.relationship = .noData
        var update = TripUpdate()
        update.trip = trip
        update.vehicle = label
        update.timestamp = time(1)
        update.delaySeconds = -30
        update.properties = properties
        update.stops = [stop, skipped]
        return update
    }

    static var vehicle: VehicleReport {
        var carriage = VehicleReport.Carriage()
        carriage.id = "c"
        carriage.label = "1"
        carriage.occupancy = .notBoardable
        carriage.occupancyPercentage = 101
        carriage.sequence = 1
        var report = VehicleReport()
        report.trip = trip
        report.vehicle = label
        report.timestamp = time(2)
        report.latitude = 47.6472
        report.longitude = -122.3047
        report.bearing = 0
        report.odometer = 12_345.678
        report.speed = 0
        report.stopSequence = 3
        report.stopID = "a"
        report.stopStatus = .incomingAt
        report.congestionLevel = 0
        report.occupancy = .empty
        report.occupancyPercentage = 0
        report.carriages = [carriage, VehicleReport.Carriage()]
        return report
    }

    static var alert: ServiceAlert {
        var selector = ServiceAlert.Selector()
        selector.agencyID = "g"
        selector.routeID = "r"
        selector.stopID = "s"
        selector.routeType = 3
        selector.direction = 0
        selector.trip = trip
        var alert = ServiceAlert()
        alert.activePeriods = [
            .init(start: time(0), end: nil), .init(start: nil, end: time(9)),
        ]
        alert.informed = [selector]
        alert.cause = 10
        alert.effect = 3
        alert.severity = 4
        alert.header = [.init("Bridge up", language: "en"), .init("Brücke offen", language: "de")]
        alert.description = [.init("Wait.", language: "")]
        alert.url = [.init("https://example.org/a", language: "en")]
        return alert
    }
}
