// A vehicle as a realtime feed has it, set against the timetable; read by boards and maps.
public import BridgecastCore

/// A vehicle that was reported, against the timetable.
public struct LiveVehicle: Sendable {
    /// As the feed has it.
    public let report: VehicleReport
    /// The feed's identifier of the entity.
    public let entityID: String
    /// The run it is on; nil if it is on none that the timetable has.
    public var run: RunKey?
    /// Its route, which may be known where the run is not.
    public var route: RouteIndex?
    /// Where it is along its shape; nil if that could not be told.
    public var place: VehiclePlace?
    /// When it was there: its own time, or the feed's where it has none.
    public let seenAt: Timestamp?
    /// Place among the stops of its trip of the one that it is at or goes to; nil if that is not known.
    public var nextStop: Int?
    /// Whether it stands at that stop.
    public var isAtStop = false
    /// Metres along its shape where it was shown when this fix came: it is not shown farther back.
    var shownMetres: Double?

    /// How full a vehicle was longer ago than so many seconds is not said any more.
    package static let crowdingSeconds: Int64 = 900

    /// Seconds since it was seen, 0 by a clock that is a little ahead; nil if nobody says when.
    package func ageSeconds(at moment: Timestamp) -> Int? {
        seenAt.map { max(0, Int(moment.secondsSinceEpoch - $0.secondsSinceEpoch)) }
    }

    package init(report: VehicleReport, entityID: String, seenAt: Timestamp?) {
        (self.report, self.entityID, self.seenAt) = (report, entityID, seenAt)
    }
}

/// Where a vehicle is along its way.
public struct VehiclePlace: Sendable, Hashable {
    /// Metres along the shape from its first point.
    public var metres: Double
    /// How far the fix lay from the shape, metres.
    public var offMetres: Double
    /// Whether it is too far from the shape to be on its way.
    public var isOffRoute: Bool
    /// The point on the shape, or the fix itself if it is off the route.
    public var point: GeoPoint
    /// Degrees clockwise from north in which the shape goes there; the reported bearing off the route; nil if unknown.
    public var heading: Double?

    package init(
        metres: Double, offMetres: Double, isOffRoute: Bool, point: GeoPoint, heading: Double?
    ) {
        (self.metres, self.offMetres, self.isOffRoute) = (metres, offMetres, isOffRoute)
        (self.point, self.heading) = (point, heading)
    }
}
