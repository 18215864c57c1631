// Sets trip updates and vehicles against a timetable, one after another; used by TransitSnapshot alone.
package import BridgecastCore

/// A merge in progress.
package struct RealtimeMerge {
    let feed: TransitFeed
    let days: ServiceDays
    let asOf: Timestamp
    var resolver: TripResolver
    /// What came of it so far.
    package var result = MergedRealtime()
    /// By run, its place in the result.
    var places: [RunKey: Int] = [:]
    /// By trip, the place of a run of it in the result, and how many there are.
    var placesOfTrips: [TripIndex: (place: Int, count: Int)] = [:]
    /// By vehicle, as trip updates name it, the run that it is on.
    var runsOfVehicles: [String: Int] = [:]
    /// By trip identifier, the place among the runs that the timetable does not have.
    var addedOfTrips: [String: Int] = [:]
    /// How the feeds fit, in the order of the realtime state.
    var fits: [SourceFit]
    /// Stops of which predictions were made.
    private var predictedStops = 0
    /// Stops of which predictions are made; the largest of agencies have a tenth of it.
    ///
    /// A feed may name each trip on each day of the timetable, which would fill the memory.
    private static let mostPredictedStops = 3_000_000

    /// Begins with nothing heard of so many feeds.
    package init(_ feed: TransitFeed, days: ServiceDays, asOf: Timestamp, sources: Int) {
        (self.feed, self.days, self.asOf) = (feed, days, asOf)
        resolver = TripResolver(feed, days: days)
        fits = Array(repeating: SourceFit(), count: sources)
    }

    /// Takes a trip update, unless it is from the future.
    ///
    /// - Parameters:
    ///   - messageTime: When its feed was made, which counts where the update does not say when it was.
    ///   - source: The place of its feed.
    package mutating func take(_ update: TripUpdate, messageTime: Timestamp?, of source: Int) {
        var update = update
        update.trip = update.trip.withoutEmptyTexts
        fits[source].see(update.trip, resolver)
        guard isBelieved(update.timestamp ?? messageTime, of: source) else { return }
        // A clock that is a little ahead must not make it newer than this moment.
        update.timestamp = (update.timestamp ?? messageTime).map { min($0, asOf) }
        update.properties = update.properties?.withoutEmptyTexts
        switch update.trip.relationship ?? .scheduled {
        case .added, .new: add(update)
        case .duplicated: addCopy(update)
        case .unscheduled where resolver.trip(update.trip) == nil: add(update)
        case .unscheduled, .scheduled, .cancelled, .deleted, .replacement: change(update)
        }
    }

    /// Takes what is said of a run of the timetable.
    private mutating func change(_ update: TripUpdate) {
        guard let key = run(of: update) else { return }
        let place = place(of: key)
        let updatedAt = update.timestamp ?? asOf
        if let before = result.runs[place].updatedAt, before > updatedAt {
            return noteTwice(update)
        }
        let relationship = update.trip.relationship ?? .scheduled
        result.runs[place].relationship = relationship
        result.runs[place].updatedAt = updatedAt
        let isGone = relationship == .cancelled || relationship == .deleted
        result.runs[place].stops = isGone ? [] : predictions(update, key, place)
        if let vehicle = update.vehicle?.id, !vehicle.isEmpty { runsOfVehicles[vehicle] = place }
    }

    /// What an update says of every stop of its run.
    private mutating func predictions(
        _ update: TripUpdate, _ key: RunKey, _ place: Int
    ) -> [StopPrediction] {
        let rows = feed.stopTimes.rows(of: key.trip)
        let isReplaced = update.trip.relationship == .replacement
        guard !update.stops.isEmpty || update.delaySeconds != nil || isReplaced,
            hasRoom(for: rows.count)
        else { return [] }
        let start = result.starts[place]
        let (matched, unmatched) = feed.matches(of: update.stops, rows: rows, start: start)
        var carrier = DelayPropagation(feed, rows: rows, start: start)
        var stops = carrier.predictions(update, places: matched)
        if carrier.implausible > 0 { noteImplausible(carrier.implausible, update) }
        if !unmatched.isEmpty { noteUnmatched(unmatched, update) }
        if isReplaced {
            // The update is the whole trip: what it does not name is left out today.
            for order in stops.indices where matched[order] < 0 { stops[order].isSkipped = true }
        }
        return stops
    }

    /// Whether predictions of so many more stops are made; noted if they are not.
    mutating func hasRoom(for stops: Int) -> Bool {
        guard predictedStops + stops <= Self.mostPredictedStops else {
            result.notices.add(
                .error, "too_many_predictions", file: Self.updateFile,
                "predictions of more than \(Self.mostPredictedStops) stops; the rest is left out")
            return false
        }
        predictedStops += stops
        return true
    }

    /// The place of a run in the result, made if there is none yet.
    mutating func place(of key: RunKey) -> Int {
        if let place = places[key] { return place }
        let place = result.runs.count
        result.runs.append(LiveRun(key: key))
        result.starts.append(days.start(ofDay: key.date.dayNumber) + feed.shift(of: key))
        places[key] = place
        placesOfTrips[key.trip] = (place, (placesOfTrips[key.trip]?.count ?? 0) + 1)
        return place
    }

    /// The run that an update means; nil, noted, if it means none.
    private mutating func run(of update: TripUpdate) -> RunKey? {
        do {
            return try resolver.run(update.trip, near: moment(update.timestamp)) {
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

    /// A feed's moment where it can be right, else that of the snapshot, seconds since 1970.
    func moment(_ said: Timestamp?) -> Int64 {
        let now = asOf.secondsSinceEpoch
        guard let said = said?.secondsSinceEpoch, abs(said - now) < 43_200 else { return now }
        return said
    }
}

extension TransitFeed {
    /// The first moment of an update whose stop a trip has, against the timetable; of those within two days, since
    /// single wrong moments must not lead to another year.
    fileprivate func evidence(
        of updates: [StopTimeUpdate], rows: Range<Int>, near now: Int64
    ) -> TripResolver.Evidence? {
        for update in updates {
            guard let time = update.arrival?.time ?? update.departure?.time,
                abs(time.secondsSinceEpoch - now) <= 2 * 86_400
            else { continue }
            let stop = update.stopID.flatMap { position(of: $0, in: stops.ids) }
            let row =
                agreedRow(update, stop, rows)
                ?? stop.flatMap { stop in rows.first { stopTimes.stops[$0] == Int32(stop) } }
                ?? row(ofSequence: update.sequence, rows)
            guard let row else { continue }
            return TripResolver.Evidence(
                scheduledSeconds: stopTimes.arrivals[row], seconds: time.secondsSinceEpoch)
        }
        return nil
    }
}
