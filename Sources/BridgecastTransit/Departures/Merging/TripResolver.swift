// Which run of the timetable a trip selector means: feeds name trips in many ways, and often not the day.
internal import BridgecastCore

/// Finds the runs that trip selectors mean.
package struct TripResolver: Sendable {
    /// Why a selector means no run.
    package enum Miss: Error {
        /// The timetable has no such trip.
        case unknownTrip
        /// The trip runs on no day near the moment, or not on the day that is named.
        case notThatDay
        /// Neither a trip, nor a route with a start, is named.
        case unnamed
        /// More than one trip fits.
        case ambiguous
        /// The trip stops nowhere.
        case noStops
    }

    /// Something known of the times of a run, from which its day follows.
    package struct Evidence {
        /// A stop time of the trip, seconds of the service day.
        package let scheduledSeconds: Int32
        /// When it happens, seconds since 1970.
        package let seconds: Int64
    }

    private let feed: TransitFeed
    private let days: ServiceDays
    /// By route, its trips that stop and are not by headways, in the order of their starts; made when first asked for.
    private var tripsOfRoutes: [[Int32]] = []

    /// Resolves against a timetable.
    package init(_ feed: TransitFeed, days: ServiceDays) { (self.feed, self.days) = (feed, days) }

    /// The trip that is named by its identifier; nil if none is, or the timetable does not have it.
    package func trip(_ selector: TripSelector) -> TripIndex? {
        guard let id = selector.tripID, !id.isEmpty else { return nil }
        return feed.position(of: id, in: feed.trips.ids).map { TripIndex($0) }
    }

    /// The route that is named, or that of the trip.
    package func route(_ selector: TripSelector) -> RouteIndex? {
        if let id = selector.routeID, let row = feed.position(of: id, in: feed.routes.ids) {
            return RouteIndex(row)
        }
        return trip(selector).map { RouteIndex(Int(feed.trips.routes[$0.position])) }
    }

    /// The run that is meant.
    ///
    /// - Parameters:
    ///   - moment: When it was spoken of, seconds since 1970: without a day, the run nearest to it is meant.
    ///   - evidence: Times of a trip, if any are known; they tell the day better than the moment does.
    package mutating func run(
        _ selector: TripSelector, near moment: Int64,
        evidence: (TripIndex) -> Evidence? = { _ in nil }
    ) throws(Miss) -> RunKey {
        let named = selector.tripID.map { !$0.isEmpty } ?? false
        guard let trip = named ? trip(selector) : try tripByStart(selector, near: moment) else {
            throw .unknownTrip
        }
        guard !feed.stopTimes.rows(of: trip).isEmpty else { throw .noStops }
        let start = selector.startTime.flatMap(SelectorText.seconds)
        let moment = Spoken(moment: moment, evidence: evidence(trip), start: start)
        let candidates = days(of: trip, selector.startDate.flatMap(SelectorText.date), moment)
        let best = candidates.min { distance(trip, $0, moment) < distance(trip, $1, moment) }
        guard let best else { throw .notThatDay }
        return RunKey(
            trip: trip, date: CivilDate(dayNumber: best),
            startSeconds: startSeconds(trip, best, moment))
    }

    /// What is known of a run before its day is.
    private struct Spoken {
        let moment: Int64
        let evidence: Evidence?
        let start: Int?
    }

    /// Days on which a trip runs: the named one, or where it does not run on that, the days beside it, since some feeds
    /// name the wall clock's day; without a name those around the moment.
    private func days(of trip: TripIndex, _ named: CivilDate?, _ spoken: Spoken) -> [Int] {
        let service = feed.trips.services[trip.position]
        if let day = named?.dayNumber {
            if days.isActive(service, onDay: day) { return [day] }
            return [day - 1, day + 1].filter {
                days.isActive(service, onDay: $0) && distance(trip, $0, spoken) < 6 * 3600
            }
        }
        let today = days.day(at: spoken.evidence?.seconds ?? spoken.moment)
        let last = feed.stopTimes.departures[feed.stopTimes.rows(of: trip).upperBound - 1]
        return (today - min(Int(last) / 86_400, 7) - 1...today + 1).filter {
            days.isActive(service, onDay: $0)
        }
    }

    /// Seconds between what is known and the run of a day: 0 while it runs.
    private func distance(_ trip: TripIndex, _ day: Int, _ spoken: Spoken) -> Int64 {
        let rows = feed.stopTimes.rows(of: trip)
        let times = feed.stopTimes
        let isByFrequency = !feed.trips.frequencies(of: trip).isEmpty
        let shift =
            isByFrequency
            ? Int64(startSeconds(trip, day, spoken) ?? 0) - Int64(times.departures[rows.lowerBound])
            : 0
        let start = days.start(ofDay: day) + shift
        if let evidence = spoken.evidence {
            return abs(start + Int64(evidence.scheduledSeconds) - evidence.seconds)
        }
        let first = start + Int64(times.departures[rows.lowerBound])
        let last = start + Int64(times.arrivals[rows.upperBound - 1])
        return max(first - spoken.moment, spoken.moment - last, 0)
    }

    /// When a run by frequencies starts: as named, else the start that fits best; nil for trips without frequencies.
    private func startSeconds(_ trip: TripIndex, _ day: Int, _ spoken: Spoken) -> Int? {
        let frequencies = feed.trips.frequencies(of: trip)
        guard !frequencies.isEmpty else { return nil }
        if let start = spoken.start { return start }
        let first = feed.stopTimes.departures[feed.stopTimes.rows(of: trip).lowerBound]
        // Where the evidence puts the start; else the newest start at the moment.
        let begin = days.start(ofDay: day)
        let wanted =
            spoken.evidence.map { $0.seconds - begin - Int64($0.scheduledSeconds - first) }
            ?? (spoken.moment - begin)
        let starts = frequencies.map { place -> Int64 in
            let frequency = feed.frequencies[place]
            let (start, headway) = (Int64(frequency.startSeconds), Int64(frequency.headwaySeconds))
            let most = max(0, (Int64(frequency.endSeconds) - start - 1) / headway)
            let count = (wanted - start + (spoken.evidence == nil ? 0 : headway / 2)) / headway
            return start + headway * min(max(count, 0), most)
        }
        return starts.min { abs($0 - wanted) < abs($1 - wanted) }.map { Int($0) }
    }

    /// The trip of a route that starts at a time of day, for selectors that name no trip.
    private mutating func tripByStart(
        _ selector: TripSelector, near moment: Int64
    ) throws(Miss) -> TripIndex? {
        guard let route = route(selector), let text = selector.startTime,
            let start = SelectorText.seconds(text)
        else { throw .unnamed }
        if tripsOfRoutes.isEmpty { indexRoutes() }
        let trips = tripsOfRoutes[route.position]
        let from = trips.partitionPoint { firstDeparture($0) >= start }
        let starting = trips[from...].prefix { firstDeparture($0) == start }.filter {
            selector.direction == nil || Int(feed.trips.directions[Int($0)]) == selector.direction
        }
        for day in daysOfStart(start, selector, near: moment) {
            let fitting = starting.filter {
                days.isActive(feed.trips.services[Int($0)], onDay: day)
            }
            guard fitting.count <= 1 else { throw .ambiguous }
            if let trip = fitting.first { return TripIndex(Int(trip)) }
        }
        return nil
    }

    /// The service day that is named; without a name those on which a start is near a moment, the nearest first: trips
    /// of yesterday start after midnight too.
    private func daysOfStart(_ start: Int, _ selector: TripSelector, near moment: Int64) -> [Int] {
        if let day = selector.startDate.flatMap(SelectorText.date)?.dayNumber { return [day] }
        let today = days.day(at: moment)
        func distance(_ day: Int) -> Int64 { abs(days.start(ofDay: day) + Int64(start) - moment) }
        return (today - 1...today + 1).filter { distance($0) <= 86_400 }
            .sorted { distance($0) < distance($1) }
    }

    private func firstDeparture(_ trip: Int32) -> Int {
        Int(feed.stopTimes.departures[feed.stopTimes.rows(of: TripIndex(Int(trip))).lowerBound])
    }

    private mutating func indexRoutes() {
        var trips = [[Int32]](repeating: [], count: feed.routes.count)
        for (trip, route) in feed.trips.routes.enumerated() {
            let index = TripIndex(trip)
            guard !feed.stopTimes.rows(of: index).isEmpty,
                feed.trips.frequencies(of: index).isEmpty
            else { continue }
            trips[Int(route)].append(Int32(trip))
        }
        tripsOfRoutes = trips.map { $0.sorted { firstDeparture($0) < firstDeparture($1) } }
    }
}
