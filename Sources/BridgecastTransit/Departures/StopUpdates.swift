// Stop time updates of a trip: which stop each one means, and the delays that follow for all stops.
internal import BridgecastCore

extension TransitFeed {
    /// By stop of a run, the index of its update, or -1; and the indices of updates of none of its stops.
    ///
    /// An update that names another platform of the same station means the planned one. Of two updates of a stop the later
    /// one counts.
    ///
    /// - Parameter start: The time from which the run's stop times count, seconds since 1970.
    /// - Complexity: O(stops + updates) where updates come in the order of the trip.
    func matches(
        of updates: [StopTimeUpdate], rows: Range<Int>, start: Int64
    ) -> (matched: [Int32], unmatched: [Int]) {
        var matched = [Int32](repeating: -1, count: rows.count)
        var unmatched: [Int] = []
        var next = rows.lowerBound
        for (index, update) in updates.enumerated() {
            guard let row = row(of: update, rows: rows, from: next, start: start) else {
                unmatched.append(index)
                continue
            }
            matched[row - rows.lowerBound] = Int32(index)
            next = max(next, row + 1)
        }
        return (matched, unmatched)
    }

    private func row(
        of update: StopTimeUpdate, rows: Range<Int>, from next: Int, start: Int64
    ) -> Int? {
        let stop = update.stopID.flatMap { position(of: $0, in: stops.ids) }
        if let row = agreedRow(update, stop: stop, in: rows) { return row }
        return stop.flatMap {
            visit(of: $0, update, in: next..<max(next, rows.upperBound), start: start)
        } ?? row(ofSequence: update.sequence, in: rows)
    }

    /// The row of an update's stop_sequence, if it is that of its stop too, or it names none.
    ///
    /// Many feeds have sequences that are not the timetable's, such as numbers from 0: the stop counts more.
    func agreedRow(_ update: StopTimeUpdate, stop: Int?, in rows: Range<Int>) -> Int? {
        guard let row = row(ofSequence: update.sequence, in: rows) else { return nil }
        return stop.map { isSameStop(stopTimes.stops[row], Int32($0)) } ?? true ? row : nil
    }

    /// The row of the visit of a stop that an update means.
    ///
    /// If a trip visits a stop twice it is the one whose time is nearest, without a time the first one that is left.
    private func visit(
        of stop: Int, _ update: StopTimeUpdate, in rows: Range<Int>, start: Int64
    ) -> Int? {
        let time = (update.departure?.time ?? update.arrival?.time)?.secondsSinceEpoch
        var best: (row: Int, distance: Int64)?
        for row in rows where isSameStop(stopTimes.stops[row], Int32(stop)) {
            let distance = time.map { abs(start + Int64(stopTimes.departures[row]) - $0) } ?? 0
            if best.map({ distance < $0.distance }) ?? true { best = (row, distance) }
            if time == nil { break }
        }
        return best?.row
    }

    /// The row of a stop_sequence; O(log stops).
    func row(ofSequence sequence: Int?, in rows: Range<Int>) -> Int? {
        guard let sequence, let wanted = UInt32(exactly: sequence) else { return nil }
        let row = stopTimes.sequences[rows].partitioningIndex { $0 >= wanted }
        return row < rows.upperBound && stopTimes.sequences[row] == wanted ? row : nil
    }

    /// Whether two stops are the same, or platforms of the same station.
    private func isSameStop(_ planned: Int32, _ other: Int32) -> Bool {
        guard planned != other else { return true }
        let station = stops.parents[Int(planned)]
        return station >= 0 && (station == stops.parents[Int(other)] || station == other)
    }

    /// The stop that an update has instead of the planned one; nil if it has none.
    func assignedStop(_ update: StopTimeUpdate, planned: Int32) -> StopIndex? {
        guard let id = update.usedStopID, let stop = position(of: id, in: stops.ids),
            Int32(stop) != planned,
            // A station is not a platform and says nothing new.
            Int32(stop) != stops.parents[Int(planned)],
            stops.kinds[stop] != TransitStop.Kind.station.rawValue
        else { return nil }
        return StopIndex(stop)
    }
}

// MARK: - Delays

/// Propagates delays along a run, by the rules of GTFS Realtime (reference, StopTimeUpdate; "Trip updates", Stop time updates).
///
/// A delay applies to all later stops until the next one that has times of its own, or no data; skipped stops do not end it.
/// A time counts before a delay; a stop without a departure leaves as late as it arrives. Stops before the first update
/// have no prediction.
package struct DelayPropagation {
    private let feed: TransitFeed
    private let rows: Range<Int>
    private let start: Int64
    /// The delay that applies at the current stop, seconds, and its uncertainty.
    private var delay: Int64?
    private var spread: Double?
    /// The number of times that were ignored because they are more than a day from the timetable.
    package private(set) var implausible = 0

    /// - Parameter start: The time from which the run's stop times count, seconds since 1970.
    package init(_ feed: TransitFeed, rows: Range<Int>, start: Int64) {
        self.feed = feed
        self.rows = rows
        self.start = start
    }

    /// A delay of more than this is a mistake, seconds.
    private static let maxSeconds: Int64 = 86_400

    /// By stop of the run, its prediction.
    ///
    /// - Parameter matches: By stop, the index of its update among the update's stops, or -1.
    package mutating func predictions(_ update: TripUpdate, matches: [Int32]) -> [StopPrediction] {
        delay = update.delaySeconds.flatMap { plausible(Int64($0)) }
        return matches.enumerated().map { order, index in
            let row = rows.lowerBound + order
            guard index >= 0 else { return propagated(to: row) }
            return prediction(update.stops[Int(index)], row)
        }
    }

    /// A stop without an update of its own.
    private func propagated(to row: Int) -> StopPrediction {
        var result = StopPrediction()
        guard let delay else { return result }
        result.arrival = arrival(row, delay: delay)
        result.departure = departure(row, delay: delay)
        result.origin = .propagated
        result.spreadSeconds = spread
        return result
    }

    private mutating func prediction(_ update: StopTimeUpdate, _ row: Int) -> StopPrediction {
        if update.relationship == .noData {
            delay = nil
            spread = nil
            var result = StopPrediction()
            result.hasNoData = true
            return result
        }
        var result =
            update.relationship == .skipped ? propagated(to: row) : timed(update, row)
        result.isSkipped = update.relationship == .skipped
        result.assignedStop = feed.assignedStop(update, planned: feed.stopTimes.stops[row])
        result.occupancy = update.departureOccupancy
        return result
    }

    /// A stop with times of its own.
    private mutating func timed(_ update: StopTimeUpdate, _ row: Int) -> StopPrediction {
        let arriving = delay(of: update.arrival, scheduled: feed.stopTimes.arrivals[row])
        let departing = delay(of: update.departure, scheduled: feed.stopTimes.departures[row])
        guard arriving != nil || departing != nil else { return propagated(to: row) }
        var result = StopPrediction()
        // Where the trip ends both times are one, whichever the feed has.
        let isLast = row + 1 == rows.upperBound
        result.arrival = (arriving ?? (isLast ? departing : delay)).map { arrival(row, delay: $0) }
        delay = departing ?? arriving
        spread =
            (update.departure?.uncertaintySeconds ?? update.arrival?.uncertaintySeconds)
            .flatMap { $0 >= 0 ? Double($0) : nil }
        result.departure = delay.map { departure(row, delay: $0) }
        if let reached = result.arrival, let left = result.departure, left < reached {
            // Of two times that contradict each other that of the feed counts, and the departure's first.
            if departing == nil { result.departure = reached } else { result.arrival = left }
        }
        result.origin = .feed
        result.spreadSeconds = spread
        return result
    }

    /// The delay of an event, seconds; nil if it has none, or an implausible one.
    private mutating func delay(of event: StopTimeEvent?, scheduled: Int32) -> Int64? {
        guard let event else { return nil }
        if let time = event.time, time.secondsSinceEpoch > 0 {
            return plausible(time.secondsSinceEpoch - start - Int64(scheduled))
        }
        return event.delaySeconds.flatMap { plausible(Int64($0)) }
    }

    private mutating func plausible(_ seconds: Int64) -> Int64? {
        if (-Self.maxSeconds...Self.maxSeconds).contains(seconds) { return seconds }
        implausible += 1
        return nil
    }

    private func arrival(_ row: Int, delay: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: start + Int64(feed.stopTimes.arrivals[row]) + delay)
    }

    private func departure(_ row: Int, delay: Int64) -> Timestamp {
        Timestamp(secondsSinceEpoch: start + Int64(feed.stopTimes.departures[row]) + delay)
    }
}
