// Merges trip updates and vehicles with a timetable, one after another: known runs, added runs, vehicles on their runs.
// Which run is meant is in TripResolver, the predictions of a run in StopUpdates, notices in MergeNotices.
package import BridgecastCore
internal import BridgecastSupport

/// A merge of realtime feeds with a timetable, in progress.
package struct RealtimeMerge {
    let feed: TransitFeed
    private let days: ServiceDays
    let asOf: Timestamp
    private var resolver: TripResolver
    /// The result so far.
    package var result = MergedRealtime()
    /// By run, its index in the result.
    private var indices: [RunKey: Int] = [:]
    /// By trip, the index of its last run in the result, and the number of its runs.
    private var runsOfTrips: [TripIndex: (last: Int, count: Int)] = [:]
    /// By vehicle, as trip updates name it, the index of its run.
    private var runsOfVehicles: [String: Int] = [:]
    /// By trip identifier, the index among the added runs.
    private var addedOfTrips: [String: Int] = [:]
    /// How well each feed fits, in the order of the realtime state.
    var fits: [SourceFit]
    /// Stops with predictions.
    private var predictedStops = 0
    /// The maximum number of stops with predictions; the largest agencies have a tenth of it.
    ///
    /// A feed may name each trip on each day of the timetable, which would exhaust memory.
    private static let maxPredictedStops = 3_000_000

    /// Begins with an empty result.
    ///
    /// - Parameter sources: The number of feeds.
    package init(_ feed: TransitFeed, days: ServiceDays, asOf: Timestamp, sources: Int) {
        self.feed = feed
        self.days = days
        self.asOf = asOf
        resolver = TripResolver(feed, days: days)
        fits = Array(repeating: SourceFit(), count: sources)
    }

    /// Merges a trip update, unless its timestamp is in the future.
    ///
    /// - Parameters:
    ///   - messageTime: The timestamp of its message, which counts if the update has none.
    ///   - source: The index of its feed.
    package mutating func take(_ update: TripUpdate, messageTime: Timestamp?, of source: Int) {
        var update = update
        update.trip = update.trip.withoutEmptyTexts
        fits[source].note(update.trip, resolver)
        guard isPlausible(update.timestamp ?? messageTime, of: source) else { return }
        // A clock that is slightly ahead must not make it newer than now.
        update.timestamp = (update.timestamp ?? messageTime).map { min($0, asOf) }
        update.properties = update.properties?.withoutEmptyTexts
        switch update.trip.relationship ?? .scheduled {
        case .added, .new: add(update)
        case .duplicated: addCopy(update)
        case .unscheduled where resolver.trip(update.trip) == nil: add(update)
        case .unscheduled, .scheduled, .cancelled, .deleted, .replacement: change(update)
        }
    }

    /// Merges the update of a run of the timetable.
    private mutating func change(_ update: TripUpdate) {
        guard let key = run(of: update) else { return }
        let index = index(of: key)
        let updatedAt = update.timestamp ?? asOf
        if let before = result.runs[index].updatedAt, before > updatedAt {
            return noteDuplicate(update)
        }
        let relationship = update.trip.relationship ?? .scheduled
        result.runs[index].relationship = relationship
        result.runs[index].updatedAt = updatedAt
        let isCancelled = relationship == .cancelled || relationship == .deleted
        result.runs[index].stops = isCancelled ? [] : predictions(update, of: index)
        if let vehicle = update.vehicle?.id, !vehicle.isEmpty { runsOfVehicles[vehicle] = index }
    }

    /// The predictions of an update for every stop of its run.
    private mutating func predictions(_ update: TripUpdate, of run: Int) -> [StopPrediction] {
        let rows = feed.stopTimes.rows(of: result.runs[run].key.trip)
        let isReplaced = update.trip.relationship == .replacement
        guard !update.stops.isEmpty || update.delaySeconds != nil || isReplaced,
            hasRoom(for: rows.count)
        else { return [] }
        let start = result.starts[run]
        let (matched, unmatched) = feed.matches(of: update.stops, rows: rows, start: start)
        var propagation = DelayPropagation(feed, rows: rows, start: start)
        var stops = propagation.predictions(update, matches: matched)
        if propagation.implausible > 0 { noteImplausible(propagation.implausible, update) }
        if !unmatched.isEmpty { noteUnmatched(unmatched, update) }
        if isReplaced {
            // The update is the whole trip: stops that it does not name are skipped.
            for order in stops.indices where matched[order] < 0 { stops[order].isSkipped = true }
        }
        return stops
    }

    /// A run as predicted so far, or scheduled where nothing is predicted; nil if its path is unknown.
    func course(of run: RunKey) -> RunCourse? {
        feed.scheduledCourse(of: run)?
            .predicted(by: indices[run].map { result.runs[$0].stops } ?? [])
    }

    /// Whether there is room for predictions of `stops` more stops; if not, it is noted.
    private mutating func hasRoom(for stops: Int) -> Bool {
        guard predictedStops + stops <= Self.maxPredictedStops else {
            result.notices.add(
                .error, "too_many_predictions", file: Self.updateFile,
                "predictions of more than \(Self.maxPredictedStops) stops; the rest is left out")
            return false
        }
        predictedStops += stops
        return true
    }

    /// The index of a run in the result, to which it is appended if it is new.
    private mutating func index(of key: RunKey) -> Int {
        if let index = indices[key] { return index }
        let index = result.runs.count
        result.runs.append(LiveRun(key: key))
        result.starts.append(days.start(ofDay: key.date.dayNumber) + feed.shift(of: key))
        indices[key] = index
        runsOfTrips[key.trip] = (index, (runsOfTrips[key.trip]?.count ?? 0) + 1)
        return index
    }

    /// The run that an update means; nil, with a notice, if it means none.
    private mutating func run(of update: TripUpdate) -> RunKey? {
        do {
            return try resolver.run(update.trip, near: plausibleTime(update.timestamp)) {
                [feed, asOf] trip in
                feed.evidence(
                    of: update.stops, rows: feed.stopTimes.rows(of: trip),
                    near: asOf.secondsSinceEpoch)
            }
        } catch {
            note(error, update.trip, file: Self.updateFile)
            return nil
        }
    }

    /// A feed's timestamp if it is plausible, else that of the snapshot, seconds since 1970.
    private func plausibleTime(_ timestamp: Timestamp?) -> Int64 {
        let now = asOf.secondsSinceEpoch
        guard let seconds = timestamp?.secondsSinceEpoch, abs(seconds - now) < 43_200 else {
            return now
        }
        return seconds
    }
}

extension TransitFeed {
    /// The first predicted time of a stop that a trip has, with its scheduled time; only of times within two days, since a
    /// single wrong time must not lead to another year.
    fileprivate func evidence(
        of updates: [StopTimeUpdate], rows: Range<Int>, near now: Int64
    ) -> TripResolver.Evidence? {
        for update in updates {
            guard let time = update.arrival?.time ?? update.departure?.time,
                abs(time.secondsSinceEpoch - now) <= 2 * 86_400
            else { continue }
            let stop = update.stopID.flatMap { position(of: $0, in: stops.ids) }
            let row =
                agreedRow(update, stop: stop, in: rows)
                ?? stop.flatMap { stop in rows.first { stopTimes.stops[$0] == Int32(stop) } }
                ?? row(ofSequence: update.sequence, in: rows)
            guard let row else { continue }
            return TripResolver.Evidence(
                scheduledSeconds: stopTimes.arrivals[row], seconds: time.secondsSinceEpoch)
        }
        return nil
    }
}

// MARK: - Result

/// Realtime feeds merged with a timetable.
package struct MergedRealtime: Sendable {
    /// Runs of the timetable, each once.
    package var runs: [LiveRun] = []
    /// By run, the time from which its stop times count, seconds since 1970.
    package var starts: [Int64] = []
    /// Runs that the timetable does not have.
    package var added: [AddedRun] = []
    /// Vehicles in the order of the feeds.
    package var vehicles: [LiveVehicle] = []
    /// Alerts in the order of the feeds.
    package var alerts: [ServiceAlert] = []
    /// What could not be matched.
    package var notices = FeedNotices()

    package init() {}
}

// MARK: - Added runs

extension RealtimeMerge {
    /// Adds a trip with times of its own.
    private mutating func add(_ update: TripUpdate) {
        let stops = update.stops.compactMap { stop(of: $0) }
        guard !stops.isEmpty else {
            // Some feeds call a trip of the timetable added, and have nothing but its delay.
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

    /// Adds a copy of a trip of the timetable, at its own time or at another.
    private mutating func addCopy(_ update: TripUpdate) {
        guard let trip = resolver.trip(update.trip) else {
            return note(.unknownTrip, update.trip, file: Self.updateFile)
        }
        let rows = feed.stopTimes.rows(of: trip)
        guard !rows.isEmpty else { return note(.noStops, update.trip, file: Self.updateFile) }
        guard hasRoom(for: rows.count) else { return }
        let start = copyStart(update, firstDeparture: feed.stopTimes.departures[rows.lowerBound])
        let (matched, unmatched) = feed.matches(of: update.stops, rows: rows, start: start)
        noteUnmatched(unmatched, update)
        var propagation = DelayPropagation(feed, rows: rows, start: start)
        let predictions = propagation.predictions(update, matches: matched)
        if propagation.implausible > 0 { noteImplausible(propagation.implausible, update) }
        let stops = zip(rows, predictions).compactMap { row, prediction in
            prediction.isSkipped ? nil : stop(row, start: start, prediction)
        }
        guard !stops.isEmpty else { return noteEmpty(update) }
        append(
            AddedRun(
                update: update, route: resolver.route(update.trip), stops: stops,
                headsign: update.properties?.headsign ?? feed[trip].headsign))
    }

    /// The time from which a copy's stop times count, seconds since 1970.
    private func copyStart(_ update: TripUpdate, firstDeparture: Int32) -> Int64 {
        let date = (update.properties?.startDate ?? update.trip.startDate)
            .flatMap { CivilDate(compact: $0.utf8) }
        let day = date?.dayNumber ?? days.day(at: plausibleTime(update.timestamp))
        let start = (update.properties?.startTime ?? update.trip.startTime)
            .flatMap(ServiceTime.seconds)
        return days.start(ofDay: day) + Int64(start ?? Int(firstDeparture)) - Int64(firstDeparture)
    }

    private func stop(
        _ row: Int, start: Int64, _ prediction: StopPrediction
    ) -> AddedRun.Stop {
        let times = feed.stopTimes
        return AddedRun.Stop(
            stop: prediction.assignedStop ?? StopIndex(Int(times.stops[row])),
            arrival: prediction.arrival, departure: prediction.departure,
            scheduledArrival: Timestamp(secondsSinceEpoch: start + Int64(times.arrivals[row])),
            scheduledDeparture: Timestamp(secondsSinceEpoch: start + Int64(times.departures[row])))
    }

    /// A stop with its times; nil if it is skipped, unknown, or has none.
    private func stop(of update: StopTimeUpdate) -> AddedRun.Stop? {
        guard update.relationship != .skipped, update.relationship != .noData,
            let id = update.usedStopID, let row = feed.position(of: id, in: feed.stops.ids)
        else { return nil }
        let arrival = time(update.arrival)
        let departure = time(update.departure)
        guard arrival != nil || departure != nil else { return nil }
        return AddedRun.Stop(
            stop: StopIndex(row), arrival: arrival, departure: departure,
            scheduledArrival: update.arrival?.scheduledTime,
            scheduledDeparture: update.departure?.scheduledTime)
    }

    private func time(_ event: StopTimeEvent?) -> Timestamp? {
        guard let event else { return nil }
        if let time = event.time, time.secondsSinceEpoch > 0 { return time }
        return event.scheduledTime?.adding(seconds: Int64(event.delaySeconds ?? 0))
    }

    /// Appends a run; of two updates of one run the newer counts.
    ///
    /// A copy without an identifier of its own is not known by that of the trip that it copies.
    private mutating func append(_ run: AddedRun) {
        let isCopy = run.update.trip.relationship == .duplicated
        let id = run.update.properties?.tripID ?? (isCopy ? nil : run.update.trip.tripID)
        if let id, let index = addedOfTrips[id], run.isSameRun(as: result.added[index]) {
            noteDuplicate(run.update)
            if run.updatedAt >= result.added[index].updatedAt { result.added[index] = run }
            return
        }
        if let id { addedOfTrips[id] = result.added.count }
        result.added.append(run)
    }

}

extension AddedRun {
    fileprivate var updatedAt: Timestamp { update.timestamp ?? .earliest }

    /// Whether another run with the same identifier is the same.
    fileprivate func isSameRun(as other: AddedRun) -> Bool {
        update.trip == other.update.trip && update.properties == other.update.properties
    }
}

// MARK: - Vehicles

extension RealtimeMerge {
    /// Merges a vehicle, unless its timestamp is in the future.
    ///
    /// - Parameters:
    ///   - messageTime: The timestamp of its message, which counts if the report has none.
    ///   - source: The index of its feed.
    package mutating func take(
        _ report: VehicleReport, entityID: String, messageTime: Timestamp?, of source: Int,
        tracker: inout VehicleTracker
    ) {
        if let trip = report.trip, trip.tripID.flatMap({ addedOfTrips[$0] }) == nil {
            fits[source].note(trip, resolver)
        }
        let seenAt = report.timestamp ?? messageTime
        guard isPlausible(seenAt, of: source) else { return }
        var vehicle = LiveVehicle(report: report, entityID: entityID, seenAt: seenAt)
        let run = runIndex(of: report, seenAt: seenAt)
        if let run {
            vehicle.run = result.runs[run].key
            let trip = result.runs[run].key.trip
            vehicle.route = RouteIndex(Int(feed.trips.routes[trip.position]))
            vehicle.place = tracker.match(
                report, vehicle: vehicle.trackingName, on: result.runs[run].key,
                seenAt: seenAt ?? asOf, in: feed)
            vehicle.stillSince = tracker.stillSince(vehicle.trackingName)
            setNextStop(of: &vehicle, on: trip)
        } else {
            vehicle.route = report.trip.flatMap { resolver.route($0) }
        }
        attach(vehicle, index: result.vehicles.count, to: run)
        result.vehicles.append(vehicle)
    }

    /// The index of the run that a vehicle is on; nil if the timetable does not have it.
    private mutating func runIndex(of report: VehicleReport, seenAt: Timestamp?) -> Int? {
        guard let selector = report.trip?.withoutEmptyTexts,
            selector.tripID != nil || selector.routeID != nil
        else { return report.vehicle?.id.flatMap { runsOfVehicles[$0] } }
        if let trip = resolver.trip(selector), selector.startDate == nil, selector.startTime == nil,
            let known = runsOfTrips[trip], known.count == 1,
            isUnderWay(known.last, at: plausibleTime(seenAt))
        {
            return known.last
        }
        // A vehicle on a trip that the timetable does not have is noted only if no update adds the trip.
        if let id = selector.tripID, addedOfTrips[id] != nil { return nil }
        do {
            return index(of: try resolver.run(selector, near: plausibleTime(seenAt)))
        } catch {
            // A route alone is enough for a map, and no mistake; an update may name the vehicle.
            guard error != .unnamed else {
                return report.vehicle?.id.flatMap { runsOfVehicles[$0] }
            }
            note(error, selector, file: Self.vehicleFile)
            return nil
        }
    }

    /// Whether a run is under way, or some hours before or after it: updates may be of tomorrow's.
    private func isUnderWay(_ run: Int, at seconds: Int64) -> Bool {
        let rows = feed.stopTimes.rows(of: result.runs[run].key.trip)
        let since = seconds - result.starts[run]
        return since >= Int64(feed.stopTimes.departures[rows.lowerBound]) - Self.marginSeconds
            && since <= Int64(feed.stopTimes.arrivals[rows.upperBound - 1]) + Self.marginSeconds
    }

    private static var marginSeconds: Int64 { 6 * 3600 }

    /// Puts a vehicle on its run; of several on the same run, the one seen last.
    private mutating func attach(_ vehicle: LiveVehicle, index: Int, to run: Int?) {
        if let run {
            if let other = result.runs[run].vehicle,
                result.vehicles[other].seenAt ?? .earliest > vehicle.seenAt ?? .earliest
            {
                return
            }
            result.runs[run].vehicle = index
        } else if let id = vehicle.report.trip?.tripID, let added = addedOfTrips[id] {
            result.added[added].vehicle = index
        }
    }

    /// Sets where a vehicle is among the stops of its trip: by its own report, or else by its position.
    private func setNextStop(of vehicle: inout LiveVehicle, on trip: TripIndex) {
        let rows = feed.stopTimes.rows(of: trip)
        let row = feed.row(namedBy: vehicle.report, in: rows)
        vehicle.nextStop =
            row.map { $0 - rows.lowerBound } ?? nextStop(after: vehicle.place, on: trip)
        vehicle.isAtStop = row != nil && vehicle.report.stopStatus == .stoppedAt
    }

    /// The first stop that has not been passed.
    private func nextStop(after place: VehicleLocation?, on trip: TripIndex) -> Int? {
        guard let place, !place.isOffRoute, let stops = feed.geometry(of: trip)?.stopMetres else {
            return nil
        }
        return min(
            stops.partitioningIndex { $0 >= place.metres - Self.passedMetres }, stops.count - 1)
    }

    /// A stop has been passed once a vehicle is so far beyond it, metres: longer than trains and errors of fixes.
    private static var passedMetres: Double { 250 }

    // MARK: Our own predictions

    /// Adds our own predictions where feeds have none, and learns how late runs are where they have.
    package mutating func predict(_ tracker: inout VehicleTracker) {
        for index in result.runs.indices {
            let run = result.runs[index]
            guard run.relationship != .cancelled, run.relationship != .deleted else { continue }
            if let reported = feed.lateness(of: run, start: result.starts[index]) {
                // Before its first departure a run is on time by default, which says nothing.
                guard reported.stop > 0 || reported.time <= asOf else { continue }
                tracker.learn(
                    delaySeconds: reported.seconds, of: run.key, at: run.updatedAt ?? asOf, in: feed
                )
            } else if let own = prediction(of: run, tracker) {
                result.runs[index].stops = own
            }
        }
    }

    /// Our own predictions of a run of which the feed has only the vehicle.
    private func prediction(of run: LiveRun, _ tracker: VehicleTracker) -> [StopPrediction]? {
        guard let vehicle = run.vehicle.map({ result.vehicles[$0] }), let place = vehicle.place,
            let seenAt = vehicle.seenAt, run.stops.allSatisfy({ !$0.isSkipped && !$0.hasNoData }),
            Self.usefulSeconds.contains(asOf.secondsSinceEpoch - seenAt.secondsSinceEpoch)
        else { return nil }
        let own = tracker.predictions(for: run.key, from: place, seenAt: seenAt, in: feed)
        return own.count == feed.stopTimes.rows(of: run.key.trip).count ? own : nil
    }

    /// The age of a position from which predictions are made, seconds.
    private static var usefulSeconds: PartialRangeThrough<Int64> { ...1800 }
}

extension TransitFeed {
    /// The lateness of a run in the feed, at its first predicted stop, and when it is there; nil without predictions.
    fileprivate func lateness(
        of run: LiveRun, start: Int64
    ) -> (seconds: Int, stop: Int, time: Timestamp)? {
        let first = run.stops.firstIndex { $0.origin == .feed || $0.origin == .propagated }
        guard let first, let time = run.stops[first].departure ?? run.stops[first].arrival else {
            return nil
        }
        let row = stopTimes.rows(of: run.key.trip).lowerBound + first
        let scheduled =
            run.stops[first].departure == nil ? stopTimes.arrivals[row] : stopTimes.departures[row]
        return (Int(time.secondsSinceEpoch - start - Int64(scheduled)), first, time)
    }
}
