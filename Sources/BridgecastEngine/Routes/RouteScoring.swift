// Scores routes with everything that is shown of them: crossings, criteria, chances.
public import BridgecastCore
internal import CBridgecastKernels

/// Scores and ranks routes with one forecast table, for people; services with many candidates use
/// ``RouteScorer``, which gives the same figures.
public struct RouteScoring: Sendable {
    private let forecasts: ForecastTable
    private let openingsPerDay: [Float]
    private let issueTime: Timestamp
    private let weights: RouteWeights

    /// Creates a scoring for one issue time.
    ///
    /// - Parameters:
    ///   - forecasts: Issued at `issueTime`, reaching as far as the longest route.
    ///   - climatology: For the historical frequency of openings.
    ///   - weights: Valid (``RouteWeights/validate(hasDeadline:)``).
    public init(
        forecasts: ForecastTable, climatology: Climatology, issueTime: Timestamp,
        weights: RouteWeights = .standard
    ) {
        self.forecasts = forecasts
        self.issueTime = issueTime
        self.weights = weights
        openingsPerDay = climatology.openingsPerDay(on: SeattleTime.civil(at: issueTime).date)
    }

    /// Scores routes and sorts them, the best first; equal ones by expected time.
    ///
    /// - Parameters:
    ///   - departure: Not before the issue time.
    ///   - deadline: When one wants to be there, if that matters.
    /// - Throws: ``RouteSetError`` for a stretch that is no duration.
    /// - Complexity: O(routes x steps).
    public func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil
    ) throws(RouteSetError) -> [RouteScore] {
        let set = try RouteSet(routes)
        var scorer = RouteScorer()
        var found: [bck_crossing_figures]? = []
        scorer.rank(
            set, with: forecasts, issueTime: issueTime, leaving: departure, arriveBy: deadline,
            weights: weights, openingsPerDay: openingsPerDay, crossings: &found)
        var places = routes.map { route in
            CrossingPlaces(departure: departure, start: departure.minutes(since: issueTime), route)
        }
        var next = 0
        let crossings = found ?? []
        for index in places.indices {
            let count = places[index].route.crossings.count
            for crossing in crossings[next..<next + count] {
                places[index].add(
                    arrivalCells: Double(crossing.arrival), delayCells: Double(crossing.delay),
                    unstopped: Double(crossing.unstopped), forecasts)
            }
            next += count
        }
        return scorer.order.map { index in
            score(
                places[index].route, scorer.figures[index], places[index].scores,
                hasDeadline: deadline != nil)
        }
    }

    /// Scores one route.
    public func score(
        _ route: Route, leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil
    ) throws(RouteSetError) -> RouteScore {
        try rank([route], leaving: departure, arriveBy: deadline)[0]
    }

    private func score(
        _ route: Route, _ figures: RouteFigures, _ crossings: [CrossingScore], hasDeadline: Bool
    ) -> RouteScore {
        let openings = route.crossings.reduce(0) { $0 + Double(openingsPerDay[$1.rawValue]) }
        let criteria: [RouteCriterion: Double] = [
            .expectedMinutes: Double(figures.expectedMinutes),
            .p50Minutes: Double(figures.p50Minutes), .p80Minutes: Double(figures.p80Minutes),
            .p90Minutes: Double(figures.p90Minutes), .p95Minutes: Double(figures.p95Minutes),
            .probabilityLate: 1 - Double(figures.probabilityOnTime),
            .probabilityStopped: Double(figures.probabilityStopped), .openingsPerDay: openings,
            .idleMinutes: Double(figures.idleMinutes),
        ]
        func seconds(_ minutes: Float) -> Double { Double(minutes) * 60 }
        return RouteScore(
            route: route,
            travelSeconds: TravelSeconds(
                mean: seconds(figures.expectedMinutes), p50: seconds(figures.p50Minutes),
                p80: seconds(figures.p80Minutes), p90: seconds(figures.p90Minutes),
                p95: seconds(figures.p95Minutes)),
            crossings: crossings, probabilityStopped: Double(figures.probabilityStopped),
            expectedDelaySeconds: seconds(figures.idleMinutes),
            probabilityOnTime: hasDeadline ? Double(figures.probabilityOnTime) : nil,
            criteria: criteria, score: Double(figures.score))
    }
}

/// Puts the crossings of one route together.
private struct CrossingPlaces {
    let route: Route
    private let departure: Timestamp
    private let startMinutes: Double
    private let bridges: [BridgeIndex]
    private(set) var scores: [CrossingScore] = []

    init(departure: Timestamp, start: Double, _ route: Route) {
        (self.departure, startMinutes, self.route) = (departure, start, route)
        bridges = route.crossings
    }

    mutating func add(
        arrivalCells: Double, delayCells: Double, unstopped: Double, _ forecasts: ForecastTable
    ) {
        let bridge = bridges[scores.count]
        let minutes = arrivalCells * RouteSet.cellSeconds / 60
        scores.append(
            CrossingScore(
                bridge: bridge, arrival: departure.adding(minutes: minutes),
                leadMinutes: startMinutes + minutes,
                delay: forecasts.delay(
                    at: bridge, leadMinutes: startMinutes + minutes, queues: route.mode.queues),
                expectedDelaySeconds: delayCells * RouteSet.cellSeconds,
                probabilityDelayed: max(0, 1 - unstopped)))
    }
}
