// Finds the run of the timetable that a trip selector means: feeds name trips in many ways, and often without the day.
package import BridgecastCore

/// Finds the runs that trip selectors mean.
package struct TripResolver: Sendable {
    /// Why a selector means no run.
    package enum Miss: Error {
        /// The timetable has no such trip.
        case unknownTrip
        /// The trip does not run on any nearby day, or not on the named day.
        case notThatDay
        /// Neither a trip, nor a route with a start, is named.
        case unnamed
        /// More than one trip fits.
        case ambiguous
        /// The trip stops nowhere.
        case noStops
    }

    /// A known time of a run, from which its day follows.
    package struct Evidence {
        /// A stop time of the trip, seconds of the service day.
        package let scheduledSeconds: Int32
        /// When it happens, seconds since 1970.
        package let seconds: Int64
    }

    private let feed: TransitFeed
    private let days: ServiceDays
    /// By route, its trips that stop and are not by frequencies, in the order of their starts; built when first needed.
    private var tripsOfRoutes: [[Int32]] = []

    package init(_ feed: TransitFeed, days: ServiceDays) {
        self.feed = feed
        self.days = days
    }

    /// The trip named by its identifier; nil if none is, or the timetable does not have it.
    package func trip(_ selector: TripSelector) -> TripIndex? {
        guard let id = selector.tripID, !id.isEmpty else { return nil }
        return feed.position(of: id, in: feed.trips.ids).map { TripIndex($0) }
    }

    /// The named route, or that of the trip.
    package func route(_ selector: TripSelector) -> RouteIndex? {
        if let id = selector.routeID, let row = feed.position(of: id, in: feed.routes.ids) {
            return RouteIndex(row)
        }
        return trip(selector).map { RouteIndex(Int(feed.trips.routes[$0.position])) }
    }

    /// The run that a selector means.
    ///
    /// - Parameters:
    ///   - time: When the selector was made, seconds since 1970: without a day, it means the nearest run.
    ///   - evidence: A known time of a trip, from which the day follows better than from `time`.
    package mutating func run(
        _ selector: TripSelector, near time: Int64,
        evidence: (TripIndex) -> Evidence? = { _ in nil }
    ) throws(Miss) -> RunKey {
        let isNamed = selector.tripID.map { !$0.isEmpty } ?? false
        guard let trip = isNamed ? trip(selector) : try tripByStart(selector, near: time) else {
            throw .unknownTrip
        }
        guard !feed.stopTimes.rows(of: trip).isEmpty else { throw .noStops }
        let clues = Clues(
            time: time, evidence: evidence(trip),
            start: selector.startTime.flatMap(ServiceTime.seconds))
        let candidates = days(of: trip, named: Self.date(selector), clues)
        let best = candidates.min {
            distance(of: trip, onDay: $0, clues) < distance(of: trip, onDay: $1, clues)
        }
        guard let best else { throw .notThatDay }
        return RunKey(
            trip: trip, date: CivilDate(dayNumber: best),
            startSeconds: startSeconds(of: trip, onDay: best, clues))
    }

    private static func date(_ selector: TripSelector) -> CivilDate? {
        selector.startDate.flatMap { CivilDate(compact: $0.utf8) }
    }

    /// Evidence of a run whose day is not known.
    private struct Clues {
        /// Seconds since 1970.
        let time: Int64
        let evidence: Evidence?
        /// The named start, seconds of the service day.
        let start: Int?
    }

    /// Days on which a trip runs: the named one, or if it does not run then, the days before and after it, since some feeds
    /// name the calendar day; without a named day those around the time.
    private func days(of trip: TripIndex, named: CivilDate?, _ clues: Clues) -> [Int] {
        let service = feed.trips.services[trip.position]
        if let day = named?.dayNumber {
            if days.isActive(service, onDay: day) { return [day] }
            return [day - 1, day + 1].filter {
                days.isActive(service, onDay: $0) && distance(of: trip, onDay: $0, clues) < 6 * 3600
            }
        }
        let today = days.day(at: clues.evidence?.seconds ?? clues.time)
        let last = feed.stopTimes.departures[feed.stopTimes.rows(of: trip).upperBound - 1]
        return (today - min(Int(last) / 86_400, 7) - 1...today + 1).filter {
            days.isActive(service, onDay: $0)
        }
    }

    /// Seconds between the clues and the run of a day: 0 while it is under way.
    private func distance(of trip: TripIndex, onDay day: Int, _ clues: Clues) -> Int64 {
        let rows = feed.stopTimes.rows(of: trip)
        let times = feed.stopTimes
        let isByFrequency = !feed.trips.frequencies(of: trip).isEmpty
        let shift =
            isByFrequency
            ? Int64(startSeconds(of: trip, onDay: day, clues) ?? 0)
                - Int64(times.departures[rows.lowerBound])
            : 0
        let start = days.start(ofDay: day) + shift
        if let evidence = clues.evidence {
            return abs(start + Int64(evidence.scheduledSeconds) - evidence.seconds)
        }
        let first = start + Int64(times.departures[rows.lowerBound])
        let last = start + Int64(times.arrivals[rows.upperBound - 1])
        return max(first - clues.time, clues.time - last, 0)
    }

    /// The start of a run by frequencies: as named, else the one that fits best; nil for trips without frequencies.
    private func startSeconds(of trip: TripIndex, onDay day: Int, _ clues: Clues) -> Int? {
        let frequencies = feed.trips.frequencies(of: trip)
        guard !frequencies.isEmpty else { return nil }
        if let start = clues.start { return start }
        let first = feed.stopTimes.departures[feed.stopTimes.rows(of: trip).lowerBound]
        // The start by the evidence; else the last one before the time.
        let begin = days.start(ofDay: day)
        let wanted =
            clues.evidence.map { $0.seconds - begin - Int64($0.scheduledSeconds - first) }
            ?? (clues.time - begin)
        let starts = frequencies.map { index -> Int64 in
            let frequency = feed.frequencies[index]
            let start = Int64(frequency.startSeconds)
            let headway = Int64(frequency.headwaySeconds)
            let last = max(0, (Int64(frequency.endSeconds) - start - 1) / headway)
            let count = (wanted - start + (clues.evidence == nil ? 0 : headway / 2)) / headway
            return start + headway * min(max(count, 0), last)
        }
        return starts.min { abs($0 - wanted) < abs($1 - wanted) }.map { Int($0) }
    }

    /// The trip of a route that starts at a time of day, for selectors that name no trip.
    private mutating func tripByStart(
        _ selector: TripSelector, near time: Int64
    ) throws(Miss) -> TripIndex? {
        guard let route = route(selector), let text = selector.startTime,
            let start = ServiceTime.seconds(text)
        else { throw .unnamed }
        if tripsOfRoutes.isEmpty { indexRoutes() }
        let trips = tripsOfRoutes[route.position]
        let from = trips.partitioningIndex { firstDeparture($0) >= start }
        let starting = trips[from...].prefix { firstDeparture($0) == start }.filter {
            selector.direction == nil || Int(feed.trips.directions[Int($0)]) == selector.direction
        }
        for day in days(ofStart: start, selector, near: time) {
            let fitting = starting.filter {
                days.isActive(feed.trips.services[Int($0)], onDay: day)
            }
            guard fitting.count <= 1 else { throw .ambiguous }
            if let trip = fitting.first { return TripIndex(Int(trip)) }
        }
        return nil
    }

    /// The named service day; without one those on which a start is near a time, the nearest first: trips of yesterday
    /// start after midnight too.
    private func days(
        ofStart start: Int, _ selector: TripSelector, near time: Int64
    ) -> [Int] {
        if let day = Self.date(selector)?.dayNumber { return [day] }
        let today = days.day(at: time)
        func distance(_ day: Int) -> Int64 { abs(days.start(ofDay: day) + Int64(start) - time) }
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

// MARK: - Identifiers

extension TransitFeed {
    /// The index of an identifier of a realtime feed: unchanged, or else without the prefix of one of the timetable's agencies
    /// (``AgencyPrefix``); nil for an empty one, which feeds write for none.
    package func position(of id: String, in table: IdentifierTable) -> Int? {
        guard !id.isEmpty else { return nil }
        if let row = table.position(of: id) { return row }
        guard let parts = AgencyPrefix.parts(of: id),
            agencies.contains(where: { $0.id == parts.agency || $0.id.isEmpty })
        else { return nil }
        return table.position(of: String(parts.bare))
    }
}

extension TripSelector {
    /// The same without texts that are empty, which feeds write for none.
    var withoutEmptyTexts: TripSelector {
        guard tripID == "" || routeID == "" || startDate == "" || startTime == "" else {
            return self
        }
        var selector = self
        selector.tripID = tripID?.nilIfEmpty
        selector.routeID = routeID?.nilIfEmpty
        selector.startDate = startDate?.nilIfEmpty
        selector.startTime = startTime?.nilIfEmpty
        return selector
    }
}

extension TripProperties {
    /// The same without texts that are empty.
    var withoutEmptyTexts: TripProperties {
        var properties = self
        properties.tripID = tripID?.nilIfEmpty
        properties.headsign = headsign?.nilIfEmpty
        properties.startDate = startDate?.nilIfEmpty
        properties.startTime = startTime?.nilIfEmpty
        return properties
    }
}

extension StopTimeUpdate {
    /// The assigned stop, else the named one; nil if neither is.
    var usedStopID: String? { assignedStopID?.nilIfEmpty ?? stopID?.nilIfEmpty }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
