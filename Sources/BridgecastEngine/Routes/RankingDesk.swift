// From a question of a traveller to its answer: how far forecasts must reach, the table, the ranking. The one
// way there is, behind TrafficInference's rank and departures.
internal import BridgecastCore

/// What is known and what counts for one who asks, and where the forecasts come from.
struct RankingDesk {
    let situation: Situation
    let traffic: TrafficDensity
    let weights: RouteWeights
    let inference: TrafficInference

    /// A departure as the forecasts see it.
    private struct Departure {
        let moment: Timestamp
        /// What is known that matters for it.
        let situation: Situation
        /// Minutes after the issue time.
        var lead: Double { moment.minutes(since: situation.issueTime) }
    }

    func rank(
        _ routes: [Route], leaving moment: Timestamp, arriveBy deadline: Timestamp?
    ) throws(RankingError) -> RouteRanking {
        try check(deadline, moment)
        let set = try RouteSet.packing(routes)
        return try table(for: set, leaving: moment).rank(
            routes, packed: set, leaving: moment, arriveBy: deadline, weights: weights)
    }

    func table(
        for set: RouteSet, leaving moment: Timestamp
    ) throws(RankingError) -> ForecastTable {
        try table(try departure(at: moment), reaching: set.reachMinutes, set.modes)
    }

    func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving moment: Timestamp,
        arriveBy deadline: Timestamp?
    ) throws(RankingError) -> RouteRanking {
        let departure = try departure(at: moment)
        try check(deadline, moment)
        var ways = planner.search(trip, leaving: moment)
        let quickest: Path
        do throws(RoutePlanError) {
            quickest = try planner.quickest(&ways, trip)
        } catch {
            throw .trip(error)
        }
        let reach = RoutePlanner.reachMinutes(quickest: quickest.minutes)
        var forecasts = try table(departure, reaching: reach, [trip.mode])
        let routes = try planner.candidates(
            &ways, quickest: quickest, trip, leaving: moment, with: forecasts)
        let set = try RouteSet.packing(routes)
        // Where the quickest way is held up for long, ways are looked at that are longer than it foretold.
        if departure.lead + set.reachMinutes > forecasts.reachMinutes {
            forecasts = try table(departure, reaching: set.reachMinutes, [trip.mode])
        }
        return planner.worthShowing(
            try forecasts.rank(
                routes, packed: set, leaving: moment, arriveBy: deadline, weights: weights))
    }

    /// A curve whose routes are found anew for every departure.
    func departures(
        _ trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        let first = try checked(window)
        let quickest: Double
        do throws(RoutePlanError) {
            quickest = try planner.quickestMinutes(trip, leaving: window.until)
        } catch {
            throw .trip(error)
        }
        let reach = window.minutes + RoutePlanner.reachMinutes(quickest: quickest)
        var forecasts = try table(first, reaching: reach, [trip.mode])
        return try DepartureCurve(window) {
            (departure: Timestamp) throws(RankingError) -> DepartureCurve.Candidates in
            let routes = try planner.candidates(trip, leaving: departure, with: forecasts)
            let set = try RouteSet.packing(routes)
            let needed = first.lead + window.minutes + set.reachMinutes
            if needed > forecasts.reachMinutes {
                forecasts = try table(
                    first, reaching: window.minutes + set.reachMinutes, [trip.mode])
            }
            return DepartureCurve.Candidates(
                routes: routes, set: set, forecasts: forecasts, weights: weights)
        }
    }

    /// A curve of given routes.
    func departures(
        _ routes: [Route], _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        let first = try checked(window)
        let set = try RouteSet.packing(routes)
        let forecasts = try table(first, reaching: window.minutes + set.reachMinutes, set.modes)
        let candidates = DepartureCurve.Candidates(
            routes: routes, set: set, forecasts: forecasts, weights: weights)
        return try DepartureCurve(window) { (_: Timestamp) throws(RankingError) in candidates }
    }

    private func departure(at moment: Timestamp) throws(RankingError) -> Departure {
        let issueTime = situation.issueTime
        guard moment >= issueTime else {
            throw .departureInThePast(moment, issueTime: issueTime)
        }
        guard moment.minutes(since: issueTime) <= ForecastTable.farthestMinutes else {
            throw .departureTooFar(moment)
        }
        return Departure(moment: moment, situation: situation.speaking(for: moment))
    }

    /// Checks what a ranking would refuse, before anything is computed for it.
    private func check(_ deadline: Timestamp?, _ departure: Timestamp) throws(RankingError) {
        if let deadline, deadline < departure {
            throw .deadlineBeforeDeparture(deadline, departure: departure)
        }
        do throws(RouteWeightsError) {
            try weights.validate(hasDeadline: deadline != nil)
        } catch {
            throw .weights(error)
        }
    }

    private func checked(_ window: DepartureWindow) throws(RankingError) -> Departure {
        guard window.minutes > 0, window.minutes <= 1440 else {
            throw .window(from: window.from, until: window.until)
        }
        guard window.confidence > 0, window.confidence < 1 else {
            throw .confidence(window.confidence)
        }
        try check(window.deadline, window.from)
        return try departure(at: window.from)
    }

    private func table(
        _ departure: Departure, reaching minutes: Double, _ modes: Set<Route.Mode>
    ) throws(RankingError) -> ForecastTable {
        do throws(InferenceError) {
            return try inference.tableNow(
                in: departure.situation, reaching: departure.lead + minutes, traffic: traffic,
                modes: modes.isEmpty ? Set(Route.Mode.allCases) : modes)
        } catch {
            throw .forecast(error)
        }
    }
}
