// Gathers what may stand on a board: runs with realtime, added ones, and what the timetable has besides.
internal import BridgecastCore

/// Gathers candidates of a board.
struct BoardCandidates {
    let snapshot: TransitSnapshot
    let query: BoardQuery
    /// What is expected in these seconds since 1970 is shown.
    let window: ClosedRange<Int64>
    /// What was expected since so many seconds since 1970, before the window, is shown if a bridge holds it; the beginning of
    /// the window while none holds anybody.
    let heldSince: Int64
    private let holds: BridgeHolds?
    private(set) var found: [BoardCandidate] = []

    init(
        _ snapshot: TransitSnapshot, _ query: BoardQuery, from moment: Int64,
        holding holds: BridgeHolds?
    ) {
        (self.snapshot, self.query, self.holds) = (snapshot, query, holds)
        heldSince = min(moment, holds?.earliest(at: moment) ?? moment)
        // A month is more than any board shows; it keeps a mistyped horizon from reading years.
        let horizon = Int64(min(max(0, query.horizonSeconds), 31 * 86_400))
        window = moment...moment + horizon
    }

    /// Adds what leaves a stop.
    mutating func add(_ stop: StopIndex) {
        addTimetable(stop)
        addFrequencies(stop)
        addLive(stop)
    }

    /// Adds runs that the timetable does not have, at any of some stops.
    mutating func addAdded(at stops: [StopIndex]) {
        for (number, run) in snapshot.added.enumerated() {
            if let route = query.route, run.route != route { continue }
            let direction = run.update.trip.direction
            if let wanted = query.direction, direction != wanted { continue }
            for (order, call) in run.stops.enumerated() where stops.contains(call.stop) {
                let isLast = order == run.stops.count - 1
                if isLast, !query.includesArrivals { continue }
                let moment =
                    isLast ? call.arrival ?? call.departure : call.departure ?? call.arrival
                let expected =
                    (moment ?? call.scheduledDeparture ?? call.scheduledArrival)?.secondsSinceEpoch
                guard let expected, window.contains(expected) else { continue }
                found.append(
                    BoardCandidate(
                        expected: expected, trip: .max, order: Int32(order),
                        direction: Int8(clamping: direction ?? -1), source: .added(Int32(number))))
            }
        }
    }

    /// The first ones in order, as many as are asked for.
    mutating func chosen() -> [BoardCandidate] {
        found.sort(by: BoardCandidate.isBefore)
        dropTwins()
        let most = max(0, query.limit ?? .max)
        guard let each = query.limitPerDirection else { return Array(found.prefix(most)) }
        var counts = [0, 0, 0]
        var result: [BoardCandidate] = []
        for candidate in found where result.count < most {
            let place = Int(max(-1, min(1, candidate.direction))) + 1
            guard counts[place] < each else { continue }
            counts[place] += 1
            result.append(candidate)
        }
        return result
    }

    /// A call that changed its platform is found at both platforms of a station.
    private mutating func dropTwins() {
        guard found.count > 1 else { return }
        var kept = 1
        for place in 1..<found.count where !found[place].isTwin(of: found[kept - 1]) {
            found[kept] = found[place]
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
            guard isWanted(row, run.key.trip) else { continue }
            let standing = CallStanding(snapshot, run: Int(call.run), order: Int(call.order))
            let expected =
                standing.expected(at: window.lowerBound)
                ?? standing.missed(in: heldSince..<window.lowerBound)
                .flatMap { isHeld(run.key, Int(call.order)) ? $0 : nil }
            guard let expected, expected <= window.upperBound else { continue }
            found.append(
                BoardCandidate(
                    expected: expected, trip: run.key.trip.number, order: call.order,
                    direction: feed.trips.directions[run.key.trip.position],
                    source: .live(call.run)))
        }
    }

    /// Whether the query asks for a row: its route, its direction, and that one can get on there.
    func isWanted(_ row: Int, _ trip: TripIndex) -> Bool {
        let (feed, number) = (snapshot.feed, trip.position)
        if let route = query.route, feed.trips.routes[number] != route.number { return false }
        if let direction = query.direction, Int(feed.trips.directions[number]) != direction {
            return false
        }
        guard !query.includesArrivals else { return true }
        return row + 1 < feed.stopTimes.rows(of: trip).upperBound
            && feed.stopTimes.flags[row] & StopTimeTable.Flags.noPickUp.rawValue == 0
    }

    /// Whether a run is live; runs that only come so often also if one that started at most half a headway from it is.
    func isLive(
        _ trip: TripIndex, _ day: Int, _ start: Int?, headway: Int? = nil
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
    private func isHeld(_ run: RunKey, _ order: Int) -> Bool {
        holds?.holds(run, before: order, in: snapshot, at: window.lowerBound) ?? false
    }

    mutating func append(
        _ row: Int, _ trip: TripIndex, _ day: Int, start: Int64, startSeconds: Int?
    ) {
        let feed = snapshot.feed
        let rows = feed.stopTimes.rows(of: trip)
        let isLast = row + 1 == rows.upperBound
        var expected =
            start + Int64(isLast ? feed.stopTimes.arrivals[row] : feed.stopTimes.departures[row])
        if startSeconds == nil {
            let usual = snapshot.usualLateness(
                ofTrip: trip.number, secondsOfDay: feed.stopTimes.departures[row])
            expected += usual?.seconds ?? 0
        }
        guard (heldSince...window.upperBound).contains(expected) else { return }
        if expected < window.lowerBound {
            let key = RunKey(
                trip: trip, date: CivilDate(dayNumber: day), startSeconds: startSeconds)
            guard isHeld(key, row - rows.lowerBound) else { return }
        }
        found.append(
            BoardCandidate(
                expected: expected, trip: trip.number, order: Int32(row - rows.lowerBound),
                direction: feed.trips.directions[trip.position],
                source: .timetable(
                    row: Int32(row), day: Int32(day), start: Int32(startSeconds ?? -1))))
    }
}
