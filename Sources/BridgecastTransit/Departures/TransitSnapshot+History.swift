// The timetable moved by how late its routes have been: what is said of runs of which nobody says anything today.
internal import BridgecastCore

extension TransitSnapshot {
    /// The most that a run is moved without a word about itself, seconds: what is not known must not hide a departure for long.
    static let mostMovedSeconds = 900.0

    /// By how much a run of a route is moved at a moment of its service day, and the spread of that; nil where little is
    /// known.
    ///
    /// Who relies on a run being early misses it: it is moved to later times alone.
    func usualLateness(
        ofTrip trip: Int32, secondsOfDay: Int32
    ) -> (seconds: Int64, spread: Double)? {
        guard let lateness else { return nil }
        let route = RouteIndex(Int(feed.trips.routes[Int(trip)]))
        let hour = VehicleTracker.hour(Double(secondsOfDay))
        guard let usual = lateness.usual(route, hour: hour) else { return nil }
        let moved = min(max(0, usual.meanSeconds), Self.mostMovedSeconds)
        return (Int64(moved.rounded()), usual.spreadSeconds)
    }
}
