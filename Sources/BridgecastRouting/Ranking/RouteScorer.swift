// Ranks packed routes with a forecast, a thousand in under a millisecond: the hot path of a route service.
public import BridgecastCore
public import BridgecastEngine
internal import CBridgecastKernels

/// Scores and ranks the routes of a set; holds the memory for it, so it belongs to one task.
///
/// The travel times of stretches, gamma distributed with each its mean and spread, and the delays at
/// bridges, each looked up at the arrival that the earlier steps imply, are convolved in steps of a
/// minute; sums over them are accurate to about a second. Given the forecast, delays at different
/// bridges are taken as independent (`bridgecast evaluate --routes` measures how far they are).
public struct RouteScorer: Sendable {
    /// Figures by route, in the order of the set.
    public private(set) var figures: [RouteFigures] = []
    /// Indices into the set, the best route first; equal ones in order of expected time, then of the set.
    public private(set) var order: [Int] = []

    private let kernels: RouteKernels
    private var tables = DelayTables()
    private var raw: [bck_route_figures] = []
    private var memory = RouteMemory()
    private let threads: Int
    private var ranks: [Rank] = []
    /// The weights that count, without a dictionary.
    private var prices: [(criterion: RouteCriterion, weight: Double)] = []
    /// By table of the set.
    private var openingsPerDay: [Double] = []

    /// Creates a scorer.
    ///
    /// - Precondition: The instruction set is one of ``InstructionSet/available``.
    /// - Parameter threads: Threads that share sets from ``minRoutesToDivide`` routes on, 1 to 64, as those of
    ///   ``Workspace/init(threads:)``; figures do not depend on it.
    public init(instructionSet: InstructionSet = .preferred, threads: Int = 1) {
        kernels = RouteKernels(instructionSet)
        self.threads = Parallel.threadCounts.clamping(threads)
    }

    /// Sets below this are scored by the calling thread alone: dividing them would take longer.
    public static var minRoutesToDivide: Int { RouteKernels.minRoutesToDivide }

    /// Scores and ranks all routes of a set: into ``figures`` and ``order``.
    ///
    /// Once it has seen a set as large, only sorting allocates, whatever the number of routes.
    /// - Parameters:
    ///   - forecasts: For the set's ``RouteSet/modes``, reaching ``RouteSet/reachMinutes`` beyond the departure.
    ///   - departure: Not before the table's issue time.
    ///   - deadline: When one wants to be there; nil if that does not matter.
    /// - Throws: ``RankingError``; then the figures are those of the ranking before.
    /// - Complexity: Linear in the routes.
    public mutating func rank(
        _ set: RouteSet, with forecasts: ForecastTable, leaving departure: Timestamp,
        arriveBy deadline: Timestamp? = nil, weights: RouteWeights = .standard
    ) throws(RankingError) {
        try RankingError.check(deadline, leaving: departure)
        var none: [bck_crossing_figures]?
        try rank(
            set, with: forecasts, leaving: departure, arriveBy: deadline, weights: weights,
            crossings: &none)
    }

    /// The same, with the crossings of all routes in order, unless nil is handed in.
    mutating func rank(
        _ set: RouteSet, with forecasts: ForecastTable, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, weights: RouteWeights,
        crossings: inout [bck_crossing_figures]?
    ) throws(RankingError) {
        let start = departure.minutes(since: forecasts.issueTime)
        try weights.check(hasDeadline: deadline != nil)
        do throws(ForecastTableError) {
            try forecasts.check(
                modes: set.modes, fromMinutes: start, toMinutes: start + set.reachMinutes)
        } catch {
            throw .table(error)
        }
        score(
            set, forecasts, startMinutes: start,
            minutesToDeadline: deadline.map { max(0, $0.minutes(since: departure)) },
            crossings: &crossings)
        prices.removeAll(keepingCapacity: true)
        for criterion in RouteCriterion.ordered where weights[criterion] > 0 {
            prices.append((criterion, weights[criterion]))
        }
        conclude(set, forecasts, hasDeadline: deadline != nil)
        sort()
    }

    private mutating func score(
        _ set: RouteSet, _ forecasts: ForecastTable, startMinutes: Double,
        minutesToDeadline: Double?, crossings: inout [bck_crossing_figures]?
    ) {
        tables.fill(set, from: forecasts, startMinutes: startMinutes, kernels)
        if raw.count != set.count {
            raw = Array(repeating: bck_route_figures(), count: set.count)
            figures = Array(repeating: RouteFigures(), count: set.count)
        }
        let cells = minutesToDeadline.map { Float($0 * 60 / RouteSet.cellSeconds) }
        kernels.score(
            set, tables, deadlineCells: cells ?? .infinity, into: &raw, crossings: &crossings,
            memory: &memory, threads: threads)
    }

    private mutating func conclude(_ set: RouteSet, _ forecasts: ForecastTable, hasDeadline: Bool) {
        let minutes = RouteSet.cellSeconds / 60
        openingsPerDay.removeAll(keepingCapacity: true)
        for table in set.tables {
            openingsPerDay.append(forecasts.history(of: table.bridge).openingsPerDay)
        }
        let prices = prices
        let openingsPerDay = openingsPerDay
        let all = raw
        var results = figures.mutableSpan
        for (index, raw) in all.enumerated() {
            var figure = RouteFigures()
            figure.expectedMinutes = Double(raw.mean) * minutes
            figure.p50Minutes = Double(raw.p50) * minutes
            figure.p80Minutes = Double(raw.p80) * minutes
            figure.p90Minutes = Double(raw.p90) * minutes
            figure.p95Minutes = Double(raw.p95) * minutes
            figure.probabilityOnTime = hasDeadline ? Double(raw.by_deadline) : nil
            figure.probabilityStopped = max(0, 1 - Double(raw.unstopped))
            figure.expectedDelayMinutes = Double(raw.delay) * minutes
            figure.openingsPerDay = set.sum(openingsPerDay, ofRoute: index)
            for price in prices {
                figure.score += price.weight * price.criterion.value(of: figure)
            }
            // Rounded to the precision of the sort, so that scores are in order.
            figure.score = Double(Float(max(0, figure.score)))
            results[index] = figure
        }
    }

    /// What routes are sorted by: the score, then the expected time, then the index.
    private struct Rank: Comparable {
        let score, expectedMinutes: Float
        let index: Int

        static func < (one: Rank, other: Rank) -> Bool {
            (one.score, one.expectedMinutes, one.index)
                < (other.score, other.expectedMinutes, other.index)
        }
    }

    /// From the figures to the order.
    private mutating func sort() {
        ranks.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        for (index, figure) in figures.enumerated() {
            ranks.append(
                Rank(
                    score: Float(figure.score), expectedMinutes: Float(figure.expectedMinutes),
                    index: index))
        }
        ranks.sort()
        for rank in ranks { order.append(rank.index) }
    }
}

extension RouteSet {
    /// The sum over a route's crossings of values by table.
    func sum(_ values: [Double], ofRoute route: Int) -> Double {
        var sum = 0.0
        for step in Int(starts[route])..<Int(starts[route + 1]) where steps[step].table >= 0 {
            sum += values[Int(steps[step].table)]
        }
        return sum
    }
}
