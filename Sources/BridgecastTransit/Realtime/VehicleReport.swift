// Where a vehicle is, as a realtime feed has it; matched to its way by VehicleTracker.
public import BridgecastCore

/// Where a vehicle is and how it fares.
public struct VehicleReport: Sendable, Equatable {
    /// Against the stop named beside it: `VehiclePosition.VehicleStopStatus`.
    public enum StopStatus: Int, Sendable, CaseIterable {
        case incomingAt = 0
        case stoppedAt = 1
        case inTransitTo = 2
    }

    /// The trip it runs.
    public var trip: TripSelector?
    /// Which one it is.
    public var vehicle: VehicleLabel?
    /// Degrees north and east, as exactly as the feed has them (32 bits), whatever they are; ``point`` is for use.
    public var latitude, longitude: Float?
    /// Degrees clockwise from north.
    public var bearing: Float?
    /// Metres.
    public var odometer: Double?
    /// Metres per second.
    public var speed: Float?
    /// stop_sequence of the stop it is at or goes to.
    public var stopSequence: Int?
    /// stop_id of the same.
    public var stopID: String?
    /// How it relates to that stop.
    public var stopStatus: StopStatus?
    /// When it was there, by its clock.
    public var timestamp: Timestamp?
    /// `VehiclePosition.CongestionLevel`, 0 to 4.
    public var congestionLevel: Int?
    /// How full it is.
    public var occupancy: Occupancy?
    /// The share of places that are taken, per cent; may exceed 100.
    public var occupancyPercentage: Int?
    /// Its carriages, the first one first.
    public var carriages: [Carriage] = []

    package init() {}

    /// Where it says it is.
    ///
    /// Nil without both coordinates, with such as no place on earth has, and for 0, 0, which is what a sensor says that has none.
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
