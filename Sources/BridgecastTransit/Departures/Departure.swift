// A line of a departures board, with scheduled and predicted times kept apart.
public import BridgecastCore

/// A departure, or an arrival where the trip ends, at a stop.
public struct Departure: Sendable {
    /// How a departure compares with the timetable.
    public enum Status: String, Sendable, CaseIterable {
        /// In the timetable, without realtime.
        case scheduled
        /// Predicted, within ``BoardQuery/onTimeSeconds``.
        case onTime = "on_time"
        /// Predicted, later than on time.
        case late
        /// Predicted, earlier than on time.
        case early
        /// The whole trip does not run.
        case cancelled
        /// The trip runs and does not stop here.
        case skipped
        /// Not in the timetable; runs today.
        case added
        /// The feed has no data for this stop.
        case noData = "no_data"
    }

    /// The run; nil for one that the timetable does not have.
    public var run: RunKey?
    /// The trip's identifier in the feed.
    public var tripID: String
    /// Nil if the timetable does not have it.
    public var route: RouteIndex?
    /// The platform in use.
    public var stop: StopIndex
    /// The planned platform, if it is another one.
    public var plannedStop: StopIndex?
    /// The index among the stops of the trip, or of the update for a trip that is not in the timetable.
    public var stopOrder: Int
    /// Whether the trip ends here, which makes it an arrival.
    public var isLastStop: Bool
    /// The destination that the vehicle shows here.
    public var headsign: String
    /// What riders call the trip, such as a train's number; empty if nothing.
    public var shortName: String
    /// 0 or 1; nil where the feed does not say.
    public var direction: Int?
    /// By the timetable.
    public var scheduledArrival, scheduledDeparture: Timestamp?
    /// Nil without a prediction.
    public var predictedArrival, predictedDeparture: Timestamp?
    /// The origin of the prediction; nil without one.
    public var origin: StopPrediction.Origin?
    /// The standard deviation of the prediction, seconds; nil if unknown.
    public var spreadSeconds: Double?
    /// How it stands.
    public var status: Status
    /// How far to trust it.
    public var confidence: DepartureConfidence
    /// The index in ``TransitSnapshot/vehicles``; nil if unknown.
    public var vehicle: Int?
    /// When the vehicle was last seen; nil if it was not.
    public var seenAt: Timestamp?
    /// Nil if unknown.
    public var occupancy: Occupancy?
    /// Per cent of the capacity; nil if unknown.
    public var occupancyPercentage: Int?
    /// Whether wheelchairs can board here: vehicle and stop.
    public var wheelchair: Accessibility
    /// Whether times are approximate: so marked in the feed, by headways, or interpolated.
    public var isApproximate: Bool

    /// The time to wait for: predicted if it is, else scheduled; of the departure, or else of the arrival.
    public var expected: Timestamp? {
        predictedDeparture ?? predictedArrival ?? scheduledDeparture ?? scheduledArrival
    }

    /// The delay, seconds, negative if early; nil unless both times are known.
    public var delaySeconds: Int? {
        let pairs = [
            (predictedDeparture, scheduledDeparture), (predictedArrival, scheduledArrival),
        ]
        for case (let predicted?, let scheduled?) in pairs {
            return Int(predicted.secondsSinceEpoch - scheduled.secondsSinceEpoch)
        }
        return nil
    }
}

/// The confidence in the expected time of a departure.
///
/// - HIGH: the vehicle was seen in the last 90 s and there is a trip update that is no older than 5 min, by its own
///   timestamp or else its feed's.
/// - MEDIUM: a trip update alone, or an older one, or the vehicle was seen in the last 5 min.
/// - LOW: the timetable, moved by how late this route has been at this hour; or a trip update that has not been renewed
///   for 15 min.
/// - NONE: the timetable alone.
public enum DepartureConfidence: String, Sendable, CaseIterable {
    case high = "HIGH"
    case medium = "MEDIUM"
    case low = "LOW"
    case none = "NONE"

    /// The name of the colour it is shown in.
    public var colourName: String {
        switch self {
        case .high: "green"
        case .medium: "orange"
        case .low: "red"
        case .none: "grey"
        }
    }

    /// The maximum age of a vehicle's position for HIGH, and the maximum that a feed's clock may be ahead, seconds.
    package static let highSeconds: Int64 = 90
    /// The maximum age of a trip update for HIGH, seconds.
    package static let newUpdateSeconds: Int64 = 300
    /// The maximum age of a vehicle's position for MEDIUM, seconds.
    package static let mediumSeconds: Int64 = 300
    /// A trip update older than this, seconds, is trusted no more than the route's typical lateness.
    package static let oldUpdateSeconds: Int64 = 900
}
