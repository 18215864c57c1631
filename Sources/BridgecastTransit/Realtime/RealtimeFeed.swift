// The content of a GTFS-realtime feed as values: header and entities. What is not set is nil, never zero.
public import BridgecastCore

/// A message of a realtime feed.
public struct RealtimeFeed: Sendable, Equatable {
    /// The version of the specification, such as `2.0`.
    public var version: String?
    /// Whether it has changes alone; false for a full dataset.
    public var isDifferential: Bool
    /// When it was made, by the feed's clock.
    public var timestamp: Timestamp?
    /// Its entities in order.
    public var entities: [RealtimeEntity]

    package init(
        version: String? = nil, isDifferential: Bool = false, timestamp: Timestamp? = nil,
        entities: [RealtimeEntity] = []
    ) {
        self.version = version
        self.isDifferential = isDifferential
        self.timestamp = timestamp
        self.entities = entities
    }
}

/// An entity of a feed: usually one of the three contents, though no rule forbids more.
public struct RealtimeEntity: Sendable, Equatable {
    /// Unique within a feed.
    public var id: String
    /// Whether a differential feed removes it.
    public var isDeleted: Bool?
    /// Times of a trip.
    public var tripUpdate: TripUpdate?
    /// Where a vehicle is.
    public var vehicle: VehicleReport?
    /// What riders should know.
    public var alert: ServiceAlert?

    package init(
        id: String, isDeleted: Bool? = nil, tripUpdate: TripUpdate? = nil,
        vehicle: VehicleReport? = nil, alert: ServiceAlert? = nil
    ) {
        self.id = id
        self.isDeleted = isDeleted
        self.tripUpdate = tripUpdate
        self.vehicle = vehicle
        self.alert = alert
    }
}

// MARK: - Selectors

/// Which trip is meant.
public struct TripSelector: Sendable, Hashable {
    /// trip_id of trips.txt.
    public var tripID: String?
    /// route_id of routes.txt.
    public var routeID: String?
    /// 0 or 1.
    public var direction: Int?
    /// The scheduled start, `HH:MM:SS`, as in the feed.
    public var startTime: String?
    /// The service day, `YYYYMMDD`, as in the feed.
    public var startDate: String?
    /// How it relates to the timetable.
    public var relationship: TripRelationship?

    package init() {}
}

/// How a trip relates to the timetable: `TripDescriptor.ScheduleRelationship`.
public enum TripRelationship: Int, Sendable, CaseIterable {
    case scheduled = 0
    case added = 1
    case unscheduled = 2
    case cancelled = 3
    case replacement = 5
    case duplicated = 6
    case deleted = 7
    case new = 8
}

/// Which vehicle is meant.
public struct VehicleLabel: Sendable, Hashable {
    /// Unique in the agency's system.
    public var id: String?
    /// What riders see on it.
    public var label: String?
    /// Its licence plate.
    public var licencePlate: String?
    /// `VehicleDescriptor.WheelchairAccessible`, 0 to 3.
    public var wheelchair: Int?

    package init() {}
}

// MARK: - Trip updates

/// Predicted times of a trip.
public struct TripUpdate: Sendable, Equatable {
    /// The trip.
    public var trip = TripSelector()
    /// What runs it.
    public var vehicle: VehicleLabel?
    /// Stops in the order of the trip; not all of them.
    public var stops: [StopTimeUpdate] = []
    /// When the vehicle was last seen, by its clock.
    public var timestamp: Timestamp?
    /// The current delay, seconds; negative if early.
    public var delaySeconds: Int?
    /// What differs from the timetable's trip; for a duplicated trip, its name and time.
    public var properties: TripProperties?

    package init() {}
}

/// What is new about a trip that a feed adds, copies or changes: `TripUpdate.TripProperties`.
public struct TripProperties: Sendable, Hashable {
    /// The identifier of the copy, which the timetable does not have.
    public var tripID: String?
    /// The copy's service day, `YYYYMMDD`, and its start, `HH:MM:SS`.
    public var startDate, startTime: String?
    /// The shape that it follows instead.
    public var shapeID: String?
    /// The destination shown, and the name for riders.
    public var headsign, shortName: String?

    package init() {}
}

/// A predicted arrival or departure.
public struct StopTimeEvent: Sendable, Hashable {
    /// Against the timetable, seconds; negative if early.
    public var delaySeconds: Int?
    /// The predicted time.
    public var time: Timestamp?
    /// The planned time, where the timetable does not have the trip.
    public var scheduledTime: Timestamp?
    /// The uncertainty, seconds; 0 is certain.
    public var uncertaintySeconds: Int?

    package init(
        delaySeconds: Int? = nil, time: Timestamp? = nil, scheduledTime: Timestamp? = nil,
        uncertaintySeconds: Int? = nil
    ) {
        self.delaySeconds = delaySeconds
        self.time = time
        self.scheduledTime = scheduledTime
        self.uncertaintySeconds = uncertaintySeconds
    }
}

/// The update of one stop of a trip.
public struct StopTimeUpdate: Sendable, Equatable {
    /// How the stop relates to the timetable: `StopTimeUpdate.ScheduleRelationship`.
    public enum Relationship: Int, Sendable, CaseIterable {
        case scheduled = 0
        case skipped = 1
        case noData = 2
        case unscheduled = 3
    }

    /// stop_sequence.
    public var sequence: Int?
    /// stop_id.
    public var stopID: String?
    public var arrival, departure: StopTimeEvent?
    /// The expected occupancy when it leaves.
    public var departureOccupancy: Occupancy?
    /// How the stop relates to the timetable.
    public var relationship: Relationship?
    /// The platform used instead of the planned one.
    public var assignedStopID: String?
    /// The destination shown from this stop on.
    public var headsign: String?

    package init() {}
}

// MARK: - Vehicles

/// Where a vehicle is: `VehiclePosition`.
public struct VehicleReport: Sendable, Equatable {
    /// How it relates to the stop of ``VehicleReport/stopID``: `VehiclePosition.VehicleStopStatus`.
    public enum StopStatus: Int, Sendable, CaseIterable {
        case incomingAt = 0
        case stoppedAt = 1
        case inTransitTo = 2
    }

    /// A trip of the timetable.
    public var trip: TripSelector?
    /// What runs it.
    public var vehicle: VehicleLabel?
    /// Degrees north and east, as exactly as the feed has them (32 bits), unchecked; ``point`` is checked.
    public var latitude, longitude: Float?
    /// Degrees clockwise from north.
    public var bearing: Float?
    /// Metres.
    public var odometer: Double?
    /// Metres per second.
    public var speed: Float?
    /// stop_sequence of the stop that it is at or goes to.
    public var stopSequence: Int?
    /// stop_id of the same.
    public var stopID: String?
    /// How it relates to that stop.
    public var stopStatus: StopStatus?
    /// When it was there, by its clock.
    public var timestamp: Timestamp?
    /// `VehiclePosition.CongestionLevel`, 0 to 4.
    public var congestionLevel: Int?
    /// How full the vehicle is; nil if not reported.
    public var occupancy: Occupancy?
    /// Per cent of the capacity; may exceed 100.
    public var occupancyPercentage: Int?
    /// Carriages from the front.
    public var carriages: [Carriage] = []

    package init() {}

    /// Where it is.
    ///
    /// Nil without both coordinates, if they are out of range, and for 0, 0, which sensors without a fix report.
    public var point: GeoPoint? {
        guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180,
            latitude != 0 || longitude != 0
        else { return nil }
        return GeoPoint(latitude: Double(latitude), longitude: Double(longitude))
    }

    /// A carriage of a train.
    public struct Carriage: Sendable, Hashable {
        /// Unique within the train.
        public var id: String?
        /// What riders see on it.
        public var label: String?
        /// How full it is.
        public var occupancy: Occupancy?
        /// Per cent; nil where the feed has none (-1).
        public var occupancyPercentage: Int?
        /// From 1, the first in the direction of travel.
        public var sequence: Int?

        package init() {}
    }
}

/// How full a vehicle is, `VehiclePosition.OccupancyStatus`; the numbers are not a scale.
public enum Occupancy: Int, Sendable, CaseIterable {
    case empty = 0
    case manySeats = 1
    case fewSeats = 2
    case standingRoomOnly = 3
    case crushedStandingRoomOnly = 4
    case full = 5
    case notAcceptingPassengers = 6
    case noDataAvailable = 7
    case notBoardable = 8
}

// MARK: - Alerts

/// What riders should know: `Alert`.
public struct ServiceAlert: Sendable, Equatable {
    /// When it is shown; without any, always.
    public var activePeriods: [Period] = []
    /// What it concerns; one match is enough.
    public var informed: [Selector] = []
    /// `Alert.Cause`, from 1.
    public var cause: Int?
    /// `Alert.Effect`, 1 to 11.
    public var effect: Int?
    /// `Alert.SeverityLevel`, 1 to 4.
    public var severity: Int?
    /// The summary in each language.
    public var header: [Translation] = []
    /// The whole text in each language.
    public var description: [Translation] = []
    /// A page with more, in each language.
    public var url: [Translation] = []

    package init() {}

    /// A period of time; nil where it is open.
    public struct Period: Sendable, Hashable {
        public var start, end: Timestamp?

        package init(start: Timestamp?, end: Timestamp?) {
            self.start = start
            self.end = end
        }
    }

    /// What an alert concerns; all that is set must match.
    public struct Selector: Sendable, Hashable {
        /// Identifiers of the timetable.
        public var agencyID, routeID, stopID: String?
        /// route_type, and direction_id, 0 or 1.
        public var routeType, direction: Int?
        /// A trip of the timetable.
        public var trip: TripSelector?

        package init() {}
    }

    /// A text in a language.
    public struct Translation: Sendable, Hashable {
        /// The text.
        public var text: String
        /// BCP 47, such as `en`; empty where the feed names none.
        public var language: String

        package init(_ text: String, language: String) {
            self.text = text
            self.language = language
        }
    }
}
