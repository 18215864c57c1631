// The candidates of a trip at the departures of a curve: the roads are searched now and then, and what is found is
// timed at every departure.
internal import BridgecastCore
internal import BridgecastRoads

/// The routes of a trip that may be the best, at any departure of a window.
///
/// At each departure these are the routes that the searches before and after it have found, with the travel times of that
/// departure; of two ways over the same crossings the one of least cost then. Between two searches a third way may be
/// quicker: `CurveCandidateTests` bounds by how much.
struct CurveCandidates {
    /// The roads are searched at least so often, minutes.
    static let maxSearchStepMinutes = 60.0

    private struct Way {
        let planned: PlannedRoute
        let timer: PathTimer
        let crossings: [Int]
        /// What it costs more than the path that the search had found, which leaves a motorway and joins it again.
        let extraCostMinutes: Double
    }

    private struct Search {
        let ways: [Way]
        let slackMinutes: Double
    }

    private let trip: Trip
    private let planner: RoutePlanner
    private let start: Timestamp
    private let stepMinutes: Double
    private let lastSearch: Int
    /// By their number: they are ``stepMinutes`` apart.
    private var searches: [Int: Search] = [:]

    init(_ trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow) {
        self.trip = trip
        self.planner = planner
        start = window.from
        // The last search is of the last departure, which is before the window's end.
        let departures = (window.minutes / DepartureCurve.stepMinutes).rounded(.up)
        let minutes = max(1, (departures - 1) * DepartureCurve.stepMinutes)
        let steps = (minutes / Self.maxSearchStepMinutes).rounded(.up)
        stepMinutes = minutes / steps
        lastSearch = Int(steps)
    }

    /// The routes of a departure within the window.
    ///
    /// - Parameter search: Searches the roads at a departure.
    mutating func routes(
        leaving departure: Timestamp, search: (Timestamp) throws(RankingError) -> FoundRoutes
    ) throws(RankingError) -> [Route] {
        let steps = departure.minutes(since: start) / stepMinutes
        let before = try self.search(min(Int(steps), lastSearch), by: search)
        // Both ends of the window are searched.
        let after = try self.search(min(Int(steps.rounded(.up)), lastSearch), by: search)
        let all = timed(before.ways + after.ways, planner.network.clock(departure, trip.mode))
        guard let quickest = all.first else { return [] }
        let limit = quickest.costMinutes + max(before.slackMinutes, after.slackMinutes)
        let near = all.prefix { $0.costMinutes <= limit }
        return near.indices.filter { index in
            !near[..<index].contains {
                $0.way.crossings.isProperSubsequence(of: near[index].way.crossings)
            }
        }.map { near[$0].way.planned.route(taking: near[$0].times) }
    }

    private mutating func search(
        _ number: Int, by search: (Timestamp) throws(RankingError) -> FoundRoutes
    ) throws(RankingError) -> Search {
        if let known = searches[number] { return known }
        let departure = start.adding(minutes: Double(number) * stepMinutes)
        let found = try search(departure)
        let routes = planner.withoutRejoining(found.shortest, trip, leaving: departure)
        let ways = zip(found.shortest, routes).map { shortest, route in
            Way(
                planned: route, timer: PathTimer(route.path, on: planner.network, mode: trip.mode),
                crossings: route.path.crossings,
                extraCostMinutes: route.path.costMinutes - shortest.path.costMinutes)
        }
        let new = Search(ways: ways, slackMinutes: found.slackMinutes)
        searches[number] = new
        return new
    }

    private struct TimedWay {
        let way: Way
        let times: PathTimer.Times

        /// As the search counts it.
        var costMinutes: Double { times.costMinutes - way.extraCostMinutes }
    }

    /// The way of least cost over every sequence of crossings, by cost.
    private func timed(_ ways: [Way], _ clock: TripClock) -> [TimedWay] {
        var best: [[Int]: TimedWay] = [:]
        for way in ways {
            let timed = TimedWay(way: way, times: way.timer.times(clock))
            let known = best[way.crossings]?.times.costMinutes ?? .infinity
            if timed.times.costMinutes < known { best[way.crossings] = timed }
        }
        return best.values.sorted {
            ($0.costMinutes, $0.way.planned.route.id) < ($1.costMinutes, $1.way.planned.route.id)
        }
    }
}

/// What a search of the roads finds for one departure.
struct FoundRoutes {
    /// The route of least cost for each sequence of crossings.
    let shortest: [PlannedRoute]
    /// How much longer than the quickest a candidate may take, minutes.
    let slackMinutes: Double
}
