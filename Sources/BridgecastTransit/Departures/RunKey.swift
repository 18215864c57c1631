// The name of a run: which trip, on which service day; used wherever one run is meant.
public import BridgecastCore

/// A run of a trip on a service day; a trip with frequencies has many a day.
public struct RunKey: Sendable, Hashable {
    /// The trip.
    public let trip: TripIndex
    /// The service day, which may be yesterday's.
    public let date: CivilDate
    /// Seconds of the service day at which it starts where frequencies say so; nil for others.
    public let startSeconds: Int?

    /// Names a run.
    public init(trip: TripIndex, date: CivilDate, startSeconds: Int? = nil) {
        (self.trip, self.date, self.startSeconds) = (trip, date, startSeconds)
    }
}
