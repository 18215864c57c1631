// Sets trip updates and vehicles against a timetable, one after another; used by TransitSnapshot alone.
package import BridgecastCore

/// A merge in progress.
package struct RealtimeMerge {
    let feed: TransitFeed
    let days: ServiceDays
    let asOf: Timestamp
    /// When messages were made, for updates that do not say when they were.
    let messageTime: Timestamp
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

    /// Begins with nothing heard.
    package init(
        _ feed: TransitFeed, days: ServiceDays, asOf: Timestamp, messageTime: Timestamp
    ) {
        (self.feed, self.days, self.asOf) = (feed, days, asOf)
        self.messageTime = messageTime
        resolver = TripResolver(feed, days: days)
    }

    /// Takes a trip update.
    package mutating func take(_ update: TripUpdate) {
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
        let updatedAt = update.timestamp ?? messageTime
        if let before = result.runs[place].updatedAt, before > updatedAt {
            result.notices.add(
                .warning, "duplicate_trip_update", file: Self.updateFile, field: "trip_id",
                "trip '\(printable(update.trip.tripID ?? ""))' is updated twice; the newer update is used"
            )
            return
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
        let start = result.starts[place]
        let (matched, unmatched) = feed.matches(of: update.stops, rows: rows, start: start)
        var carrier = DelayPropagation(feed, rows: rows, start: start)
        var stops = carrier.predictions(update, places: matched)
        if carrier.implausible > 0 { noteImplausible(carrier.implausible, update) }
        if !unmatched.isEmpty { noteUnmatched(unmatched, update) }
        if update.trip.relationship == .replacement {
            // The update is the whole trip: what it does not name is left out today.
            for order in stops.indices where matched[order] < 0 { stops[order].isSkipped = true }
        }
        return stops
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
            return try resolver.run(update.trip, near: moment(update.timestamp)) { [feed] trip in
                feed.evidence(of: update.stops, rows: feed.stopTimes.rows(of: trip))
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
    /// The first moment of an update whose stop a trip has, against the timetable.
    fileprivate func evidence(
        of updates: [StopTimeUpdate], rows: Range<Int>
    ) -> TripResolver.Evidence? {
        for update in updates {
            guard let time = update.arrival?.time ?? update.departure?.time,
                time.secondsSinceEpoch > 0
            else { continue }
            let stop = update.stopID.flatMap { position(of: $0, in: stops.ids) }.map { Int32($0) }
            let sequence = update.sequence.flatMap { UInt32(exactly: $0) }
            let row = rows.first {
                sequence == nil ? stopTimes.stops[$0] == stop : stopTimes.sequences[$0] == sequence
            }
            guard let row else { continue }
            return TripResolver.Evidence(
                scheduledSeconds: stopTimes.arrivals[row], seconds: time.secondsSinceEpoch)
        }
        return nil
    }
}
