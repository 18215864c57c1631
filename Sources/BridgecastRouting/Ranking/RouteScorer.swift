// Candidate routes packed once and ranked with every new forecast, a thousand in under a millisecond: the hot path of a
// route service.
public import BridgecastCore
public import BridgecastEngine
internal import CBridgecastKernels

/// Scores and ranks the routes of a set; holds the memory for it, so it belongs to one task.
///
/// The travel times of stretches, each gamma distributed with its own mean and spread, and the delays at
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
    ///   - deadline: The time to arrive by; nil for none.
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
        /// The bits of the score, then those of the expected time: of numbers from 0 on, they are in the numbers' order.
        let bits: UInt64
        let index: Int

        init(_ figures: RouteFigures, index: Int) {
            bits =
                UInt64(Float(figures.score).bitPattern) << 32
                | UInt64(Float(figures.expectedMinutes).bitPattern)
            self.index = index
        }

        static func < (one: Rank, other: Rank) -> Bool {
            one.bits == other.bits ? one.index < other.index : one.bits < other.bits
        }
    }

    /// From the figures to the order.
    private mutating func sort() {
        ranks.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        for (index, figure) in figures.enumerated() {
            ranks.append(Rank(figure, index: index))
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

/// Routes as flat arrays, ready to be ranked again and again by a ``RouteScorer``.
public struct RouteSet: Sendable {
    /// How many routes there are, R.
    public var count: Int { starts.count - 1 }

    /// Length of a cell of time, seconds.
    package static let cellSeconds = 60.0
    /// The maximum number of steps of a route.
    ///
    /// A ranking cannot be cancelled while it runs, so its length is bounded.
    public static let maxSteps = 100
    /// The longest stretch and the longest route, minutes.
    public static let maxMinutes = 1_440.0

    /// What delays of one bridge and mode are looked up in.
    struct DelayKey: Hashable {
        let bridge: BridgeIndex
        let queues: Bool
    }

    /// Steps of route r: starts[r] ..< starts[r + 1].
    private(set) var starts: [UInt32] = [0]
    private(set) var steps: [bck_route_step] = []
    /// Tables by the number that crossings carry.
    private(set) var tables: [DelayKey] = []
    /// Cells that a distribution may have, and cells that arrivals may fall into.
    private(set) var widthCells = minWidthCells
    private(set) var arrivalCells = minArrivalCells
    private static let minWidthCells = 3
    private static let minArrivalCells = 1

    private var latestMode: Route.Mode?
    private var tableNumbers = [Int32](repeating: -1, count: BridgeCatalogue.count * 2)

    /// Packs routes; O(steps).
    ///
    /// - Throws: ``RouteSetError`` for a stretch that is no duration, or a route of too many steps.
    public init(_ routes: some Collection<Route>) throws(RouteSetError) {
        starts.reserveCapacity(routes.count + 1)
        steps.reserveCapacity(routes.count * 5)
        for route in routes { try append(route.steps, mode: route.mode, id: route.id) }
    }

    /// A set without routes, to which routes are appended.
    package init() {}

    /// Forgets all routes but keeps the memory.
    package mutating func removeAll() {
        starts.removeAll(keepingCapacity: true)
        starts.append(0)
        steps.removeAll(keepingCapacity: true)
        tables.removeAll(keepingCapacity: true)
        for key in tableNumbers.indices { tableNumbers[key] = -1 }
        widthCells = Self.minWidthCells
        arrivalCells = Self.minArrivalCells
        reachMinutes = 0
        latestMode = nil
        modes.removeAll(keepingCapacity: true)
    }

    /// How far after the departure forecasts must reach, minutes: to the farthest crossing, if the way there takes
    /// twice as long as on average and is held up by one of the longest delays; 0 without crossings.
    public private(set) var reachMinutes = 0.0
    /// How the routes are travelled.
    public private(set) var modes: Set<Route.Mode> = []

    /// Hands over starts and steps; both stay where they are.
    func withPointers(_ body: (UnsafePointer<UInt32>, UnsafePointer<bck_route_step>) -> Void) {
        unsafe starts.withUnsafeBufferPointer { starts in
            unsafe steps.withUnsafeBufferPointer { steps in
                guard let first = starts.baseAddress else { return }
                // Routes of nothing have no steps, and none are read.
                let none = unsafe UnsafePointer<bck_route_step>(bitPattern: 64)
                guard let step = unsafe steps.baseAddress ?? none else { return }
                unsafe body(first, step)
            }
        }
    }

    /// Appends a route; after an error the set is of no use until ``removeAll()``.
    package mutating func append(
        _ parts: [Route.Step], mode: Route.Mode, id: String = ""
    ) throws(RouteSetError) {
        guard parts.count <= Self.maxSteps else {
            throw RouteSetError(route: id, steps: parts.count)
        }
        // Stretches in a row are one: means and variances add up.
        var mean = 0.0, variance = 0.0
        var extent = Extent()
        // Almost always that of the route before: nothing has to be hashed.
        if mode != latestMode { modes.insert(mode) }
        latestMode = mode
        for (number, step) in parts.enumerated() {
            switch step {
            case .travel(let travel):
                let spread = travel.spreadMinutes
                guard travel.meanMinutes >= 0, travel.meanMinutes <= Self.maxMinutes,
                    spread >= 0, spread <= Self.maxMinutes
                else { throw RouteSetError(route: id, step: number, travel) }
                mean += travel.meanMinutes
                variance += spread * spread
            case .crossing(let bridge):
                appendTravel(mean: mean, variance: variance, &extent)
                mean = 0
                variance = 0
                let table = tableNumber(bridge, mode.queues)
                steps.append(bck_route_step(mean: 0, spread: 0, table: table))
                extent.crossings += 1
                let before = extent.mean * Self.cellSeconds / 60
                reachMinutes = max(reachMinutes, 2 * before + DelayBins.longestMinutes)
            }
        }
        appendTravel(mean: mean, variance: variance, &extent)
        guard extent.mean <= Self.maxMinutes * 60 / Self.cellSeconds else {
            throw RouteSetError(route: id, totalMinutes: parts.meanTravelMinutes)
        }
        starts.append(UInt32(steps.count))
        widthCells = max(widthCells, extent.widthCells)
        arrivalCells = max(arrivalCells, extent.arrivalCells)
    }

    private mutating func appendTravel(
        mean meanMinutes: Double, variance varianceMinutes: Double, _ extent: inout Extent
    ) {
        let cells = 60 / Self.cellSeconds
        let mean = meanMinutes * cells
        // Less than a twentieth of a second.
        guard mean > 0.05 / Self.cellSeconds else { return }
        // A duration cannot spread more than an exponential one does and stay a gamma that starts at 0.
        let spread = min(varianceMinutes.squareRoot() * cells, mean)
        extent.add(mean, spread)
        steps.append(bck_route_step(mean: Float(mean), spread: Float(spread), table: -1))
    }

    private mutating func tableNumber(_ bridge: BridgeIndex, _ queues: Bool) -> Int32 {
        let key = bridge.rawValue * 2 + (queues ? 1 : 0)
        if tableNumbers[key] < 0 {
            tableNumbers[key] = Int32(tables.count)
            tables.append(DelayKey(bridge: bridge, queues: queues))
        }
        return tableNumbers[key]
    }

    /// How many cells a route's distributions take, by the kernel's own bounds (`travel_cells` and `last_cell` in CBridgecastKernels/templates).
    private struct Extent {
        private(set) var mean = 0.0
        private var latest = 0.0
        private var widest = 3.0
        var crossings = 0

        mutating func add(_ mean: Double, _ spread: Double) {
            self.mean += mean
            latest += mean + 6 * spread + 3
            widest = max(widest, min(mean, 4 * spread) + 6 * spread + 4)
        }

        /// Room for the longest delay at every crossing, up to a day in all; what is later counts as that.
        var arrivalCells: Int {
            Int(latest) + min(crossings * Int(BCK_MAX_DELAY), Int(BCK_MAX_ROUTE_DELAY)) + 4
        }
        /// Whatever is added to a distribution is added before it is cut to the arrivals there are.
        var widthCells: Int { arrivalCells + max(Int(widest), Int(BCK_MAX_DELAY)) + 64 }
    }
}

// MARK: - With a table at hand

extension ForecastTable {
    /// Scores routes and sorts them, the best first.
    ///
    /// ``TrafficInference/rank(_:leaving:arriveBy:in:traffic:weights:model:)`` asks for a table that fits and does
    /// this; a service with many candidates uses ``RouteScorer``, which gives the same figures.
    /// - Parameters:
    ///   - routes: Routes of the modes of the table.
    ///   - departure: Not before the issue time; the table reaches ``RouteSet/reachMinutes`` beyond it.
    ///   - deadline: The time to arrive by; nil for none.
    /// - Throws: ``RankingError``.
    /// - Complexity: O(routes x steps).
    public func rank(
        _ routes: [Route], leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        weights: RouteWeights = .standard
    ) throws(RankingError) -> RouteRanking {
        try RankingError.check(deadline, leaving: departure)
        var scorer = RouteScorer()
        return try rank(
            routes, packed: try RouteSet.packing(routes), leaving: departure, arriveBy: deadline,
            weights: weights, by: &scorer)
    }

    /// As above with a scorer, whose order gives the ranks; leaving after the deadline is late.
    func rank(
        _ routes: [Route], packed set: RouteSet, leaving departure: Timestamp,
        arriveBy deadline: Timestamp?, weights: RouteWeights, by scorer: inout RouteScorer
    ) throws(RankingError) -> RouteRanking {
        var found: [bck_crossing_figures]? = []
        try scorer.rank(
            set, with: self, leaving: departure, arriveBy: deadline, weights: weights,
            crossings: &found)
        var left = (found ?? [])[...]
        let crossings = routes.map { route in
            let bridges = route.crossings
            defer { left = left.dropFirst(bridges.count) }
            return zip(bridges, left).map {
                score($0, $1, mode: route.mode, leaving: departure)
            }
        }
        return RouteRanking(
            issueTime: issueTime, departure: departure, deadline: deadline, weights: weights,
            scores: scorer.order.map { index in
                RouteScore(
                    route: routes[index], figures: scorer.figures[index],
                    crossings: crossings[index])
            })
    }

    private func score(
        _ bridge: BridgeIndex, _ figures: bck_crossing_figures, mode: Route.Mode,
        leaving departure: Timestamp
    ) -> CrossingScore {
        let minutes = Double(figures.arrival) * RouteSet.cellSeconds / 60
        let lead = departure.minutes(since: issueTime) + minutes
        return CrossingScore(
            bridge: bridge, arrival: departure.adding(minutes: minutes), leadMinutes: lead,
            delay: delayWithin(at: bridge, leadMinutes: lead, queues: mode.queues),
            expectedDelayMinutes: Double(figures.delay) * RouteSet.cellSeconds / 60,
            probabilityDelayed: max(0, 1 - Double(figures.unstopped)))
    }
}

extension RouteRanking {
    /// - Parameter ranks: Increasing.
    func keeping(_ ranks: [Int]) -> RouteRanking {
        RouteRanking(
            issueTime: issueTime, departure: departure, deadline: deadline, weights: weights,
            scores: ranks.map { scores[$0] })
    }
}
