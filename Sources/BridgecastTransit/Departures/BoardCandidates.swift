// Finds what may be on a board, as numbers: sorted and cut before any text is made. Runs with realtime, added runs, and the
// rest of the timetable.
internal import BridgecastCore

/// Finds the candidates of a board.
struct BoardCandidates {
    private let snapshot: TransitSnapshot
    private let query: BoardQuery
    /// Calls expected in this period are shown, seconds since 1970.
    private let window: ClosedRange<Int64>
    /// Calls expected from here to the window are shown if a bridge holds them, seconds since 1970; the start of the window
    /// if no bridge holds anything.
    private let heldSince: Int64
    private let bridges: TransitBridges?
    private var found: [BoardCandidate] = []

    init(
        _ snapshot: TransitSnapshot, _ query: BoardQuery, from start: Int64,
        holding bridges: TransitBridges?
    ) {
        self.snapshot = snapshot
        self.query = query
        self.bridges = bridges
        heldSince = min(start, bridges?.earliestHeld(at: start) ?? start)
        // A month is more than any board shows; it keeps a mistyped horizon from reading years.
        let horizon = Int64(min(max(0, query.horizonSeconds), 31 * 86_400))
        window = start...start + horizon
    }

    /// Adds the calls at a stop.
    mutating func add(_ stop: StopIndex) {
        addTimetable(stop)
        addFrequencies(stop)
        addLive(stop)
    }

    /// Adds runs that the timetable does not have, at any of some stops.
    mutating func addAdded(at stops: [StopIndex]) {
        for (index, run) in snapshot.added.enumerated() {
            if let route = query.route, run.route != route { continue }
            let direction = run.update.trip.direction
            if let wanted = query.direction, direction != wanted { continue }
            for (order, call) in run.stops.enumerated() where stops.contains(call.stop) {
                let isLast = order == run.stops.count - 1
                if isLast, !query.includesArrivals { continue }
                let predicted =
                    isLast ? call.arrival ?? call.departure : call.departure ?? call.arrival
                let expected =
                    (predicted ?? call.scheduledDeparture ?? call.scheduledArrival)?
                    .secondsSinceEpoch
                guard let expected, window.contains(expected) else { continue }
                found.append(
                    BoardCandidate(
                        expected: expected, trip: .max, order: Int32(order),
                        direction: Int8(clamping: direction ?? -1), source: .added(Int32(index))))
            }
        }
    }

    /// The first candidates in order, as many as the query wants.
    mutating func chosen() -> [BoardCandidate] {
        found.sort(by: BoardCandidate.isBefore)
        removeDuplicates()
        let limit = max(0, query.limit ?? .max)
        guard let limitPerDirection = query.limitPerDirection else {
            return Array(found.prefix(limit))
        }
        var counts = [0, 0, 0]
        var result: [BoardCandidate] = []
        for candidate in found where result.count < limit {
            let direction = Int(max(-1, min(1, candidate.direction))) + 1
            guard counts[direction] < limitPerDirection else { continue }
            counts[direction] += 1
            result.append(candidate)
        }
        return result
    }

    /// Removes one of two candidates of a call that changed its platform, which is found at both platforms of a station.
    private mutating func removeDuplicates() {
        guard found.count > 1 else { return }
        var kept = 1
        for index in 1..<found.count where !found[index].isSameLiveCall(as: found[kept - 1]) {
            found[kept] = found[index]
            kept += 1
        }
        found.removeLast(found.count - kept)
    }

    /// Calls of live runs that are still to come.
    private mutating func addLive(_ stop: StopIndex) {
        let feed = snapshot.feed
        for call in snapshot.liveCalls.at(stop) {
            let run = snapshot.live[Int(call.run)]
            let row = feed.stopTimes.rows(of: run.key.trip).lowerBound + Int(call.order)
            guard isWanted(row, of: run.key.trip) else { continue }
            let expectation = CallExpectation(snapshot, run: Int(call.run), order: Int(call.order))
            let expected =
                expectation.expected(at: window.lowerBound)
                ?? expectation.missed(in: heldSince..<window.lowerBound)
                .flatMap { isHeld(run.key, before: Int(call.order)) ? $0 : nil }
            guard let expected, expected <= window.upperBound else { continue }
            found.append(
                BoardCandidate(
                    expected: expected, trip: run.key.trip.number, order: call.order,
                    direction: feed.trips.directions[run.key.trip.position],
                    source: .live(call.run)))
        }
    }

    /// Whether the query asks for a row of the stop times: its route, its direction, and that riders can get on there.
    private func isWanted(_ row: Int, of trip: TripIndex) -> Bool {
        let feed = snapshot.feed
        let index = trip.position
        if let route = query.route, feed.trips.routes[index] != route.number { return false }
        if let direction = query.direction, Int(feed.trips.directions[index]) != direction {
            return false
        }
        guard !query.includesArrivals else { return true }
        return row + 1 < feed.stopTimes.rows(of: trip).upperBound
            && feed.stopTimes.flags[row] & StopTimeTable.Flags.noPickUp.rawValue == 0
    }

    /// Whether a run is live; with a headway also if one that started at most half a headway from it is.
    private func isLive(
        _ trip: TripIndex, onDay day: Int, startSeconds start: Int?, headway: Int? = nil
    ) -> Bool {
        guard snapshot.hasLiveRun(trip.number) else { return false }
        let date = CivilDate(dayNumber: day)
        guard let start, let headway else {
            return snapshot.runs[RunKey(trip: trip, date: date, startSeconds: start)] != nil
        }
        return snapshot.live.contains {
            $0.key.trip == trip && $0.key.date == date
                && 2 * abs(($0.key.startSeconds ?? .min / 4) - start) <= headway
        }
    }

    /// Whether a bridge before a stop of a run holds it now, so that it cannot have left.
    private func isHeld(_ run: RunKey, before order: Int) -> Bool {
        bridges?.holds(run, before: order, in: snapshot, at: window.lowerBound) ?? false
    }

    /// Appends the call of a row, if it is expected in the window.
    ///
    /// - Parameters:
    ///   - start: The time from which its stop times count, seconds since 1970.
    ///   - startSeconds: As ``RunKey/startSeconds``.
    private mutating func append(
        row: Int, trip: TripIndex, day: Int, start: Int64, startSeconds: Int?
    ) {
        let feed = snapshot.feed
        let rows = feed.stopTimes.rows(of: trip)
        let isLast = row + 1 == rows.upperBound
        var expected =
            start + Int64(isLast ? feed.stopTimes.arrivals[row] : feed.stopTimes.departures[row])
        if startSeconds == nil {
            let typical = snapshot.typicalLateness(
                ofTrip: trip.number, secondsOfDay: feed.stopTimes.departures[row])
            expected += typical?.seconds ?? 0
        }
        guard (heldSince...window.upperBound).contains(expected) else { return }
        if expected < window.lowerBound {
            let key = RunKey(
                trip: trip, date: CivilDate(dayNumber: day), startSeconds: startSeconds)
            guard isHeld(key, before: row - rows.lowerBound) else { return }
        }
        found.append(
            BoardCandidate(
                expected: expected, trip: trip.number, order: Int32(row - rows.lowerBound),
                direction: feed.trips.directions[trip.position],
                source: .timetable(
                    row: Int32(row), day: Int32(day), start: Int32(startSeconds ?? -1))))
    }

    // MARK: Timetable

    /// Adds scheduled calls in the window, or held before it, whose runs are not live.
    private mutating func addTimetable(_ stop: StopIndex) {
        let feed = snapshot.feed
        let range = feed.calls.range(of: stop)
        guard !range.isEmpty else { return }
        let last = feed.stopTimes.departures[Int(feed.calls.rows[range.upperBound - 1])]
        let today = snapshot.days.day(at: heldSince)
        let lastDay = snapshot.days.day(at: window.upperBound) + 1
        // Routes that are typically late are looked for further back.
        let maxMove = snapshot.lateness == nil ? 0 : TransitSnapshot.maxTypicalLateness
        let earliest = heldSince - Int64(maxMove)
        for day in today - Int(last) / 86_400 - 1...lastDay {
            let start = snapshot.days.start(ofDay: day)
            guard start + Int64(last) >= earliest, start <= window.upperBound else {
                continue
            }
            let first = feed.calls.rows[range].partitioningIndex {
                start + Int64(feed.stopTimes.departures[Int($0)]) >= earliest
            }
            for index in first..<range.upperBound {
                let row = Int(feed.calls.rows[index])
                guard start + Int64(feed.stopTimes.departures[row]) <= window.upperBound else {
                    break
                }
                let trip = feed.stopTimes.trip(ofRow: row)
                guard snapshot.days.isActive(feed.trips.services[trip.position], onDay: day),
                    isWanted(row, of: trip), feed.trips.frequencies(of: trip).isEmpty,
                    !isLive(trip, onDay: day, startSeconds: nil)
                else { continue }
                append(row: row, trip: trip, day: day, start: start, startSeconds: nil)
            }
        }
    }

    /// Adds scheduled calls of trips by frequencies.
    private mutating func addFrequencies(_ stop: StopIndex) {
        let feed = snapshot.feed
        for row in snapshot.frequencyCalls.at(stop) {
            let row = Int(row)
            let trip = feed.stopTimes.trip(ofRow: row)
            guard isWanted(row, of: trip) else { continue }
            let offset =
                Int64(feed.stopTimes.departures[row])
                - Int64(feed.stopTimes.departures[feed.stopTimes.rows(of: trip).lowerBound])
            for index in feed.trips.frequencies(of: trip) {
                addRuns(of: feed.frequencies[index], row: row, trip: trip, offset: offset)
            }
        }
    }

    /// Adds the runs of a frequency that reach a stop in the window.
    ///
    /// - Parameter offset: Seconds from the start of the trip to the stop.
    private mutating func addRuns(
        of frequency: TripFrequency, row: Int, trip: TripIndex, offset: Int64
    ) {
        let first = Int64(frequency.startSeconds)
        let end = Int64(frequency.endSeconds)
        let headway = Int64(frequency.headwaySeconds)
        let service = snapshot.feed.trips.services[trip.position]
        let today = snapshot.days.day(at: heldSince)
        let lastDay = snapshot.days.day(at: window.upperBound) + 1
        for day in today - Int((end + offset) / 86_400) - 1...lastDay
        where snapshot.days.isActive(service, onDay: day) {
            let begin = snapshot.days.start(ofDay: day)
            // The starts with which the stop is reached in the window.
            let earliest = max(first, heldSince - begin - offset)
            let latest = min(end - 1, window.upperBound - begin - offset)
            guard earliest <= latest else { continue }
            var start = first + (earliest - first + headway - 1) / headway * headway
            while start <= latest {
                let slack = frequency.isExact != 0 ? nil : Int(headway)
                if !isLive(trip, onDay: day, startSeconds: Int(start), headway: slack) {
                    let shifted =
                        begin + start
                        - Int64(
                            snapshot.feed.stopTimes.departures[
                                snapshot.feed.stopTimes.rows(of: trip).lowerBound])
                    append(
                        row: row, trip: trip, day: day, start: shifted, startSeconds: Int(start))
                }
                start += headway
            }
        }
    }
}

/// A call at a stop that may be on a board.
struct BoardCandidate {
    /// Where it is found.
    enum Source {
        /// A row of the timetable on a service day, with the start of a run by frequencies, or -1.
        case timetable(row: Int32, day: Int32, start: Int32)
        /// An index in ``TransitSnapshot/live``.
        case live(Int32)
        /// An index in ``TransitSnapshot/added``.
        case added(Int32)
    }

    /// The time that it is sorted by, seconds since 1970.
    var expected: Int64
    /// The index of the trip; Int32.max for a run that the timetable does not have.
    var trip: Int32
    /// The index among the stops of the run.
    var order: Int32
    /// 0, 1, or -1.
    var direction: Int8
    var source: Source

    /// Orders by time, then by run, then by stop.
    static func isBefore(_ lhs: Self, _ rhs: Self) -> Bool {
        if lhs.expected != rhs.expected { return lhs.expected < rhs.expected }
        if lhs.trip != rhs.trip { return lhs.trip < rhs.trip }
        return lhs.order < rhs.order
    }

    /// Whether another one is the same call of the same live run.
    func isSameLiveCall(as other: Self) -> Bool {
        guard case .live(let run) = source, case .live(let same) = other.source else {
            return false
        }
        return run == same && order == other.order
    }
}

// MARK: - Live calls

/// Whether a live run is still to come at a stop, and when.
struct CallExpectation {
    private let run: LiveRun
    private let order: Int
    private let prediction: StopPrediction?
    private let vehicle: LiveVehicle?
    /// By the timetable, seconds since 1970; of the departure, or the arrival where the trip ends.
    private let scheduled: Int64
    private let isLast: Bool
    private let feed: TransitFeed
    /// The time from which stop times count, seconds since 1970.
    private let start: Int64

    /// A fix older than this no longer shows that a vehicle is still to come, seconds.
    static let freshSeconds: Int64 = 90

    init(_ snapshot: TransitSnapshot, run index: Int, order: Int) {
        run = snapshot.live[index]
        self.order = order
        prediction = order < run.stops.count ? run.stops[order] : nil
        vehicle = run.vehicle.map { snapshot.vehicles[$0] }
        feed = snapshot.feed
        start = snapshot.liveStarts[index]
        let rows = feed.stopTimes.rows(of: run.key.trip)
        let row = rows.lowerBound + order
        isLast = order == rows.count - 1
        scheduled =
            start + Int64(isLast ? feed.stopTimes.arrivals[row] : feed.stopTimes.departures[row])
    }

    /// When it is expected, seconds since 1970; nil if it has left, or must not be shown.
    func expected(at now: Int64) -> Int64? {
        switch run.relationship {
        // Deleted trips must not be shown to riders (GTFS Realtime reference, ScheduleRelationship).
        case .deleted: return nil
        case .cancelled: return scheduled >= now ? scheduled : nil
        default: break
        }
        let expected = predicted ?? scheduled
        if let next = vehicle?.nextStop, let seen = vehicle?.seenAt?.secondsSinceEpoch,
            seen <= now + Self.freshSeconds
        {
            if next > order { return nil }
            // It is still to come, or at the stop, whatever was predicted.
            if now - seen <= Self.freshSeconds { return expected }
        }
        guard expected >= now else { return nil }
        return predicted == nil && hasPassedEarly(at: now) ? nil : expected
    }

    /// When it was expected, seconds since 1970, if that is in a past period, and no vehicle is known to have left; nil
    /// otherwise, and for a run that does not stop here.
    func missed(in past: Range<Int64>) -> Int64? {
        guard !past.isEmpty, run.relationship != .cancelled, run.relationship != .deleted,
            prediction?.isSkipped != true, vehicle?.nextStop.map({ $0 <= order }) ?? true
        else { return nil }
        let expected = predicted ?? scheduled
        return past.contains(expected) ? expected : nil
    }

    /// The predicted time to wait for.
    private var predicted: Int64? {
        guard let prediction else { return nil }
        let (first, second) =
            isLast
            ? (prediction.arrival, prediction.departure)
            : (prediction.departure, prediction.arrival)
        return (first ?? second)?.secondsSinceEpoch
    }

    /// Whether nothing is predicted here because an early vehicle has passed: feeds have the stops to come, and the first of
    /// them is so early that this one was passed.
    private func hasPassedEarly(at now: Int64) -> Bool {
        guard prediction?.hasNoData != true,
            let first = run.stops.firstIndex(where: { $0.departure != nil || $0.arrival != nil }),
            first > order, let moved = run.stops[first].departure ?? run.stops[first].arrival
        else { return false }
        let row = feed.stopTimes.rows(of: run.key.trip).lowerBound + first
        let planned = start + Int64(feed.stopTimes.departures[row])
        return scheduled + min(0, moved.secondsSinceEpoch - planned) < now
    }
}
