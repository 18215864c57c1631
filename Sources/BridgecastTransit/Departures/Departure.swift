// One line of a departures board: what is scheduled, what is predicted, and never one passed off as the other.
public import BridgecastCore

/// A departure, or an arrival where the trip ends, at a stop.
public struct Departure: Sendable {
    /// How a departure stands against the timetable.
    public enum Status: String, Sendable, CaseIterable {
        /// In the timetable; nothing is known of today.
        case scheduled
        /// Predicted, within the bounds of "on time".
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
        /// The feed says that it does not know this stop.
        case noData = "no_data"
    }

    /// The run; nil for one that the timetable does not have.
    public var run: RunKey?
    /// The trip's identifier in the feed.
    public var tripID: String
    /// The route; nil if the timetable does not have it.
    public var route: RouteIndex?
    /// Where it leaves: the platform in use.
    public var stop: StopIndex
    /// The platform that was planned, if it is another one.
    public var plannedStop: StopIndex?
    /// Place among the stops of the trip, from 0; that of the update's stops for a trip not in the timetable.
    public var stopOrder: Int
    /// Whether the trip ends here: then it is an arrival.
    public var isLastStop: Bool
    /// What the vehicle shows here.
    public var headsign: String
    /// What riders call the trip, such as a train's number; empty if nothing.
    public var shortName: String
    /// 0 or 1; nil where the feed does not say.
    public var direction: Int?
    /// As the timetable has it.
    public var scheduledArrival, scheduledDeparture: Timestamp?
    /// As predicted; nil where nothing is.
    public var predictedArrival, predictedDeparture: Timestamp?
    /// Where the prediction comes from; nil without one.
    public var origin: StopPrediction.Origin?
    /// How far off the prediction may be, seconds, one standard deviation; nil if nobody knows.
    public var spreadSeconds: Double?
    /// How it stands.
    public var status: Status
    /// How far to trust it.
    public var confidence: DepartureConfidence
    /// Place in ``TransitSnapshot/vehicles``; nil if none is known.
    public var vehicle: Int?
    /// When the vehicle was seen; nil if it was not.
    public var seenAt: Timestamp?
    /// How full the vehicle is; nil where nobody says.
    public var occupancy: Occupancy?
    /// Per cent of places taken; nil where nobody says.
    public var occupancyPercentage: Int?
    /// Whether it takes wheelchairs here: vehicle and stop.
    public var wheelchair: Accessibility
    /// Times are only about right: by the feed's own word, by headways, or interpolated.
    public var isApproximate: Bool

    /// The moment to wait for: predicted if it is, else scheduled; of the departure, or the arrival where there is none.
    public var expected: Timestamp? {
        predictedDeparture ?? predictedArrival ?? scheduledDeparture ?? scheduledArrival
    }

    /// How late it is, seconds, negative if early; nil unless both moments are known.
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
