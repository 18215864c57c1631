// From a question of a traveller to its answer: how far forecasts must reach, the table, the ranking. The one
// way there is, behind TrafficInference's rank and departures.
internal import BridgecastCore
internal import BridgecastRoads

/// What is known and what counts for one who asks, and the model that forecasts.
struct RankingDesk {
    let situation: Situation
    let traffic: TrafficDensity
    let weights: RouteWeights
    private let inference: TrafficInference
    private let model: Serving

    init(
        _ situation: Situation, _ traffic: TrafficDensity, _ weights: RouteWeights,
        _ inference: TrafficInference, by model: Serving
    ) {
        (self.situation, self.traffic, self.weights) = (situation, traffic, weights)
        (self.inference, self.model) = (inference, model)
    }

    func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp?
    ) throws(RankingError) -> RouteRanking {
        try check(deadline, departure)
        let set = try RouteSet.packing(routes)
        var scorer = RouteScorer()
        return try table(for: set, leaving: departure).rank(
            routes, packed: set, leaving: departure, arriveBy: deadline, weights: weights,
            by: &scorer)
    }

    func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?
    ) throws(RankingError) -> TripRanking {
        try check(deadline, departure)
        var forecasts = try Forecasts(of: self, leaving: departure, modes: [trip.mode])
        let (routes, set) = try routes(trip, by: planner, leaving: departure, &forecasts)
        var scorer = RouteScorer()
        func shown(
            _ routes: [PlannedRoute], _ set: RouteSet, _ table: ForecastTable
        ) throws(RankingError) -> RouteRanking {
            planner.worthShowing(
                try table.rank(
                    routes.map(\.route), packed: set, leaving: departure, arriveBy: deadline,
                    weights: weights, by: &scorer), of: routes)
        }
        var table = try forecasts.reaching(set.reachMinutes)
        var ranking = try shown(routes, set, table)
        let best = ranking.compactMap { score in routes.first { $0.route.id == score.route.id } }
        var ways = SecondWays(beside: best, trip, by: planner, leaving: departure)
        // The best route's second way takes part; one of the next route, and a third of the best, fill places that
        // are left.
        let turns = planner.mostRoutes > 1 ? best.prefix(2) + best.prefix(1) : []
        for (turn, route) in turns.enumerated() {
            if turn > 0, ranking.count >= planner.mostRoutes { break }
            guard ways.add(to: route) else { continue }
            guard let wider = try? RouteSet.packing(ways.routes.map(\.route)) else {
                ways.removeNewest()
                continue
            }
            table = try forecasts.reaching(wider.reachMinutes)
            ranking = try shown(ways.routes, wider, table)
        }
        return TripRanking(ranking, ways.routes, on: planner.network, by: table, traffic)
    }

    /// The forecasts that packed routes need.
    func table(
        for set: RouteSet, leaving departure: Timestamp
    ) throws(RankingError) -> ForecastTable {
        var forecasts = try Forecasts(of: self, leaving: departure, modes: set.modes)
        return try forecasts.reaching(set.reachMinutes)
    }

    /// A curve of given routes.
    func departures(
        _ routes: [Route], _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        try check(window)
        let set = try RouteSet.packing(routes)
        var forecasts = try Forecasts(of: self, leaving: window.from, modes: set.modes)
        let table = try forecasts.reaching(window.minutes + set.reachMinutes)
        return try DepartureCurve(window, weights) { (_) throws(RankingError) in
            DepartureCurve.Candidates(routes: routes, set: set, forecasts: table)
        }
    }

    /// A curve whose routes are found anew for every departure.
    func departures(
        _ trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        try check(window)
        var forecasts = try Forecasts(of: self, leaving: window.from, modes: [trip.mode])
        return try DepartureCurve(window, weights) { (departure) throws(RankingError) in
            let (routes, set) = try routes(
                trip, by: planner, leaving: departure, &forecasts, windowMinutes: window.minutes)
            let table = try forecasts.reaching(window.minutes + set.reachMinutes)
            return DepartureCurve.Candidates(
                routes: routes.map(\.route), set: set, forecasts: table)
        }
    }

    /// The routes of a trip that may be the best; those that leave a motorway and join it again give way to ones that
    /// do not.
    ///
    /// - Parameter windowMinutes: How much later than the forecasts' departure this one may be.
    private func routes(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        _ forecasts: inout Forecasts, windowMinutes: Double = 0
    ) throws(RankingError) -> (routes: [PlannedRoute], set: RouteSet) {
        var ways = try planner.search(trip, leaving: departure)
        let quickest = try planner.quickest(&ways, trip)
        let reach = RoutePlanner.reachMinutes(quickest: quickest.minutes)
        let routes = planner.withoutRejoining(
            try planner.candidates(
                &ways, quickest: quickest, trip, leaving: departure,
                with: try forecasts.reaching(windowMinutes + reach)), trip, leaving: departure)
        return (routes, try RouteSet.packing(routes.map(\.route)))
    }

    /// Checks what a ranking would refuse, before anything is computed for it.
    private func check(_ deadline: Timestamp?, _ departure: Timestamp) throws(RankingError) {
        try RankingError.check(deadline, leaving: departure)
        try weights.check(hasDeadline: deadline != nil)
    }

    private func check(_ window: DepartureWindow) throws(RankingError) {
        guard window.minutes > 0, window.minutes <= 1440 else {
            throw .window(from: window.from, until: window.until)
        }
        guard window.confidence > 0, window.confidence < 1 else {
            throw .confidence(window.confidence)
        }
        try check(window.deadline, window.from)
    }
}

extension RankingDesk {
    /// The forecasts for a departure and later ones, made when it is known how far they must reach; and again in
    /// the rare case that it turns out to be farther, because the quickest way is held up for long.
    private struct Forecasts {
        private let desk: RankingDesk
        private let modes: Set<Route.Mode>
        /// Minutes from the issue time to the departure.
        private let leadMinutes: Double
        private var table: ForecastTable?

        /// - Throws: ``RankingError`` for a departure that cannot be forecast, or if too much is going on.
        init(
            of desk: RankingDesk, leaving departure: Timestamp, modes: Set<Route.Mode>
        ) throws(RankingError) {
            let issueTime = desk.situation.issueTime
            guard departure >= issueTime else {
                throw .departureInThePast(departure, issueTime: issueTime)
            }
            leadMinutes = departure.minutes(since: issueTime)
            guard leadMinutes <= ForecastTable.farthestDepartureMinutes else {
                throw .departureTooFar(departure)
            }
            self.desk = desk
            self.modes = modes.isEmpty ? Set(Route.Mode.allCases) : modes
            do throws(InferenceError) {
                let least = try plan(reaching: 0)
                try desk.inference.refuseUnlessAdmissible(least.rowCount)
            } catch {
                throw .forecast(error)
            }
        }

        /// A table that reaches so many minutes beyond the departure.
        mutating func reaching(_ minutes: Double) throws(RankingError) -> ForecastTable {
            if let table, leadMinutes + minutes <= table.reachMinutes { return table }
            do throws(InferenceError) {
                let made = try desk.inference.table(try plan(reaching: minutes), by: desk.model)
                table = made
                return made
            } catch {
                throw .forecast(error)
            }
        }

        private func plan(reaching minutes: Double) throws(InferenceError) -> ForecastTablePlan {
            try ForecastTablePlan(
                desk.situation, from: leadMinutes, reaching: leadMinutes + minutes,
                traffic: desk.traffic, modes: modes)
        }
    }
}
