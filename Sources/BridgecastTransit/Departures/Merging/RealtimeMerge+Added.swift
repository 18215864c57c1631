// Runs that the timetable does not have: added ones with times of their own, and copies of trips at other times.
internal import BridgecastCore

extension RealtimeMerge {
    /// Takes a trip with times of its own.
    mutating func add(_ update: TripUpdate) {
        let stops = update.stops.compactMap { stop(of: $0) }
        guard !stops.isEmpty else {
            // Some feeds call a trip of the timetable added, and give nothing but its lateness.
            if resolver.trip(update.trip) != nil { addCopy(update) } else { noteEmpty(update) }
            return
        }
        let trip = resolver.trip(update.trip).map { feed[$0] }
        let headsign = update.properties?.headsign ?? trip?.headsign ?? ""
        append(
            AddedRun(
                update: update, route: resolver.route(update.trip), stops: stops,
                headsign: headsign.isEmpty ? feed[stops[stops.count - 1].stop].name : headsign))
    }

    /// Takes a copy of a trip of the timetable, at its own time or at another.
    mutating func addCopy(_ update: TripUpdate) {
        guard let trip = resolver.trip(update.trip) else {
            return note(.unknownTrip, update.trip, file: Self.updateFile)
        }
        let rows = feed.stopTimes.rows(of: trip)
        guard !rows.isEmpty else { return note(.noStops, update.trip, file: Self.updateFile) }
        guard hasRoom(for: rows.count) else { return }
        let start = copyStart(update, firstDeparture: feed.stopTimes.departures[rows.lowerBound])
        let (matched, unmatched) = feed.matches(of: update.stops, rows: rows, start: start)
        noteUnmatched(unmatched, update)
        var carrier = DelayPropagation(feed, rows: rows, start: start)
        let predictions = carrier.predictions(update, places: matched)
        if carrier.implausible > 0 { noteImplausible(carrier.implausible, update) }
        let stops = zip(rows, predictions).compactMap { row, prediction in
            prediction.isSkipped ? nil : stop(row, start, prediction)
        }
        guard !stops.isEmpty else { return noteEmpty(update) }
        append(
            AddedRun(
                update: update, route: resolver.route(update.trip), stops: stops,
                headsign: update.properties?.headsign ?? feed[trip].headsign))
    }

    /// The moment from which a copy's stop times count, seconds since 1970.
    private func copyStart(_ update: TripUpdate, firstDeparture: Int32) -> Int64 {
        let date = (update.properties?.startDate ?? update.trip.startDate)
            .flatMap(SelectorText.date)
        let day = date?.dayNumber ?? days.day(at: moment(update.timestamp))
        let start = (update.properties?.startTime ?? update.trip.startTime)
            .flatMap(SelectorText.seconds)
        return days.start(ofDay: day) + Int64(start ?? Int(firstDeparture)) - Int64(firstDeparture)
    }

    private func stop(_ row: Int, _ start: Int64, _ prediction: StopPrediction) -> AddedRun.Stop {
        let times = feed.stopTimes
        return AddedRun.Stop(
            stop: prediction.assignedStop ?? StopIndex(Int(times.stops[row])),
            arrival: prediction.arrival, departure: prediction.departure,
            scheduledArrival: Timestamp(secondsSinceEpoch: start + Int64(times.arrivals[row])),
            scheduledDeparture: Timestamp(secondsSinceEpoch: start + Int64(times.departures[row])))
    }

    /// A stop with its moments; nil if it is skipped, unknown, or has none.
    private func stop(of update: StopTimeUpdate) -> AddedRun.Stop? {
        guard update.relationship != .skipped, update.relationship != .noData,
            let id = update.usedStopID, let row = feed.position(of: id, in: feed.stops.ids)
        else { return nil }
        let (arrival, departure) = (moment(update.arrival), moment(update.departure))
        guard arrival != nil || departure != nil else { return nil }
        return AddedRun.Stop(
            stop: StopIndex(row), arrival: arrival, departure: departure,
            scheduledArrival: update.arrival?.scheduledTime,
            scheduledDeparture: update.departure?.scheduledTime)
    }

    private func moment(_ event: StopTimeEvent?) -> Timestamp? {
        guard let event else { return nil }
        if let time = event.time, time.secondsSinceEpoch > 0 { return time }
        return event.scheduledTime?.adding(seconds: Int64(event.delaySeconds ?? 0))
    }

    /// Adds a run; of two updates of one the newer counts.
    ///
    /// A copy that has no name of its own is not known by that of the trip that it copies.
    private mutating func append(_ run: AddedRun) {
        let isCopy = run.update.trip.relationship == .duplicated
        let id = run.update.properties?.tripID ?? (isCopy ? nil : run.update.trip.tripID)
        if let id, let place = addedOfTrips[id], run.isAgain(result.added[place]) {
            noteTwice(run.update)
            if run.updatedAt >= result.added[place].updatedAt { result.added[place] = run }
            return
        }
        if let id { addedOfTrips[id] = result.added.count }
        result.added.append(run)
    }

    private mutating func noteEmpty(_ update: TripUpdate) {
        result.notices.add(
            .warning, "added_trip_without_times", file: Self.updateFile, field: "stop_time_update",
            "trip '\(printable(update.trip.tripID ?? ""))' is added without a stop of the timetable that "
                + "has a time; it is left out")
    }
}

extension AddedRun {
    fileprivate var updatedAt: Timestamp { update.timestamp ?? .earliest }

    /// Whether another one of the same name is the same run.
    fileprivate func isAgain(_ other: AddedRun) -> Bool {
        update.trip == other.update.trip && update.properties == other.update.properties
    }
}
