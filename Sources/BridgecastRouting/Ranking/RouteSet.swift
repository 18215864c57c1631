// Candidate routes packed for scoring: made once, ranked with every new forecast.
public import BridgecastCore
internal import CBridgecastKernels

/// Routes as flat arrays, ready to be ranked again and again by a ``RouteScorer``.
public struct RouteSet: Sendable {
    /// How many routes there are, R.
    public var count: Int { starts.count - 1 }

    /// Length of a cell of time, seconds.
    package static let cellSeconds = 60.0
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
    private(set) var widthCells = 3
    private(set) var arrivalCells = 1

    private var latestMode: Route.Mode?
    private var tableNumbers = [Int32](repeating: -1, count: BridgeCatalogue.count * 2)

    /// Packs routes; O(steps).
    ///
    /// - Throws: ``RouteSetError`` for a stretch that is no duration.
    public init(_ routes: some Collection<Route>) throws(RouteSetError) {
        starts.reserveCapacity(routes.count + 1)
        steps.reserveCapacity(routes.count * 5)
        for route in routes { try append(route) }
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

    private mutating func append(_ route: Route) throws(RouteSetError) {
        // Stretches in a row are one: means and variances add up.
        var mean = 0.0, variance = 0.0
        var extent = Extent()
        // Almost always that of the route before: nothing has to be hashed.
        if route.mode != latestMode { modes.insert(route.mode) }
        latestMode = route.mode
        for (number, step) in route.steps.enumerated() {
            switch step {
            case .travel(let travel):
                let spread = travel.spreadMinutes
                guard travel.meanMinutes >= 0, travel.meanMinutes <= Self.maxMinutes,
                    spread >= 0, spread <= Self.maxMinutes
                else { throw RouteSetError(route: route.id, step: number, travel) }
                mean += travel.meanMinutes
                variance += spread * spread
            case .crossing(let bridge):
                appendTravel(mean: mean, variance: variance, &extent)
                mean = 0
                variance = 0
                let table = tableNumber(bridge, route.mode.queues)
                steps.append(bck_route_step(mean: 0, spread: 0, table: table))
                extent.crossings += 1
                let before = extent.mean * Self.cellSeconds / 60
                reachMinutes = max(reachMinutes, 2 * before + DelayBins.longestMinutes)
            }
        }
        appendTravel(mean: mean, variance: variance, &extent)
        guard extent.mean <= Self.maxMinutes * 60 / Self.cellSeconds else {
            throw RouteSetError(route: route.id, totalMinutes: route.meanTravelMinutes)
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
