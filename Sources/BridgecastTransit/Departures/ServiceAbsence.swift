// Why nothing runs at a stop around a time: the timetable is over, or the lines that call there do not run that day.
internal import BridgecastCore

extension TransitFeed {
    /// Why nothing that a query asks for runs at some stops around a time, and when it does next; nil if some does.
    ///
    /// - Complexity: O(services + exceptions + stop times there); on a day without service also O(days until the next one)
    func noService(
        at stops: [StopIndex], _ query: BoardQuery, around time: Timestamp
    ) -> String? {
        let calls = WantedCalls(at: stops, query, in: self)
        guard !calls.rows.isEmpty else { return "No trip of \(query.subject) calls here." }
        guard let period = services.period else { return "This timetable has no day with service." }
        let today = zone.civil(at: time).date
        let yesterday = today.adding(days: -1)
        if yesterday > period.upperBound { return "The timetable ended on \(period.upperBound)." }
        if today < period.lowerBound { return "The timetable starts on \(period.lowerBound)." }
        // Trips of yesterday continue after midnight.
        let since =
            time.secondsSinceEpoch - zone.serviceDayStart(yesterday).secondsSinceEpoch
        guard !calls.run(on: today), !calls.run(on: yesterday, notBefore: since) else { return nil }
        let next = calls.firstDay(after: today, until: period.upperBound)
        return "No trip of \(query.subject) calls here on \(today)"
            + (next.map { "; the next one is on \($0)." } ?? ", nor on a later day.")
    }
}

extension BoardQuery {
    /// What its trips are of, for people.
    fileprivate var subject: String {
        route != nil ? "this line" : direction != nil ? "this direction" : "this timetable"
    }
}

/// The stop times of a query at some stops.
private struct WantedCalls {
    let rows: [Int]
    private let feed: TransitFeed
    /// The services of their trips.
    private let services: Set<Int32>

    init(at stops: [StopIndex], _ query: BoardQuery, in feed: TransitFeed) {
        rows = stops.flatMap { feed.calls.rows[feed.calls.range(of: $0)] }.map { Int($0) }.filter {
            let trip = feed.stopTimes.trip(ofRow: $0).position
            return query.route.map { feed.trips.routes[trip] == $0.number } ?? true
                && query.direction.map { Int(feed.trips.directions[trip]) == $0 } ?? true
        }
        services = Set(
            rows.map { feed.trips.services[feed.stopTimes.trip(ofRow: $0).position] })
        self.feed = feed
    }

    /// Whether any of them is on a service day.
    func run(on date: CivilDate) -> Bool {
        services.contains { feed.services.isActive(ServiceIndex(Int($0)), on: date) }
    }

    /// Whether any of them is on a service day, some seconds after its start or later.
    func run(on date: CivilDate, notBefore seconds: Int64) -> Bool {
        rows.contains { row in
            let trip = feed.stopTimes.trip(ofRow: row)
            let service = ServiceIndex(Int(feed.trips.services[trip.position]))
            return lastSeconds(ofRow: row, trip) >= seconds
                && feed.services.isActive(service, on: date)
        }
    }

    /// The last departure of a row, seconds of the service day: of a trip by frequencies, that of its last run.
    private func lastSeconds(ofRow row: Int, _ trip: TripIndex) -> Int64 {
        let departure = Int64(feed.stopTimes.departures[row])
        let ends = feed.trips.frequencies(of: trip).map { feed.frequencies[$0].endSeconds }
        guard let end = ends.max() else { return departure }
        let first = feed.stopTimes.rows(of: trip).lowerBound
        return Int64(end) + departure - Int64(feed.stopTimes.departures[first])
    }

    /// The first day after another on which any of them runs; nil if there is none.
    func firstDay(after today: CivilDate, until last: CivilDate) -> CivilDate? {
        // Periods of a century are mistakes.
        for days in 1...366 {
            let date = today.adding(days: days)
            guard date <= last else { return nil }
            if run(on: date) { return date }
        }
        return nil
    }
}
