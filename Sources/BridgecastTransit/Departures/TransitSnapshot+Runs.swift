// Single runs, read from a snapshot: stop by stop, and which one a trip's identifier means.
public import BridgecastCore

extension TransitSnapshot {
    /// The run of a departure stop by stop.
    public func stops(of run: RunKey) -> [Departure] {
        let maker = DepartureMaker(
            snapshot: self, moment: asOf.secondsSinceEpoch,
            onTimeSeconds: BoardQuery().onTimeSeconds)
        let (live, start) = (runs[run], start(of: run))
        return feed.stopTimes.rows(of: run.trip).indices.map {
            maker.departure(
                run, live, start: start, order: $0 - feed.stopTimes.rows(of: run.trip).lowerBound)
        }
    }

    /// A run that the timetable does not have, stop by stop.
    public func stops(of run: AddedRun) -> [Departure] {
        let maker = DepartureMaker(
            snapshot: self, moment: asOf.secondsSinceEpoch,
            onTimeSeconds: BoardQuery().onTimeSeconds)
        return run.stops.indices.map { maker.departure(run, order: $0) }
    }

    /// The run that the timetable does not have, by the identifier that its departures have; nil if there is none.
    ///
    /// - Complexity: O(added runs)
    public func addedRun(ofTrip id: String) -> AddedRun? { added.first { $0.tripID == id } }

    /// The first run of a trip on a service day; nil if it does not run then.
    ///
    /// - Complexity: O(runs of the trip on that day + live runs)
    public func run(ofTrip trip: TripIndex, on date: CivilDate) -> RunKey? {
        guard !feed.stopTimes.rows(of: trip).isEmpty else { return nil }
        let scheduled = spans(of: trip, onDay: date.dayNumber).min { $0.first < $1.first }?.key
        return scheduled ?? live.first { $0.key.trip == trip && $0.key.date == date }?.key
    }

    /// The run that a trip's identifier means at a moment: the one that runs, else the next of that day, else the last of that
    /// day; on a day without any, the next of all, else the last of all.
    ///
    /// Nil for a trip that never runs or stops nowhere.
    ///
    /// - Complexity: O(runs of the trip on a day + live runs), a year at most where it runs on no day near
    public func run(ofTrip trip: TripIndex, at moment: Timestamp? = nil) -> RunKey? {
        guard !feed.stopTimes.rows(of: trip).isEmpty else { return nil }
        let seconds = (moment ?? asOf).secondsSinceEpoch
        let today = days.day(at: seconds)
        let back =
            Int(feed.stopTimes.departures[feed.stopTimes.rows(of: trip).upperBound - 1]) / 86_400
        var running: [RunSpan] = []
        for day in today - min(back, 31) - 1...today { running += spans(of: trip, onDay: day) }
        running += live.filter { $0.key.trip == trip }.map { span(of: $0.key) }
        if let now = running.first(where: { $0.first <= seconds && seconds <= $0.last }) {
            return now.key
        }
        let ofToday = running.filter { $0.key.date.dayNumber == today }
        // At one in the night a trip of 25:10 is yet to come, of the service day before.
        let untilToday = running.filter { $0.key.date.dayNumber <= today }
        return Self.next(untilToday, after: seconds)
            ?? ofToday.max { $0.last < $1.last }?.key
            ?? nearestDay(of: trip, around: today, seconds)
    }

    /// A run with its first departure and its last arrival, seconds since 1970.
    private struct RunSpan {
        let key: RunKey
        let first, last: Int64
    }

    private static func next(_ spans: [RunSpan], after seconds: Int64) -> RunKey? {
        spans.filter { $0.first > seconds }.min { $0.first < $1.first }?.key
    }

    /// The next run of a later day in a year, else the last one of an earlier day.
    private func nearestDay(of trip: TripIndex, around today: Int, _ seconds: Int64) -> RunKey? {
        for day in today + 1...today + 366 {
            if let key = Self.next(spans(of: trip, onDay: day), after: seconds) { return key }
        }
        guard
            let last = feed.services.lastDay(of: feed.trips.services[trip.position], before: today)
        else { return nil }
        return spans(of: trip, onDay: last).max { $0.last < $1.last }?.key
    }

    private func spans(of trip: TripIndex, onDay day: Int) -> [RunSpan] {
        guard days.isActive(feed.trips.services[trip.position], onDay: day) else { return [] }
        let date = CivilDate(dayNumber: day)
        let frequencies = feed.trips.frequencies(of: trip)
        guard !frequencies.isEmpty else { return [span(of: RunKey(trip: trip, date: date))] }
        return frequencies.flatMap { place -> [RunSpan] in
            let frequency = feed.frequencies[place]
            return stride(
                from: Int(frequency.startSeconds), to: Int(frequency.endSeconds),
                by: Int(max(1, frequency.headwaySeconds))
            ).map { span(of: RunKey(trip: trip, date: date, startSeconds: $0)) }
        }
    }

    /// From when to when a run runs, as predicted or else as scheduled.
    private func span(of key: RunKey) -> RunSpan {
        let (rows, start) = (feed.stopTimes.rows(of: key.trip), start(of: key))
        let stops = runs[key]?.stops ?? []
        let first = stops.first.flatMap { $0.departure ?? $0.arrival }?.secondsSinceEpoch
        let last = stops.last.flatMap { $0.arrival ?? $0.departure }?.secondsSinceEpoch
        return RunSpan(
            key: key, first: first ?? start + Int64(feed.stopTimes.departures[rows.lowerBound]),
            last: last ?? start + Int64(feed.stopTimes.arrivals[rows.upperBound - 1]))
    }
}

extension ServiceCalendar {
    /// The last day before another on which a service runs; nil if there is none; O(days of the service's period).
    fileprivate func lastDay(of service: Int32, before today: Int) -> Int? {
        let index = ServiceIndex(Int(service))
        let exceptions =
            Int(exceptionStarts[index.position])..<Int(exceptionStarts[index.position + 1])
        let latest = max(lastDays[index.position], exceptionDays[exceptions].last ?? .min)
        let earliest = min(firstDays[index.position], exceptionDays[exceptions].first ?? .max)
        var day = min(Int(latest), today - 1)
        // Periods of a century are mistakes.
        let bound = max(Int(earliest), day - 36_525)
        while day >= bound {
            if isActive(index, on: CivilDate(dayNumber: day)) { return day }
            day -= 1
        }
        return nil
    }
}
