// Arrivals where the feed predicts none: the timetable moved by how late the vehicle is, and by what was learned of
// how that changes.
internal import BridgecastCore

/// Predicts the stops of a run from where its vehicle is.
struct ArrivalPredictor {
    let feed: TransitFeed
    let run: RunKey
    /// From when its stop times count.
    let start: Timestamp
    let lateness: LatenessTable

    /// Who comes early waits, sooner or later: in so many seconds nothing is left of it.
    private static let earlinessSeconds = 1200.0
    /// Who is late stops no longer than this where the timetable would have it wait.
    private static let shortestStopSeconds = 30.0

    /// By stop of the trip.
    ///
    /// - Parameters:
    ///   - since: Seconds of the run's times at which the vehicle was at its place.
    ///   - late: How late it was there.
    func predictions(
        on geometry: RunGeometry, atMetres metres: Double, seconds since: Double, late: Double
    ) -> [StopPrediction] {
        let rows = feed.stopTimes.rows(of: run.trip)
        let changes = lateness.changes(
            of: feed.route(of: run.trip), hour: VehicleTracker.hour(since))
        let waits = feed.waitsToBegin(run.trip, on: geometry, atMetres: metres, seconds: since)
        var (carried, reached) = (late, since)
        return rows.map { row in
            let order = row - rows.lowerBound
            let comes = Double(feed.stopTimes.arrivals[row])
            let leaves = Double(feed.stopTimes.departures[row])
            if geometry.stopMetres[order] < metres - TransitFeed.atStopMetres, !waits {
                // Behind it: it left there before it was seen.
                return stop(min(comes + late, since), min(leaves + late, since), spread: nil)
            }
            let ahead = max(0, comes + carried - since)
            let change = changes.change(in: ahead)
            let kept = carried < 0 ? max(0, 1 - ahead / Self.earlinessSeconds) : 1
            let arrival = max(reached, comes + carried * kept + change.mean)
            var departure = arrival
            if leaves > comes || order == 0 {
                // It waits for its time here, and a late one does not wait longer than it must.
                departure = max(leaves, arrival + min(leaves - comes, Self.shortestStopSeconds))
                carried = departure - leaves - change.mean
            }
            reached = departure
            return stop(arrival, departure, spread: change.spread)
        }
    }

    private func stop(_ arrival: Double, _ departure: Double, spread: Double?) -> StopPrediction {
        var prediction = StopPrediction()
        prediction.arrival = start.adding(seconds: Int64(arrival.rounded()))
        prediction.departure = start.adding(seconds: Int64(departure.rounded()))
        prediction.origin = .position
        prediction.spreadSeconds = spread
        return prediction
    }
}
