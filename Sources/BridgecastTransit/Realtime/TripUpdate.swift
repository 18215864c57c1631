// Predicted times of a trip, as a realtime feed has them; merged with the timetable by TransitSnapshot.
public import BridgecastCore

/// Predicted times of a trip.
public struct TripUpdate: Sendable, Equatable {
    /// The trip.
    public var trip = TripSelector()
    /// What runs it.
    public var vehicle: VehicleLabel?
    /// Stops in the order of the trip; not all of them.
    public var stops: [StopTimeUpdate] = []
    /// When the vehicle was seen last, by its clock.
    public var timestamp: Timestamp?
    /// How late it is now, seconds; negative if early.
    public var delaySeconds: Int?
    /// What differs from the timetable's trip; for a duplicated trip, what it is called and when it runs.
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
    /// Where it says that it goes, and its name for riders.
    public var headsign, shortName: String?

    package init() {}
}

/// A predicted arrival or departure.
public struct StopTimeEvent: Sendable, Hashable {
    /// Against the timetable, seconds; negative if early.
    public var delaySeconds: Int?
    /// The moment.
    public var time: Timestamp?
    /// The moment that it was planned for, where the timetable does not have the trip.
    public var scheduledTime: Timestamp?
    /// How far off it may be, seconds; 0 is certain.
    public var uncertaintySeconds: Int?

    package init(
        delaySeconds: Int? = nil, time: Timestamp? = nil, scheduledTime: Timestamp? = nil,
        uncertaintySeconds: Int? = nil
    ) {
        (self.delaySeconds, self.time) = (delaySeconds, time)
        (self.scheduledTime, self.uncertaintySeconds) = (scheduledTime, uncertaintySeconds)
    }
}

/// What is said of one stop of a trip.
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
    /// The arrival.
    public var arrival: StopTimeEvent?
    /// The departure.
    public var departure: StopTimeEvent?
    /// How full it will be when it leaves.
    public var departureOccupancy: Occupancy?
    /// How the stop relates to the timetable.
    public var relationship: Relationship?
    /// The platform it uses instead of the planned one.
    public var assignedStopID: String?
    /// Where it says that it goes, from this stop on.
    public var headsign: String?

    package init() {}
}
