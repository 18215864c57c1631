// A recorded afternoon played fix by fix, for tests that score what was predicted by what came.
import BridgecastCore
import BridgecastRealtimeWire
import Testing

@testable import BridgecastTransit

/// The afternoon played fix by fix, and what was predicted scored by what came.
struct RecordedScores {
    private(set) var own = PredictionScore()
    private(set) var theirs = PredictionScore()
    private(set) var timetable = PredictionScore()
    /// How many of ours were no farther off than the spread claimed.
    private(set) var within = 0
    private(set) var tracker = VehicleTracker()

    private let feed: TransitFeed
    private let date: CivilDate
    private let trips: [String: RecordedTrip]
    private let events: [(trip: String, fix: VehicleFix)]
    private var next = 0
    private var places: [String: (place: VehiclePlace, seenAt: Timestamp)] = [:]

    init(feed: TransitFeed, date: CivilDate, trips: [RecordedTrip]) {
        (self.feed, self.date) = (feed, date)
        self.trips = Dictionary(trips.map { ($0.id, $0) }) { first, _ in first }
        events = trips.flatMap { trip in trip.fixes.map { (trip.id, $0) } }
            .sorted { ($0.1.seconds, $0.0) < ($1.1.seconds, $1.0) }
    }

    /// Takes all fixes up to a moment.
    mutating func see(until moment: Double) throws {
        while next < events.count, events[next].fix.seconds <= moment {
            let (id, fix) = events[next]
            next += 1
            let seenAt = Timestamp(secondsSinceEpoch: Int64(fix.seconds))
            let run = RunKey(trip: try #require(feed.trip(id)), date: date)
            let place = tracker.match(
                VehicleReport(at: fix.point), vehicle: id, on: run, seenAt: seenAt, in: feed)
            if let place { places[id] = (place, seenAt) }
        }
    }

    /// Scores the stops of an update, if its bus was seen in the two minutes before.
    mutating func score(_ update: TransitRealtime_TripUpdate, issued: Double) {
        guard let trip = feed.trip(update.trip.tripID), let recorded = trips[update.trip.tripID],
            let (place, seenAt) = places[update.trip.tripID],
            issued - Double(seenAt.secondsSinceEpoch) < 120
        else { return }
        let run = RunKey(trip: trip, date: date)
        let ours = tracker.predictions(for: run, from: place, seenAt: seenAt, in: feed)
        guard let course = feed.scheduledCourse(of: run), ours.count == course.arrivals.count else {
            return
        }
        for (order, row) in feed.stopTimes.rows(of: trip).enumerated() {
            let stop = feed.stops.ids[Int(feed.stopTimes.stops[row])]
            let metres = course.geometry.stopMetres[order]
            // What is nearer in time says little of predictions.
            guard let said = update.stopTimeUpdate.first(where: { $0.stopID == stop }),
                Double(said.arrival.time) - issued > 240,
                let came = recorded.seconds(passing: metres, on: course.geometry.line)
            else { continue }
            add(ours[order], came: came)
            theirs.add(errorSeconds: came - Double(said.arrival.time))
            timetable.add(errorSeconds: came - course.arrivals[order])
        }
    }

    private mutating func add(_ prediction: StopPrediction, came: Double) {
        guard let arrival = prediction.arrival else { return }
        let error = came - Double(arrival.secondsSinceEpoch)
        own.add(errorSeconds: error)
        if abs(error) <= prediction.spreadSeconds ?? 0 { within += 1 }
    }
}
