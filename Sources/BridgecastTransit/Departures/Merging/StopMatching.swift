// Which stop of a trip each stop time update speaks of: by its sequence and its stop, in the order of the trip.
internal import BridgecastCore

extension TransitFeed {
    /// By stop of a run, the place of the update that speaks of it, or -1; and the updates that speak of none.
    ///
    /// An update that names another platform of the same station instead of the planned one speaks of the planned one. Of two
    /// updates of a stop the later one counts.
    ///
    /// - Parameter start: The moment from which the run's stop times count, seconds since 1970.
    /// - Complexity: O(stops + updates) where updates come in the order of the trip.
    func matches(
        of updates: [StopTimeUpdate], rows: Range<Int>, start: Int64
    ) -> (places: [Int32], unmatched: [Int]) {
        var places = [Int32](repeating: -1, count: rows.count)
        var unmatched: [Int] = []
        var next = rows.lowerBound
        for (number, update) in updates.enumerated() {
            guard let row = row(of: update, rows: rows, from: next, start: start) else {
                unmatched.append(number)
                continue
            }
            places[row - rows.lowerBound] = Int32(number)
            next = max(next, row + 1)
        }
        return (places, unmatched)
    }

    private func row(
        of update: StopTimeUpdate, rows: Range<Int>, from next: Int, start: Int64
    ) -> Int? {
        let stop = update.stopID.flatMap { position(of: $0, in: stops.ids) }
        if let row = agreedRow(update, stop, rows) { return row }
        return stop.flatMap {
            visit(of: $0, update, next..<max(next, rows.upperBound), start: start)
        } ?? row(ofSequence: update.sequence, rows)
    }

    /// The row of an update's stop_sequence, if it is that of its stop too, or it names none.
    ///
    /// Sequences that are not the timetable's are usual, such as numbers from 0: what the stop says counts more.
    func agreedRow(_ update: StopTimeUpdate, _ stop: Int?, _ rows: Range<Int>) -> Int? {
        guard let row = row(ofSequence: update.sequence, rows) else { return nil }
        return stop.map { isSameStop(stopTimes.stops[row], Int32($0)) } ?? true ? row : nil
    }

    /// The visit of a stop that an update speaks of.
    private func visit(
        of stop: Int, _ update: StopTimeUpdate, _ rows: Range<Int>, start: Int64
    ) -> Int? {
        // Trips that come to a stop twice: the visit whose time is nearest, without a time the first that is still to come.
        let moment = (update.departure?.time ?? update.arrival?.time)?.secondsSinceEpoch
        var best: (row: Int, distance: Int64)?
        for row in rows where isSameStop(stopTimes.stops[row], Int32(stop)) {
            let distance = moment.map { abs(start + Int64(stopTimes.departures[row]) - $0) } ?? 0
            if best.map({ distance < $0.distance }) ?? true { best = (row, distance) }
            if moment == nil { break }
        }
        return best?.row
    }

    /// The row of a stop_sequence; O(log stops).
    func row(ofSequence sequence: Int?, _ rows: Range<Int>) -> Int? {
        guard let sequence, let wanted = UInt32(exactly: sequence) else { return nil }
        let row = stopTimes.sequences.partitionPoint(in: rows) { $0 >= wanted }
        return row < rows.upperBound && stopTimes.sequences[row] == wanted ? row : nil
    }

    /// Whether two stops are one, or platforms of one station.
    private func isSameStop(_ planned: Int32, _ other: Int32) -> Bool {
        guard planned != other else { return true }
        let station = stops.parents[Int(planned)]
        return station >= 0 && (station == stops.parents[Int(other)] || station == other)
    }

    /// The stop that an update puts in the place of the planned one; nil if it is the planned one.
    func assignedStop(_ update: StopTimeUpdate, planned: Int32) -> StopIndex? {
        guard let id = update.usedStopID, let stop = position(of: id, in: stops.ids),
            Int32(stop) != planned,
            // A station is no platform: it says nothing new.
            Int32(stop) != stops.parents[Int(planned)],
            stops.kinds[stop] != TransitStop.Kind.station.rawValue
        else { return nil }
        return StopIndex(stop)
    }
}
