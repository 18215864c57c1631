// How late a run is where it is, against the timetable in its columns: no course is made for it.
internal import BridgecastCore

extension TransitFeed {
    /// How near to a stop a vehicle stands at it, metres.
    package static let atStopMetres = 40.0
    /// Before its time a vehicle waits within so many metres of where its trip begins: in sidings, loops and yards.
    package static let beginningMetres = 250.0

    /// Whether a vehicle waits where its trip begins for the time to leave.
    package func waitsToBegin(
        _ trip: TripIndex, on geometry: RunGeometry, atMetres metres: Double, seconds: Double
    ) -> Bool {
        metres <= geometry.stopMetres[0] + Self.beginningMetres
            && seconds < Double(stopTimes.departures[stopTimes.rows(of: trip).lowerBound])
    }

    /// Seconds that a vehicle is late at a place, negative if early; 0 while it waits at a stop for its departure, or for
    /// its trip to begin.
    ///
    /// - Parameter seconds: Since the moment from which the run's times count (``startOfTimes(of:)``).
    /// - Complexity: O(log stops).
    package func lateness(
        of trip: TripIndex, on geometry: RunGeometry, atMetres metres: Double, seconds: Double
    ) -> Double {
        if waitsToBegin(trip, on: geometry, atMetres: metres, seconds: seconds) { return 0 }
        let first = stopTimes.rows(of: trip).lowerBound
        let places = geometry.stopMetres
        let next = places.partitioningIndex { $0 > metres }
        for order in [next - 1, next] where places.indices.contains(order) {
            guard abs(places[order] - metres) <= Self.atStopMetres else { continue }
            let leaves = Double(stopTimes.departures[first + order])
            let comes = Double(stopTimes.arrivals[first + order])
            return seconds < comes ? seconds - comes : max(0, seconds - leaves)
        }
        return seconds - scheduledSeconds(first, places, next, metres)
    }

    private func scheduledSeconds(
        _ first: Int, _ places: [Double], _ next: Int, _ metres: Double
    ) -> Double {
        guard next > 0 else { return Double(stopTimes.departures[first]) }
        guard next < places.count else { return Double(stopTimes.arrivals[first + next - 1]) }
        let leaves = Double(stopTimes.departures[first + next - 1])
        let share = (metres - places[next - 1]) / (places[next] - places[next - 1])
        return leaves + share * (Double(stopTimes.arrivals[first + next]) - leaves)
    }
}
