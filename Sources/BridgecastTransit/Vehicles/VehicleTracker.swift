package import BridgecastCore

/// Follows vehicles and lateness from one realtime message to the next.
public struct VehicleTracker: Sendable {
    /// Maximum vehicles followed; beyond it those not seen for longest are dropped.
    static let maxVehicles = 50_000
    /// Seconds of silence after which a vehicle is followed anew.
    static let maxSilentSeconds = 1800.0
    /// Interval at which lateness is learned from a run, so that frequent reports do not count more.
    static let learningSeconds = 300.0
    /// Lateness beyond which a vehicle must be on another run than it reports.
    static let maxLatenessSeconds = 7200.0

    /// Learned lateness.
    public private(set) var lateness = LatenessTable()
    /// Errors of predictions, by what vehicles did.
    public private(set) var scores = PredictionScores()
    private var vehicles: [String: FollowedVehicle] = [:]
    /// When lateness was last learned from each run's reported delay, seconds since 1970.
    private var learnedRuns: [RunKey: Double] = [:]
    /// When old entries of ``learnedRuns`` were last removed.
    private var prunedAt = -Double.infinity

    /// Nothing seen yet.
    public init() {}

    /// Matches a vehicle to the path of its run, and learns its lateness; nil without coordinates or a path.
    ///
    /// - Parameters:
    ///   - vehicle: Its own identifier, or its entity's.
    ///   - seenAt: When it was there, or when the feed was fetched if unknown.
    /// - Complexity: O(points of its line near it).
    package mutating func match(
        _ report: VehicleReport, vehicle: String, on run: RunKey, seenAt: Timestamp,
        in feed: TransitFeed
    ) -> VehicleLocation? {
        guard let point = report.point, let geometry = feed.geometry(of: run.trip) else {
            return nil
        }
        let seconds = Double(seenAt.secondsSinceEpoch)
        var followed = followed(vehicle, on: run, at: seconds, in: feed)
        if let last = followed.track.lastFix, let place = followed.track.lastPlace,
            seconds < last.seconds || (seconds == last.seconds && point == last.point)
        {
            return place
        }
        let fix = VehicleFix(point: point, seconds: seconds, bearing: report.bearingUnderWay)
        let place = followed.match(fix, report, to: geometry, of: run.trip, in: feed)
        learn(from: &followed, at: place, seconds: seconds, of: run, on: geometry, in: feed)
        vehicles[vehicle] = followed
        if vehicles.count > Self.maxVehicles { removeOldest() }
        return place
    }

    /// The first fix of a vehicle on its run since which it has not moved; nil before its first fix.
    package func stillSince(_ vehicle: String) -> Timestamp? {
        vehicles[vehicle]?.stillSince.map { Timestamp(secondsSinceEpoch: Int64($0.seconds)) }
    }

    /// Learns a run's reported delay, at most every five minutes.
    package mutating func learn(
        delaySeconds: Int, of run: RunKey, at time: Timestamp, in feed: TransitFeed
    ) {
        let seconds = Double(time.secondsSinceEpoch)
        guard abs(Double(delaySeconds)) <= Self.maxLatenessSeconds,
            seconds - (learnedRuns[run] ?? -.infinity) >= Self.learningSeconds
        else { return }
        if learnedRuns.count >= Self.maxVehicles, abs(seconds - prunedAt) >= 60 {
            // At most once a minute, since it visits all entries.
            learnedRuns = learnedRuns.filter { seconds - $0.value < Self.learningSeconds }
            prunedAt = seconds
        }
        guard learnedRuns.count < Self.maxVehicles else { return }
        learnedRuns[run] = seconds
        let hour = Self.hour(
            seconds - Double(feed.zone.serviceDayStart(run.date).secondsSinceEpoch))
        lateness.learn(lateness: Double(delaySeconds), of: feed.route(of: run.trip), hour: hour)
    }

    /// Our own predictions of a run from the position of its vehicle, by stop; empty if the vehicle is off its route or so
    /// late that it must be on another run.
    ///
    /// - Parameter seenAt: When the vehicle was at its position.
    /// - Complexity: O(stops).
    package func predictions(
        for run: RunKey, from place: VehicleLocation, seenAt: Timestamp, in feed: TransitFeed
    ) -> [StopPrediction] {
        guard !place.isOffRoute, let geometry = feed.geometry(of: run.trip) else { return [] }
        let start = feed.startOfTimes(of: run)
        let since = Double(seenAt.secondsSinceEpoch - start.secondsSinceEpoch)
        let late = feed.lateness(of: run.trip, on: geometry, atMetres: place.metres, seconds: since)
        guard abs(late) <= Self.maxLatenessSeconds else { return [] }
        return ArrivalPredictor(feed: feed, run: run, start: start, lateness: lateness).predictions(
            on: geometry, atMetres: place.metres, seconds: since, late: late)
    }

    /// The hour, 0...23, of seconds of a service day.
    static func hour(_ seconds: Double) -> Int { Int(min(max(seconds, 0), 1e6)) / 3600 % 24 }

    private func followed(
        _ vehicle: String, on run: RunKey, at seconds: Double, in feed: TransitFeed
    ) -> FollowedVehicle {
        if let known = vehicles[vehicle], known.run == run, let last = known.track.lastFix,
            abs(seconds - last.seconds) <= Self.maxSilentSeconds
        {
            return known
        }
        return FollowedVehicle(
            run: run, startSeconds: Double(feed.startOfTimes(of: run).secondsSinceEpoch))
    }

    private mutating func learn(
        from followed: inout FollowedVehicle, at place: VehicleLocation, seconds: Double,
        of run: RunKey, on geometry: RunGeometry, in feed: TransitFeed
    ) {
        guard !place.isOffRoute, seconds - followed.learnedAt >= Self.learningSeconds else {
            return
        }
        let since = seconds - followed.startSeconds
        let late = feed.lateness(of: run.trip, on: geometry, atMetres: place.metres, seconds: since)
        // A vehicle that waits for its trip to begin, or has ended it, has no lateness.
        guard abs(late) <= Self.maxLatenessSeconds, place.metres < geometry.lastStopMetres,
            !feed.waitsToBegin(run.trip, on: geometry, atMetres: place.metres, seconds: since)
        else { return }
        let route = feed.route(of: run.trip)
        let hour = Self.hour(since)
        lateness.learn(lateness: late, of: route, hour: hour)
        for earlier in followed.lateness {
            let change = late - earlier.late
            let ahead = seconds - earlier.seconds
            // Scored before it is learned.
            let expected = lateness.change(in: ahead, of: route, hour: hour).mean
            scores.own.add(errorSeconds: change - expected)
            scores.timetable.add(errorSeconds: late)
            lateness.learn(change: change, in: ahead, of: route, hour: hour)
        }
        followed.add(lateness: late, at: seconds)
    }

    private mutating func removeOldest() {
        let seen = vehicles.values.compactMap { $0.track.lastFix?.seconds }.sorted()
        let bound = seen[seen.count / 4]
        vehicles = vehicles.filter { ($0.value.track.lastFix?.seconds ?? 0) > bound }
    }
}

// MARK: - One vehicle

/// One vehicle on one run: its track along the line, and its lateness some minutes ago.
struct FollowedVehicle: Sendable {
    /// Maximum number of past observations of lateness.
    static let maxLatenessCount = 6
    /// Distance between two fixes of a vehicle that does not move, metres.
    private static let stillMetres = 50.0

    let run: RunKey
    /// The time from which its stop times count, seconds since 1970.
    let startSeconds: Double
    var track = LineTrack()
    /// The first fix since which it has not moved.
    private(set) var stillSince: VehicleFix?
    /// The newest observations of lateness, oldest first.
    private(set) var lateness: [(seconds: Double, late: Double)] = []
    private(set) var learnedAt = -Double.infinity

    mutating func add(lateness late: Double, at seconds: Double) {
        if lateness.count == Self.maxLatenessCount { lateness.removeFirst() }
        lateness.append((seconds, late))
        learnedAt = seconds
    }

    /// Matches a fix: the timetable tells where it may start, the reported stop where it may be.
    mutating func match(
        _ fix: VehicleFix, _ report: VehicleReport, to geometry: RunGeometry, of trip: TripIndex,
        in feed: TransitFeed
    ) -> VehicleLocation {
        if stillSince.map({ $0.point.metres(to: fix.point) > Self.stillMetres }) ?? true {
            stillSince = fix
        }
        let stretch = feed.stretch(namedBy: report, on: geometry, of: trip)
        let since = fix.seconds - startSeconds
        return track.match(
            fix, to: geometry.line, maxMetresPerSecond: feed.kind(of: trip).maxMetresPerSecond,
            startCost: { metres in
                let late = feed.lateness(of: trip, on: geometry, atMetres: metres, seconds: since)
                // A quarter of an hour late is as unlikely as three minutes early.
                let deviation = late / (late < 0 ? 180 : 900)
                return min(10, deviation * deviation * 3)
            }, bias: { stretch?.contains($0) ?? true ? 0 : 11 })
    }
}

extension RunGeometry { var lastStopMetres: Double { stopMetres[stopMetres.count - 1] } }

extension VehicleReport {
    /// Its bearing if it moves; a standing vehicle reports its last one, or none.
    var bearingUnderWay: Double? {
        guard let bearing, bearing.isFinite else { return nil }
        return (speed ?? .infinity) >= 1 ? Double(bearing) : nil
    }
}

extension TransitFeed {
    package func route(of trip: TripIndex) -> RouteIndex {
        RouteIndex(Int(trips.routes[trip.position]))
    }

    package func kind(of trip: TripIndex) -> TransitKind {
        TransitKind(rawValue: routes.kinds[route(of: trip).position]) ?? .bus
    }

    /// The stretch of a line on which a vehicle is by the stop that it reports; nil without a stop of the trip.
    fileprivate func stretch(
        namedBy report: VehicleReport, on geometry: RunGeometry, of trip: TripIndex
    ) -> ClosedRange<Double>? {
        let rows = stopTimes.rows(of: trip)
        guard let row = row(namedBy: report, in: rows) else { return nil }
        let order = row - rows.lowerBound
        let stop = geometry.stopMetres[order]
        let isAtStop = report.stopStatus == .stoppedAt
        let before = isAtStop || order == 0 ? stop : geometry.stopMetres[order - 1]
        return before - 200...stop + 200
    }

    /// The row, among those of its trip, of the stop that a vehicle reports; nil without one.
    ///
    /// O(stops).
    func row(namedBy report: VehicleReport, in rows: Range<Int>) -> Int? {
        if let sequence = report.stopSequence.flatMap({ UInt32(exactly: $0) }),
            let row = rows.first(where: { stopTimes.sequences[$0] == sequence })
        {
            return row
        }
        guard let stop = report.stopID.flatMap({ position(of: $0, in: stops.ids) }) else {
            return nil
        }
        let found = rows.filter { stopTimes.stops[$0] == Int32(stop) }
        // Ambiguous if the trip stops there twice.
        return found.count == 1 ? found[0] : nil
    }
}
