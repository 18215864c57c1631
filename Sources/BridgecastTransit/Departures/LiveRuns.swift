// Runs with realtime, in the timetable and additional ones: their keys, predictions and vehicles.
public import BridgecastCore

/// A run of the timetable that is in a realtime feed.
public struct LiveRun: Sendable {
    /// Which run it is.
    public let key: RunKey
    /// How it relates to the timetable: scheduled, cancelled, ...
    public var relationship: TripRelationship
    /// By stop of the trip, in the order of its stop times; empty without predictions.
    public var stops: [StopPrediction]
    /// The index in ``TransitSnapshot/vehicles``; nil if no vehicle is known.
    public var vehicle: Int?
    /// When its predictions were made, by the feed; nil if only its vehicle is known.
    public var updatedAt: Timestamp?

    package init(
        key: RunKey, relationship: TripRelationship = .scheduled, stops: [StopPrediction] = [],
        vehicle: Int? = nil, updatedAt: Timestamp? = nil
    ) {
        self.key = key
        self.relationship = relationship
        self.stops = stops
        self.vehicle = vehicle
        self.updatedAt = updatedAt
    }
}

/// A run that the timetable does not have: ADDED or NEW trips, with the times that the feed gives them.
public struct AddedRun: Sendable {
    /// The feed's update; its timestamp is that of the feed if it has none of its own.
    public let update: TripUpdate
    /// Nil if the timetable does not have the route.
    public let route: RouteIndex?
    /// Its stops with their times, in order; without those that the timetable does not have.
    public let stops: [Stop]
    /// The destination shown: that of the update, of the trip that it repeats, or the last stop.
    public let headsign: String
    /// The index in ``TransitSnapshot/vehicles``; nil if no vehicle is known.
    public var vehicle: Int?

    /// A stop of it.
    public struct Stop: Sendable, Hashable {
        /// The stop.
        public let stop: StopIndex
        /// Predicted times.
        public let arrival, departure: Timestamp?
        /// Planned times, where the feed has them or repeats a trip of the timetable.
        public let scheduledArrival, scheduledDeparture: Timestamp?

        package init(
            stop: StopIndex, arrival: Timestamp?, departure: Timestamp?,
            scheduledArrival: Timestamp? = nil, scheduledDeparture: Timestamp? = nil
        ) {
            self.stop = stop
            self.arrival = arrival
            self.departure = departure
            self.scheduledArrival = scheduledArrival
            self.scheduledDeparture = scheduledDeparture
        }
    }

    /// Its own identifier, not that of a trip that it repeats; nil if the feed has none.
    public var tripID: String? { update.properties?.tripID ?? update.trip.tripID }

    package init(
        update: TripUpdate, route: RouteIndex?, stops: [Stop], headsign: String = "",
        vehicle: Int? = nil
    ) {
        self.update = update
        self.route = route
        self.stops = stops
        self.headsign = headsign
        self.vehicle = vehicle
    }
}

/// A run of a trip on a service day; a trip with frequencies has many a day.
public struct RunKey: Sendable, Hashable {
    /// The trip.
    public let trip: TripIndex
    /// The service day, which may be yesterday's.
    public let date: CivilDate
    /// The start of a run by frequencies, seconds of the service day; nil for others.
    public let startSeconds: Int?

    /// Names a run.
    public init(trip: TripIndex, date: CivilDate, startSeconds: Int? = nil) {
        self.trip = trip
        self.date = date
        self.startSeconds = startSeconds
    }
}

/// The prediction for one stop of a run.
public struct StopPrediction: Sendable, Hashable {
    /// The origin of a prediction.
    public enum Origin: String, Sendable {
        /// The feed's prediction.
        case feed
        /// The delay of an earlier stop in the feed.
        case propagated
        /// Our prediction from the vehicle's position, where the feed has none.
        case position
        /// The timetable with the typical lateness of the route at this hour, without realtime.
        case history
    }

    /// Predicted times; nil where nothing is predicted.
    public var arrival, departure: Timestamp?
    /// Nil where nothing is predicted.
    public var origin: Origin?
    /// The standard deviation, seconds; nil if unknown.
    public var spreadSeconds: Double?
    /// Whether the vehicle does not stop here.
    public var isSkipped = false
    /// Whether the feed has no data here.
    public var hasNoData = false
    /// The stop it uses instead of the planned one, such as another platform.
    public var assignedStop: StopIndex?
    /// The expected occupancy when it leaves.
    public var occupancy: Occupancy?

    package init() {}
}

/// A reported vehicle, matched to the timetable.
public struct LiveVehicle: Sendable, Equatable {
    /// As the feed has it.
    public let report: VehicleReport
    /// The feed's identifier of the entity.
    public let entityID: String
    /// Its run; nil if the timetable does not have it.
    public var run: RunKey?
    /// Its route, which may be known without the run.
    public var route: RouteIndex?
    /// Where it is along its shape; nil if unknown.
    public var place: VehicleLocation?
    /// When it was there: its own timestamp, or else the feed's.
    public let seenAt: Timestamp?
    /// The index among the stops of its trip of the stop that it is at or goes to; nil if unknown.
    public var nextStop: Int?
    /// Whether it is at that stop.
    public var isAtStop = false
    /// Where it was shown before this snapshot, metres along its shape: it is not shown farther back.
    var shownMetres: Double?
    /// The first of its fixes since which it has moved no more than the errors of fixes; nil if unknown.
    var stillSince: Timestamp?
    /// Whether it has not moved for ``heldSeconds`` although it should have.
    package var isHeld = false

    /// Seconds without moving from which a vehicle that should move is held up: longer than traffic lights.
    static let heldSeconds: Int64 = 120

    /// The maximum age of an occupancy that is shown, seconds.
    package static let occupancySeconds: Int64 = 900

    /// Seconds since it was seen, 0 if its clock is ahead; nil if unknown.
    package func ageSeconds(at now: Timestamp) -> Int? {
        seenAt.map { max(0, Int(now.secondsSinceEpoch - $0.secondsSinceEpoch)) }
    }

    package init(report: VehicleReport, entityID: String, seenAt: Timestamp?) {
        self.report = report
        self.entityID = entityID
        self.seenAt = seenAt
    }
}

/// Where a vehicle is along its shape.
public struct VehicleLocation: Sendable, Hashable {
    /// Metres along the shape from its first point.
    public var metres: Double
    /// The distance of the fix from the shape, metres.
    public var offMetres: Double
    /// Whether it is too far from the shape to be on it.
    public var isOffRoute: Bool
    /// The point on the shape, or the fix itself if it is off the route.
    public var point: GeoPoint
    /// The direction of the shape there, degrees clockwise from north; the reported bearing off the route; nil if unknown.
    public var heading: Double?

    package init(
        metres: Double, offMetres: Double, isOffRoute: Bool, point: GeoPoint, heading: Double?
    ) {
        self.metres = metres
        self.offMetres = offMetres
        self.isOffRoute = isOffRoute
        self.point = point
        self.heading = heading
    }
}
