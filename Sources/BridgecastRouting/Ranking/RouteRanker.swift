// Rankings and departures for a host's own routes and for trips on the roads: the public calls, and the way from a
// request to a ranking (how far forecasts must reach, the table, the scores, what is shown).
public import BridgecastCore
public import BridgecastEngine
internal import BridgecastRoads

extension TrafficInference {
    /// Ranks routes for a departure: asks for the forecasts that they need and scores them.
    ///
    /// - Parameters:
    ///   - routes: Candidates between the same two places.
    ///   - departure: Not before the situation's issue time, and at most ``ForecastTable/maxDepartureMinutes`` after
    ///     it. More than an hour ahead what the bridges do now says nothing: the forecast is climatology.
    ///   - deadline: The time to arrive by; nil for none.
    ///   - situation: What is known.
    ///   - traffic: Densities of the approaches; by default those of the hour.
    ///   - model: By default the one in use. A host that says in its answer which model it is of names it here, whatever
    ///     is reloaded meanwhile.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel? = nil
    ) async throws(RankingError) -> RouteRanking {
        let ranker = ranker(situation, traffic, weights, model: model)
        return try await computing(.ranking, refusal: RankingError.forecast) {
            () throws(RankingError) in
            try ranker.rank(routes, leaving: departure, arriveBy: deadline)
        }
    }

    /// Finds the routes of a trip that are worth comparing, and ranks them for a departure.
    ///
    /// For every sequence of crossings there is one route: the one that seems quickest, and stays on a motorway it is
    /// on. The best by expected time and by P90 are always among those shown. The best may have two more ways over
    /// the same crossings next to it, the next one a second, whose ids end with the road that tells them apart.
    /// - Parameters: As of ``rank(_:leaving:arriveBy:in:traffic:weights:model:)``.
    ///   - planner: The roads, and how many routes are shown.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel? = nil
    ) async throws(RankingError) -> RankedRoutes {
        let ranker = ranker(situation, traffic, weights, model: model)
        return try await computing(.ranking, refusal: RankingError.forecast) {
            () throws(RankingError) in
            try ranker.rank(trip, by: planner, leaving: departure, arriveBy: deadline)
        }
    }

    /// Ranks the routes of many trips, all by one model and each as if it were asked for alone.
    ///
    /// As many as there are cores are asked for at a time, so that a long list leaves room for other callers.
    /// - Returns: By trip, in order, its routes or why it has none.
    @concurrent
    public nonisolated func rank(
        _ trips: [Trip], by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel? = nil
    ) async -> [Result<RankedRoutes, RankingError>] {
        let model = model ?? self.model
        typealias Answer = (index: Int, result: Result<RankedRoutes, RankingError>)
        let rank = { @Sendable (index: Int) async -> Answer in
            do throws(RankingError) {
                return (
                    index,
                    .success(
                        try await self.rank(
                            trips[index], by: planner, leaving: departure, arriveBy: deadline,
                            in: situation, traffic: traffic, weights: weights, model: model))
                )
            } catch { return (index, .failure(error)) }
        }
        return await withTaskGroup(of: Answer.self) { group in
            var waiting = trips.indices.makeIterator()
            let count = min(Parallel.threadCounts.upperBound, options.maxComputationsInFlight)
            for index in trips.indices.prefix(max(1, count)) {
                _ = waiting.next()
                group.addTask { await rank(index) }
            }
            var answers: [Answer] = []
            while let answer = await group.next() {
                answers.append(answer)
                if let index = waiting.next() { group.addTask { await rank(index) } }
            }
            return answers.sorted { $0.index < $1.index }.map(\.result)
        }
    }

    /// The same at once and on the calling thread: for callers that have no tasks.
    package nonisolated func rankNow(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, in situation: Situation, traffic: TrafficDensity,
        weights: RouteWeights, model: LoadedModel? = nil
    ) throws(RankingError) -> RankedRoutes {
        try ranker(situation, traffic, weights, model: model).rank(
            trip, by: planner, leaving: departure, arriveBy: deadline)
    }

    /// The forecasts that packed routes need for a departure: ``ForecastTable/rank(_:leaving:arriveBy:weights:)`` and
    /// ``RouteScorer`` rank with them.
    ///
    /// - Parameter departure: As of ``rank(_:leaving:arriveBy:in:traffic:weights:model:)``.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func table(
        for set: RouteSet, leaving departure: Timestamp, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), model: LoadedModel? = nil
    ) async throws(RankingError) -> ForecastTable {
        let ranker = ranker(situation, traffic, .standard, model: model)
        return try await computing(.table, refusal: RankingError.forecast) {
            () throws(RankingError) in
            try ranker.table(for: set, leaving: departure)
        }
    }

    /// Ranks routes for departure after departure, and finds the latest that is in time.
    ///
    /// - Parameter window: Which departures; the first is not before the situation's issue time.
    /// - Throws: ``RankingError``.
    @concurrent
    public nonisolated func departures(
        of routes: [Route], _ window: DepartureWindow, in situation: Situation,
        traffic: TrafficDensity = TrafficDensity(), weights: RouteWeights = .standard,
        model: LoadedModel? = nil
    ) async throws(RankingError) -> DepartureCurve {
        let ranker = ranker(situation, traffic, weights, model: model)
        return try await computing(.departures, refusal: RankingError.forecast) {
            () throws(RankingError) in
            try ranker.departures(routes, window)
        }
    }

    /// The same for a trip on the roads.
    ///
    /// The roads are searched every hour and at both ends; the routes found are timed for every departure. A curve keeps all
    /// ways that may be the best, however many the planner would show, and no second ways. What it says of departures
    /// beyond the first hour is as fine as ``ForecastTable/leadsMinutes``.
    /// - Complexity: A search of the roads for every hour, a few milliseconds each, and a tenth of a millisecond for every departure.
    @concurrent
    public nonisolated func departures(
        of trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow,
        in situation: Situation, traffic: TrafficDensity = TrafficDensity(),
        weights: RouteWeights = .standard, model: LoadedModel? = nil
    ) async throws(RankingError) -> DepartureCurve {
        let ranker = ranker(situation, traffic, weights, model: model)
        return try await computing(.departures, refusal: RankingError.forecast) {
            () throws(RankingError) in
            try ranker.departures(trip, by: planner, window)
        }
    }

    private nonisolated func ranker(
        _ situation: Situation, _ traffic: TrafficDensity, _ weights: RouteWeights,
        model: LoadedModel?
    ) -> RouteRanker {
        RouteRanker(
            situation: situation, traffic: traffic, weights: weights, inference: self,
            model: model.map(ServedModel.init) ?? current)
    }
}

/// Ranks routes with what is known, what counts, and a model.
struct RouteRanker: Sendable {
    let situation: Situation
    let traffic: TrafficDensity
    let weights: RouteWeights
    let inference: TrafficInference
    let model: ServedModel

    func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp?
    ) throws(RankingError) -> RouteRanking {
        try check(deadline, departure)
        try check(idsOf: routes)
        let set = try RouteSet.packing(routes)
        var scorer = RouteScorer()
        return try table(for: set, leaving: departure).rank(
            routes, packed: set, leaving: departure, arriveBy: deadline, weights: weights,
            by: &scorer)
    }

    func rank(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?
    ) throws(RankingError) -> RankedRoutes {
        try check(deadline, departure)
        var forecasts = try Forecasts(of: self, leaving: departure, modes: [trip.mode])
        let found = try search(trip, by: planner, leaving: departure, &forecasts).shortest
        let routes = planner.withoutRejoining(found, trip, leaving: departure)
        let set = try RouteSet.packing(routes.map(\.route))
        var scorer = RouteScorer()
        func rankShown(
            _ routes: [PlannedRoute], packed set: RouteSet, by table: ForecastTable
        ) throws(RankingError) -> (scores: RouteRanking, routes: [PlannedRoute]) {
            let scores = try table.rank(
                routes.map(\.route), packed: set, leaving: departure, arriveBy: deadline,
                weights: weights, by: &scorer)
            let ranked = scorer.order.map { routes[$0] }
            let ranks = planner.ranksWorthShowing(scores, paths: ranked.map(\.path))
            return (scores.keeping(ranks), ranks.map { ranked[$0] })
        }
        var table = try forecasts.reaching(set.reachMinutes)
        var shown = try rankShown(routes, packed: set, by: table)
        let best = shown.routes
        var ways = SecondWays(to: best, trip, by: planner, leaving: departure)
        // The best route's second way takes part; one of the next route, and a third of the best, join if there is
        // room.
        let turns = planner.maxRoutes > 1 ? best.prefix(2) + best.prefix(1) : []
        for (turn, route) in turns.enumerated() {
            if turn > 0, shown.scores.count >= planner.maxRoutes { break }
            guard ways.add(to: route) else { continue }
            guard let wider = try? RouteSet.packing(ways.routes.map(\.route)) else {
                ways.removeNewest()
                continue
            }
            table = try forecasts.reaching(wider.reachMinutes)
            shown = try rankShown(ways.routes, packed: wider, by: table)
        }
        return try RankedRoutes(
            trip, shown.scores, paths: shown.routes.map(\.path), on: planner.network, by: table,
            traffic: traffic)
    }

    func table(
        for set: RouteSet, leaving departure: Timestamp
    ) throws(RankingError) -> ForecastTable {
        var forecasts = try Forecasts(of: self, leaving: departure, modes: set.modes)
        return try forecasts.reaching(set.reachMinutes)
    }

    func departures(
        _ routes: [Route], _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        try check(window)
        try check(idsOf: routes)
        let set = try RouteSet.packing(routes)
        var forecasts = try Forecasts(of: self, leaving: window.from, modes: set.modes)
        let table = try forecasts.reaching(window.minutes + set.reachMinutes)
        return try DepartureCurve(window, weights) { (_) throws(RankingError) in
            DepartureCurve.Candidates(routes: routes, set: set, forecasts: table)
        }
    }

    /// A curve whose routes are found on the roads.
    func departures(
        _ trip: Trip, by planner: RoutePlanner, _ window: DepartureWindow
    ) throws(RankingError) -> DepartureCurve {
        try check(window)
        var forecasts = try Forecasts(of: self, leaving: window.from, modes: [trip.mode])
        var candidates = CurveCandidates(trip, by: planner, window)
        return try DepartureCurve(window, weights) { (departure) throws(RankingError) in
            let routes = try candidates.routes(leaving: departure) { (time) throws(RankingError) in
                try search(
                    trip, by: planner, leaving: time, &forecasts, windowMinutes: window.minutes)
            }
            let set = try RouteSet.packing(routes)
            let table = try forecasts.reaching(window.minutes + set.reachMinutes)
            return DepartureCurve.Candidates(routes: routes, set: set, forecasts: table)
        }
    }

    /// - Parameter windowMinutes: How much later than the forecasts' departure this one may be.
    private func search(
        _ trip: Trip, by planner: RoutePlanner, leaving departure: Timestamp,
        _ forecasts: inout Forecasts, windowMinutes: Double = 0
    ) throws(RankingError) -> FoundRoutes {
        var ways = try planner.search(trip, leaving: departure)
        let quickest = try planner.quickest(&ways, trip)
        let reach = RoutePlanner.reachMinutes(quickest: quickest.minutes)
        return try planner.found(
            &ways, quickest: quickest, trip, leaving: departure,
            with: try forecasts.reaching(windowMinutes + reach))
    }

    /// Checks what a ranking would refuse, before anything is computed for it.
    private func check(_ deadline: Timestamp?, _ departure: Timestamp) throws(RankingError) {
        try RankingError.check(deadline, leaving: departure)
        try weights.check(hasDeadline: deadline != nil)
    }

    /// Who shows rankings finds routes again by their ids.
    private func check(idsOf routes: [Route]) throws(RankingError) {
        var ids: Set<String> = []
        ids.reserveCapacity(routes.count)
        for route in routes where !ids.insert(route.id).inserted { throw .sameID(route.id) }
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

    /// Forecasts from a departure on, made again in the rare case that they do not reach.
    private struct Forecasts {
        private let ranker: RouteRanker
        private let modes: Set<Route.Mode>
        /// Minutes from the issue time to the departure.
        private let leadMinutes: Double
        private var table: ForecastTable?

        /// - Throws: ``RankingError`` for a departure that cannot be forecast, or if the service is overloaded.
        init(
            of ranker: RouteRanker, leaving departure: Timestamp, modes: Set<Route.Mode>
        ) throws(RankingError) {
            let issueTime = ranker.situation.issueTime
            guard departure >= issueTime else {
                throw .departureInThePast(departure, issueTime: issueTime)
            }
            leadMinutes = departure.minutes(since: issueTime)
            guard leadMinutes <= ForecastTable.maxDepartureMinutes else {
                throw .departureTooFar(departure)
            }
            self.ranker = ranker
            self.modes = modes.isEmpty ? Set(Route.Mode.allCases) : modes
            do throws(InferenceError) {
                let smallest = try plan(reaching: 0)
                try ranker.inference.refuseUnlessAdmissible(smallest.rowCount)
            } catch {
                throw .forecast(error)
            }
        }

        /// A table that reaches `minutes` beyond the departure.
        mutating func reaching(_ minutes: Double) throws(RankingError) -> ForecastTable {
            if let table, leadMinutes + minutes <= table.reachMinutes { return table }
            do throws(InferenceError) {
                let made = try ranker.inference.table(try plan(reaching: minutes), by: ranker.model)
                table = made
                return made
            } catch {
                throw .forecast(error)
            }
        }

        private func plan(reaching minutes: Double) throws(InferenceError) -> ForecastTablePlan {
            try ForecastTablePlan(
                ranker.situation, from: leadMinutes, reaching: leadMinutes + minutes,
                traffic: ranker.traffic, modes: modes)
        }
    }
}
