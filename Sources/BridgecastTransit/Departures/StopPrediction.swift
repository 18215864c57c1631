// What is predicted for a stop of a run, and by whom; made by the merging, read by boards, vehicles and bridges.
public import BridgecastCore

/// What is predicted for one stop of a run.
public struct StopPrediction: Sendable, Hashable {
    /// Where it comes from.
    public enum Origin: Sendable, Hashable {
        /// The feed says so.
        case feed
        /// The feed says so of an earlier stop, and lateness is carried on.
        case propagated
        /// The feed has no prediction: ours, from where the vehicle is.
        case position
        /// Nobody knows where it is: the timetable, moved by how late the route has been at this hour.
        case history
    }

    /// Predicted moments; nil where nothing is predicted.
    public var arrival, departure: Timestamp?
    /// Nil where nothing is predicted.
    public var origin: Origin?
    /// How far off it may be, seconds, one standard deviation; nil if nobody knows.
    public var spreadSeconds: Double?
    /// The vehicle does not stop here.
    public var isSkipped = false
    /// The feed says that it has no data here.
    public var hasNoData = false
    /// The stop it uses instead of the planned one, such as another platform.
    public var assignedStop: StopIndex?
    /// How full it will be when it leaves.
    public var occupancy: Occupancy?

    package init() {}
}
