// Timetable and realtime merged at a time, from which boards, trips and vehicles are read. Boards are in StopBoard.
public import BridgecastCore

/// A timetable with the content of realtime feeds at a time; it never changes.
public final class TransitSnapshot: Sendable {
    /// The timetable.
    public let feed: TransitFeed
    /// The time of the snapshot.
    public let asOf: Timestamp
    /// Runs of the timetable with realtime.
    public let runs: [RunKey: LiveRun]
    /// Runs that the timetable does not have.
    public let added: [AddedRun]
    /// Vehicles, matched to their runs and shapes.
    public let vehicles: [LiveVehicle]
    /// Alerts in use.
    public let alerts: [ServiceAlert]
    /// The status of the realtime feeds; empty without any.
    public let sources: [RealtimeStatus]
    /// The realtime feeds that have neither answered nor failed yet.
    let unanswered: [String]
    /// What could not be matched, and why.
    public let notices: FeedNotices
    /// How good predictions have been, compared with the vehicles.
    public let scores: PredictionScores

    /// ``runs`` in the order of the feeds.
    package let live: [LiveRun]
    /// By index in ``live``, the time from which the run's stop times count, seconds since 1970.
    package let liveStarts: [Int64]
    package let liveCalls: LiveCalls
    /// By trip, a bit: whether any run of it is live.
    private let liveTrips: [UInt64]
    package let frequencyCalls: FrequencyCalls
    package let days: ServiceDays
    /// How late routes have been, learned from realtime feeds; nil without any.
    let lateness: LatenessTable?

    /// The timetable without realtime.
    public convenience init(_ feed: TransitFeed, asOf: Timestamp) {
        self.init(
            feed, asOf: asOf, days: ServiceDays(feed, around: asOf), merged: MergedRealtime(),
            sources: [], unanswered: [], lateness: nil, scores: PredictionScores())
    }

    /// The timetable with realtime.
    ///
    /// What has a timestamp more than ``RealtimeState/maxAheadSeconds`` after `asOf` is left out, and noted.
    ///
    /// - Parameters:
    ///   - tracker: Has the earlier positions of vehicles and the lateness of routes; learns from this.
    ///   - previous: The snapshot before, of the same timetable: no vehicle moves backwards from where it was shown.
    public convenience init(
        _ feed: TransitFeed, _ realtime: RealtimeState, asOf: Timestamp,
        tracker: inout VehicleTracker, after previous: TransitSnapshot? = nil
    ) {
        let days = ServiceDays(feed, around: asOf)
        var merge = RealtimeMerge(
            feed, days: days, asOf: asOf, sources: realtime.statuses.count)
        for (update, messageTime, source) in realtime.tripUpdates {
            merge.take(update, messageTime: messageTime, of: source)
        }
        for vehicle in realtime.vehicles {
            merge.take(
                vehicle.report, entityID: vehicle.entityID, messageTime: vehicle.messageTime,
                of: vehicle.source, tracker: &tracker)
        }
        merge.noteFits(of: realtime.statuses.map(\.id))
        merge.predict(&tracker)
        merge.continuePositions(from: previous)
        merge.result.alerts = realtime.alerts
        self.init(
            feed, asOf: asOf, days: days, merged: merge.result, sources: realtime.statuses,
            unanswered: realtime.unanswered, lateness: tracker.lateness, scores: tracker.scores)
    }

    private init(
        _ feed: TransitFeed, asOf: Timestamp, days: ServiceDays, merged: MergedRealtime,
        sources: [RealtimeStatus], unanswered: [String], lateness: LatenessTable?,
        scores: PredictionScores
    ) {
        self.feed = feed
        self.asOf = asOf
        self.days = days
        self.sources = sources
        self.unanswered = unanswered
        self.lateness = lateness
        self.scores = scores
        added = merged.added
        vehicles = merged.vehicles
        alerts = merged.alerts
        notices = merged.notices
        live = merged.runs
        liveStarts = merged.starts
        runs = Dictionary(merged.runs.map { ($0.key, $0) }) { first, _ in first }
        liveCalls = LiveCalls(merged.runs, feed)
        frequencyCalls = FrequencyCalls(feed)
        var bits =
            merged.runs.isEmpty ? [] : [UInt64](repeating: 0, count: feed.trips.count / 64 + 1)
        for run in merged.runs {
            bits[run.key.trip.position / 64] |= 1 << (run.key.trip.position % 64)
        }
        liveTrips = bits
    }

    /// Whether any run of a trip is live.
    @inline(__always)
    package func hasLiveRun(_ trip: Int32) -> Bool {
        !liveTrips.isEmpty && liveTrips[Int(trip) / 64] >> (UInt64(trip) % 64) & 1 != 0
    }

    /// The time from which a run's stop times count, seconds since 1970: the start of its service day, shifted for a run by
    /// frequencies to its own first departure.
    package func start(of run: RunKey) -> Int64 {
        days.start(ofDay: run.date.dayNumber) + feed.shift(of: run)
    }
}

extension TransitFeed {
    /// Seconds by which a run by frequencies is shifted against its stop times; 0 for others.
    package func shift(of run: RunKey) -> Int64 {
        let rows = stopTimes.rows(of: run.trip)
        guard let start = run.startSeconds, !rows.isEmpty else { return 0 }
        return Int64(start) - Int64(stopTimes.departures[rows.lowerBound])
    }
}

// MARK: - Runs

extension TransitSnapshot {
    /// A run of the timetable, stop by stop.
    ///
    /// - Parameter onTimeSeconds: Up to so many seconds late or early is on time.
    public func stops(
        of run: RunKey, onTimeSeconds: Int = BoardQuery.defaultOnTimeSeconds
    ) -> [Departure] {
        let maker = departureMaker(onTimeSeconds)
        let live = runs[run]
        let start = start(of: run)
        return feed.stopTimes.rows(of: run.trip).indices.map {
            maker.departure(
                run, live, start: start, order: $0 - feed.stopTimes.rows(of: run.trip).lowerBound)
        }
    }

    /// A run that the timetable does not have, stop by stop.
    ///
    /// - Parameter onTimeSeconds: Up to so many seconds late or early is on time.
    public func stops(
        of run: AddedRun, onTimeSeconds: Int = BoardQuery.defaultOnTimeSeconds
    ) -> [Departure] {
        let maker = departureMaker(onTimeSeconds)
        return run.stops.indices.map { maker.departure(run, order: $0) }
    }

    private func departureMaker(_ onTimeSeconds: Int) -> DepartureMaker {
        DepartureMaker(snapshot: self, now: asOf.secondsSinceEpoch, onTimeSeconds: onTimeSeconds)
    }

    /// The run that the timetable does not have, by the trip identifier of its departures; nil if there is none.
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

    /// The run that a trip's identifier means at a time: the one under way, else the next of that day, else the last of that
    /// day; on a day without any, the next of all, else the last of all.
    ///
    /// Nil for a trip that never runs or stops nowhere.
    ///
    /// - Complexity: O(runs of the trip on a day + live runs), for a year if it does not run on nearby days
    public func run(ofTrip trip: TripIndex, at time: Timestamp? = nil) -> RunKey? {
        guard !feed.stopTimes.rows(of: trip).isEmpty else { return nil }
        let seconds = (time ?? asOf).secondsSinceEpoch
        let today = days.day(at: seconds)
        let lastDays =
            Int(feed.stopTimes.departures[feed.stopTimes.rows(of: trip).upperBound - 1]) / 86_400
        var spans: [RunSpan] = []
        for day in today - min(lastDays, 31) - 1...today {
            spans += self.spans(of: trip, onDay: day)
        }
        spans += live.filter { $0.key.trip == trip }.map { span(of: $0.key) }
        if let now = spans.first(where: { $0.first <= seconds && seconds <= $0.last }) {
            return now.key
        }
        let ofToday = spans.filter { $0.key.date.dayNumber == today }
        // At 1 a.m. a trip of 25:10 is still to come, of the service day before.
        let untilToday = spans.filter { $0.key.date.dayNumber <= today }
        return Self.next(untilToday, after: seconds)
            ?? ofToday.max { $0.last < $1.last }?.key
            ?? runOfOtherDay(of: trip, today: today, now: seconds)
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
    private func runOfOtherDay(of trip: TripIndex, today: Int, now: Int64) -> RunKey? {
        for day in today + 1...today + 366 {
            if let key = Self.next(spans(of: trip, onDay: day), after: now) { return key }
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
        return frequencies.flatMap { index -> [RunSpan] in
            let frequency = feed.frequencies[index]
            return stride(
                from: Int(frequency.startSeconds), to: Int(frequency.endSeconds),
                by: Int(max(1, frequency.headwaySeconds))
            ).map { span(of: RunKey(trip: trip, date: date, startSeconds: $0)) }
        }
    }

    /// The span of a run, as predicted or else as scheduled.
    private func span(of key: RunKey) -> RunSpan {
        let rows = feed.stopTimes.rows(of: key.trip)
        let start = start(of: key)
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

// MARK: - Typical lateness and warnings

extension TransitSnapshot {
    /// The maximum delay of a run without realtime, seconds: a guess must not hide a departure for long.
    static let maxTypicalLateness = 900.0

    /// The typical lateness of a trip's route at a time of the service day, and its standard deviation; nil if little is
    /// known.
    ///
    /// Never negative: riders would miss a run that was guessed to be early and is not.
    func typicalLateness(
        ofTrip trip: Int32, secondsOfDay: Int32
    ) -> (seconds: Int64, spread: Double)? {
        guard let lateness else { return nil }
        let route = RouteIndex(Int(feed.trips.routes[Int(trip)]))
        let hour = VehicleTracker.hour(Double(secondsOfDay))
        guard let typical = lateness.typical(route, hour: hour) else { return nil }
        let moved = min(max(0, typical.meanSeconds), Self.maxTypicalLateness)
        return (Int64(moved.rounded()), typical.spreadSeconds)
    }
}

extension TransitSnapshot {
    /// A line for each realtime feed without any trip of the timetable, or with timestamps in the future.
    ///
    /// Such as `trip_updates: none of its 25 trips is in the timetable: it is of another agency, or the timetable is out of
    /// date`; also in ``notices``.
    package var feedWarnings: [String] {
        notices.kept.lazy
            .filter { $0.code == FeedNotice.foreignFeedCode || $0.code == FeedNotice.futureCode }
            .map { "\($0.file): \($0.message)" }
    }
}

extension FeedNotice {
    /// Of a realtime feed none of whose trips the timetable has.
    static var foreignFeedCode: String { "no_trip_in_timetable" }
    /// Of a realtime feed with timestamps in the future (E050 of gtfs-realtime-validator).
    static var futureCode: String { "timestamp_in_future" }
}
