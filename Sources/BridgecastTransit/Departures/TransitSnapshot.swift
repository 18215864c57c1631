// Timetable and realtime merged at a moment: what boards, trips and vehicles are read from.
// Belongs here: what stops where and when, as scheduled and as predicted; not: the feeds themselves (Feed, Realtime).
public import BridgecastCore

/// A timetable and what realtime feeds say of it, at a moment; it never changes.
public final class TransitSnapshot: Sendable {
    /// The timetable.
    public let feed: TransitFeed
    /// The moment.
    public let asOf: Timestamp
    /// Runs that realtime feeds speak of.
    public let runs: [RunKey: LiveRun]
    /// Runs that the timetable does not have.
    public let added: [AddedRun]
    /// Vehicles, matched to their ways.
    public let vehicles: [LiveVehicle]
    /// Alerts in use.
    public let alerts: [ServiceAlert]
    /// How the realtime feeds stand; empty without any.
    public let sources: [RealtimeStatus]
    /// What could not be matched, and why.
    public let notices: FeedNotices
    /// How good predictions have been so far, by what vehicles did.
    public let scores: PredictionScores

    /// The runs of ``runs`` in the order in which feeds named them.
    package let live: [LiveRun]
    /// By place in ``live``, the moment from which the run's stop times count, seconds since 1970.
    package let liveStarts: [Int64]
    /// Who of them calls where.
    package let liveCalls: LiveCalls
    /// A bit a trip: whether any run of it is live.
    private let liveTrips: [UInt64]
    /// Stop times of trips by frequencies.
    package let frequencyCalls: FrequencyCalls
    /// The service days around the moment.
    package let days: ServiceDays
    /// How late routes have been, as far as realtime feeds told; nil without any.
    let lateness: LatenessTable?

    /// The timetable alone.
    public convenience init(_ feed: TransitFeed, asOf: Timestamp) {
        self.init(
            feed, asOf: asOf, days: ServiceDays(feed, around: asOf), MergedRealtime(), sources: [],
            lateness: nil, scores: PredictionScores())
    }

    /// The timetable with what realtime feeds say.
    ///
    /// What is stamped more than ``RealtimeState/mostAheadSeconds`` after the moment is left out, and noted.
    ///
    /// - Parameters:
    ///   - tracker: Knows where vehicles were before, and how late routes tend to be; learns from this.
    ///   - previous: What was shown before, of the same timetable: no vehicle is put back behind where it was shown.
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
                of: vehicle.source, &tracker)
        }
        merge.noteFits(of: realtime.statuses.map(\.id))
        merge.predict(&tracker)
        if let previous { merge.result.vehicles.goOn(from: previous, at: asOf) }
        merge.result.alerts = realtime.alerts
        self.init(
            feed, asOf: asOf, days: days, merge.result, sources: realtime.statuses,
            lateness: tracker.lateness, scores: tracker.scores)
    }

    private init(
        _ feed: TransitFeed, asOf: Timestamp, days: ServiceDays, _ merged: MergedRealtime,
        sources: [RealtimeStatus], lateness: LatenessTable?, scores: PredictionScores
    ) {
        (self.feed, self.asOf, self.days, self.sources) = (feed, asOf, days, sources)
        (self.lateness, self.scores) = (lateness, scores)
        (added, vehicles, alerts) = (merged.added, merged.vehicles, merged.alerts)
        (live, liveStarts, notices) = (merged.runs, merged.starts, merged.notices)
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

    /// Whether any run of a trip is live: quicker than to look for one.
    @inline(__always)
    package func hasLiveRun(_ trip: Int32) -> Bool {
        !liveTrips.isEmpty && liveTrips[Int(trip) / 64] >> (UInt64(trip) % 64) & 1 != 0
    }

    /// The moment from which a run's stop times count, seconds since 1970: the start of its service day, moved for a run by
    /// frequencies, whose first departure is at its own start.
    package func start(of run: RunKey) -> Int64 {
        days.start(ofDay: run.date.dayNumber) + feed.shift(of: run)
    }
}

extension TransitFeed {
    /// Seconds by which a run by frequencies is moved against its stop times; 0 for others.
    package func shift(of run: RunKey) -> Int64 {
        let rows = stopTimes.rows(of: run.trip)
        guard let start = run.startSeconds, !rows.isEmpty else { return 0 }
        return Int64(start) - Int64(stopTimes.departures[rows.lowerBound])
    }
}
