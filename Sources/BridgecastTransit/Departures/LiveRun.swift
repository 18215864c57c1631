// Runs as realtime feeds have them: those of the timetable, and those that it does not have.
public import BridgecastCore

/// A run that realtime feeds speak of.
public struct LiveRun: Sendable {
    /// Which run it is.
    public let key: RunKey
    /// How it relates to the timetable: scheduled, cancelled, ...
    public var relationship: TripRelationship
    /// By stop of the trip, in the order of its stop times; empty where no times are predicted.
    public var stops: [StopPrediction]
    /// Place in ``TransitSnapshot/vehicles``; nil if no vehicle is known.
    public var vehicle: Int?
    /// When its times were made, by the feed; nil if only its vehicle is known.
    public var updatedAt: Timestamp?

    package init(
        key: RunKey, relationship: TripRelationship = .scheduled, stops: [StopPrediction] = [],
        vehicle: Int? = nil, updatedAt: Timestamp? = nil
    ) {
        (self.key, self.relationship, self.stops) = (key, relationship, stops)
        (self.vehicle, self.updatedAt) = (vehicle, updatedAt)
    }
}

/// A run that the timetable does not have: ADDED or NEW trips, with the times that the feed gives them.
public struct AddedRun: Sendable {
    /// What the feed says of it; with the moment of its feed where it has none of its own.
    public let update: TripUpdate
    /// Its route; nil if the timetable has none such.
    public let route: RouteIndex?
    /// Its stops with their moments, in order; those that the timetable does not have are left out.
    public let stops: [Stop]
    /// What the vehicle shows: where it goes, as the trip that it repeats or its last stop has it.
    public let headsign: String
    /// Place in ``TransitSnapshot/vehicles``; nil if no vehicle is known.
    public var vehicle: Int?

    /// A stop of it.
    public struct Stop: Sendable, Hashable {
        /// The stop.
        public let stop: StopIndex
        /// Its moments, predicted.
        public let arrival, departure: Timestamp?
        /// The moments that it was planned for, where the feed gives them or repeats a trip of the timetable.
        public let scheduledArrival, scheduledDeparture: Timestamp?
        package init(
            stop: StopIndex, arrival: Timestamp?, departure: Timestamp?,
            scheduledArrival: Timestamp? = nil, scheduledDeparture: Timestamp? = nil
        ) {
            (self.stop, self.arrival, self.departure) = (stop, arrival, departure)
            (self.scheduledArrival, self.scheduledDeparture) = (
                scheduledArrival, scheduledDeparture
            )
        }
    }

    /// Its own identifier, not that of a trip that it repeats; nil where the feed gives none.
    public var tripID: String? { update.properties?.tripID ?? update.trip.tripID }

    package init(
        update: TripUpdate, route: RouteIndex?, stops: [Stop], headsign: String = "",
        vehicle: Int? = nil
    ) {
        (self.update, self.route, self.stops) = (update, route, stops)
        (self.headsign, self.vehicle) = (headsign, vehicle)
    }
}
