// What a trip update says of every stop of a run: lateness is carried on to stops of which it says nothing.
internal import BridgecastCore

/// Carries lateness along a run, by the rules of GTFS Realtime (reference, StopTimeUpdate; "Trip updates", Stop time updates).
///
/// Lateness holds for all later stops until the next one that has times of its own, or no data; skipped stops do not end it.
/// A moment counts before a delay; where both moments of a stop are not given, its departure is as late as its arrival.
/// Nothing is known of stops before the first update.
package struct DelayPropagation {
    private let feed: TransitFeed
    private let rows: Range<Int>
    private let start: Int64
    /// Lateness that holds at the stop in turn, seconds, and how far off it may be.
    private var carried: Int64?
    private var spread: Double?
    /// How many moments were left out because they lie more than a day from the timetable.
    package private(set) var implausible = 0

    /// - Parameter start: The moment from which the run's stop times count, seconds since 1970.
    package init(_ feed: TransitFeed, rows: Range<Int>, start: Int64) {
        (self.feed, self.rows, self.start) = (feed, rows, start)
    }

    /// More than so many seconds off the timetable is no lateness but a mistake.
    private static let mostSeconds: Int64 = 86_400

    /// By stop of the run, what the update says.
    ///
    /// - Parameter places: By stop, the place of its update among the update's stops, or -1.
    package mutating func predictions(_ update: TripUpdate, places: [Int32]) -> [StopPrediction] {
        carried = update.delaySeconds.flatMap { plausible(Int64($0)) }
        return places.enumerated().map { order, place in
            let row = rows.lowerBound + order
            guard place >= 0 else { return carriedOn(row) }
            return prediction(update.stops[Int(place)], row)
        }
    }

    /// A stop of which nothing is said.
    private func carriedOn(_ row: Int) -> StopPrediction {
        var result = StopPrediction()
        guard let carried else { return result }
        (result.arrival, result.departure) = (arrival(row, carried), departure(row, carried))
        (result.origin, result.spreadSeconds) = (.propagated, spread)
        return result
    }

    private mutating func prediction(_ update: StopTimeUpdate, _ row: Int) -> StopPrediction {
        if update.relationship == .noData {
            (carried, spread) = (nil, nil)
            var result = StopPrediction()
            result.hasNoData = true
            return result
        }
        var result =
            update.relationship == .skipped ? carriedOn(row) : timed(update, row)
        result.isSkipped = update.relationship == .skipped
        result.assignedStop = feed.assignedStop(update, planned: feed.stopTimes.stops[row])
        result.occupancy = update.departureOccupancy
        return result
    }

    /// A stop with times of its own.
    private mutating func timed(_ update: StopTimeUpdate, _ row: Int) -> StopPrediction {
        let arriving = lateness(update.arrival, scheduled: feed.stopTimes.arrivals[row])
        let departing = lateness(update.departure, scheduled: feed.stopTimes.departures[row])
        guard arriving != nil || departing != nil else { return carriedOn(row) }
        var result = StopPrediction()
        // Where the trip ends both moments are one, whichever the feed gives.
        let isLast = row + 1 == rows.upperBound
        result.arrival = (arriving ?? (isLast ? departing : carried)).map { arrival(row, $0) }
        carried = departing ?? arriving
        spread =
            (update.departure?.uncertaintySeconds ?? update.arrival?.uncertaintySeconds)
            .flatMap { $0 >= 0 ? Double($0) : nil }
        result.departure = carried.map { departure(row, $0) }
        if let reached = result.arrival, let left = result.departure, left < reached {
            // Of two moments that contradict each other the one that the feed gives counts, and the departure's first.
            if departing == nil { result.departure = reached } else { result.arrival = left }
        }
        (result.origin, result.spreadSeconds) = (.feed, spread)
        return result
    }

    /// How late an event is, seconds; nil if it does not say, or says what cannot be.
    private mutating func lateness(_ event: StopTimeEvent?, scheduled: Int32) -> Int64? {
        guard let event else { return nil }
        if let time = event.time, time.secondsSinceEpoch > 0 {
            return plausible(time.secondsSinceEpoch - start - Int64(scheduled))
        }
        return event.delaySeconds.flatMap { plausible(Int64($0)) }
    }

    private mutating func plausible(_ seconds: Int64) -> Int64? {
        if (-Self.mostSeconds...Self.mostSeconds).contains(seconds) { return seconds }
        implausible += 1
        return nil
    }

    private func arrival(_ row: Int, _ late: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: start + Int64(feed.stopTimes.arrivals[row]) + late)
    }

    private func departure(_ row: Int, _ late: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: start + Int64(feed.stopTimes.departures[row]) + late)
    }
}
