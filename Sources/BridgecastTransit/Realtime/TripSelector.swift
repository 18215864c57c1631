// Which trip and which vehicle a realtime feed means, as it names them.

/// Which trip is meant.
public struct TripSelector: Sendable, Hashable {
    /// The trip's identifier in trips.txt.
    public var tripID: String?
    /// The route's in routes.txt.
    public var routeID: String?
    /// 0 or 1.
    public var direction: Int?
    /// The scheduled start, `HH:MM:SS`, as the feed spells it.
    public var startTime: String?
    /// The service day, `YYYYMMDD`, as the feed spells it.
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
    /// Whether it takes wheelchairs, 0 to 3 as the specification has it.
    public var wheelchair: Int?

    package init() {}
}
