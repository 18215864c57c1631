// A GTFS-realtime feed as it came: header and entities. What is not set is nil, never zero.
// Belongs here: what realtime feeds say, in all their spellings, and how they are read; not: what follows for a
// timetable (Departures, Vehicles).
public import BridgecastCore

/// A message of a realtime feed.
public struct RealtimeFeed: Sendable, Equatable {
    /// The specification's version that it says it follows, such as `2.0`.
    public var version: String?
    /// Whether it tells changes alone; false where it is the whole.
    public var isDifferential: Bool
    /// When it was made, by the feed's clock.
    public var timestamp: Timestamp?
    /// Its entities in order.
    public var entities: [RealtimeEntity]

    package init(
        version: String? = nil, isDifferential: Bool = false, timestamp: Timestamp? = nil,
        entities: [RealtimeEntity] = []
    ) {
        (self.version, self.isDifferential) = (version, isDifferential)
        (self.timestamp, self.entities) = (timestamp, entities)
    }
}

/// An entity of a feed: one of the three as a rule, and no rule forbids more.
public struct RealtimeEntity: Sendable, Equatable {
    /// Unique within a feed.
    public var id: String
    /// Whether a differential feed takes it away.
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
        (self.id, self.isDeleted) = (id, isDeleted)
        (self.tripUpdate, self.vehicle, self.alert) = (tripUpdate, vehicle, alert)
    }
}
