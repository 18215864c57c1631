// A realtime feed in which everything is set that values can hold; for tests of writing and reading back.
import BridgecastCore
import BridgecastTransit

enum RichFeed {
    static let feed = RealtimeFeed(
        version: "2.0", isDifferential: true, timestamp: at(0),
        entities: [
            RealtimeEntity(id: "ü/1", isDeleted: false, tripUpdate: update),
            RealtimeEntity(id: "v", vehicle: vehicle), RealtimeEntity(id: "a", alert: alert),
            RealtimeEntity(id: "gone", isDeleted: true),
        ])

    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: 1_771_380_000 + seconds)
    }

    private static var trip: TripSelector {
        var trip = TripSelector()
        (trip.tripID, trip.routeID, trip.direction) = ("t", "r", 1)
        (trip.startTime, trip.startDate) = ("25:10:00", "20260217")
        trip.relationship = .duplicated
        return trip
    }

    private static var label: VehicleLabel {
        var label = VehicleLabel()
        (label.id, label.label, label.licencePlate, label.wheelchair) = ("9", "Nine", "ABC", 2)
        return label
    }

    static var update: TripUpdate {
        var update = TripUpdate()
        (update.trip, update.vehicle, update.timestamp) = (trip, label, at(1))
        update.delaySeconds = -30
        var properties = TripProperties()
        (properties.tripID, properties.startDate, properties.startTime) = (
            "t2", "20260218", "01:00:00"
        )
        (properties.shapeID, properties.headsign, properties.shortName) = ("s", "Home", "X1")
        update.properties = properties
        var stop = StopTimeUpdate()
        (stop.sequence, stop.stopID, stop.assignedStopID) = (0, "a", "a2")
        stop.arrival = StopTimeEvent(
            delaySeconds: 0, time: at(60), scheduledTime: at(60), uncertaintySeconds: 0)
        stop.departure = StopTimeEvent(delaySeconds: -5)
        (stop.departureOccupancy, stop.relationship, stop.headsign) = (.empty, .scheduled, "There")
        var skipped = StopTimeUpdate()
        (skipped.stopID, skipped.relationship) = ("b", .noData)
        update.stops = [stop, skipped]
        return update
    }

    static var vehicle: VehicleReport {
        var report = VehicleReport()
        (report.trip, report.vehicle, report.timestamp) = (trip, label, at(2))
        (report.latitude, report.longitude) = (47.6472, -122.3047)
        (report.bearing, report.odometer, report.speed) = (0, 12_345.678, 0)
        (report.stopSequence, report.stopID, report.stopStatus) = (3, "a", .incomingAt)
        (report.congestionLevel, report.occupancy, report.occupancyPercentage) = (0, .empty, 0)
        var carriage = VehicleReport.Carriage()
        (carriage.id, carriage.label, carriage.occupancy) = ("c", "1", .notBoardable)
        (carriage.occupancyPercentage, carriage.sequence) = (101, 1)
        report.carriages = [carriage, VehicleReport.Carriage()]
        return report
    }

    static var alert: ServiceAlert {
        var alert = ServiceAlert()
        alert.activePeriods = [
            .init(start: at(0), end: nil), .init(start: nil, end: at(9)),
        ]
        var selector = ServiceAlert.Selector()
        (selector.agencyID, selector.routeID, selector.stopID) = ("g", "r", "s")
        (selector.routeType, selector.direction, selector.trip) = (3, 0, trip)
        alert.informed = [selector]
        (alert.cause, alert.effect, alert.severity) = (10, 3, 4)
        alert.header = [.init("Bridge up", language: "en"), .init("Brücke offen", language: "de")]
        alert.description = [.init("Wait.", language: "")]
        alert.url = [.init("https://example.org/a", language: "en")]
        return alert
    }
}
