// Rows of trips: the candidates of each trip, ranked with what was known at its issue time.
internal import BridgecastEngine
internal import BridgecastRouting
import Bridgecast
import CBridgecast

/// Memory that calls for trips keep from one to the next.
struct TripScratch {
    fileprivate var plans: [TripPlan] = []
    fileprivate var steps: [Route.Step] = []
    fileprivate var set = RouteSet()
    fileprivate var scorer = RouteScorer()
    fileprivate var tables = TripTables()
}

/// A trip that can be ranked, in the order in which trips are computed: those that share forecasts together.
private struct TripPlan: Comparable {
    let key: TripTables.Key
    let row: Int
    let departure: Timestamp
    let mode: Route.Mode
    /// How far forecasts must reach, minutes after the issue time.
    let reachMinutes: Double

    static func < (one: Self, other: Self) -> Bool {
        one.key == other.key ? one.row < other.row : one.key < other.key
    }
}

extension Handle {
    func rank(_ rows: TripRowsInC, _ state: inout State) throws {
        var scratch = state.tripScratch
        state.tripScratch = TripScratch()
        defer { state.tripScratch = scratch }
        unsafe rows.clear()
        scratch.plans.removeAll(keepingCapacity: true)
        for row in unsafe 0..<rows.count {
            do throws(RowRefusal) {
                unsafe scratch.plans.append(try rows.plan(row, &scratch))
            } catch {
                unsafe rows.refuse(row, error.status)
            }
        }
        scratch.plans.sort()
        var first = 0
        while first < scratch.plans.count {
            let key = scratch.plans[first].key
            let end = scratch.plans[first...].partitioningIndex { key < $0.key }
            unsafe try rank(rows, plans: first..<end, &scratch, state)
            first = end
        }
    }

    /// Ranks trips that share their forecasts.
    private func rank(
        _ rows: TripRowsInC, plans: Range<Int>, _ scratch: inout TripScratch, _ state: State
    ) throws {
        let key = scratch.plans[plans.lowerBound].key
        let reach = scratch.plans[plans].reduce(0) { max($0, $1.reachMinutes) }
        do throws(InferenceError) {
            try scratch.tables.fill(
                key, reaching: reach, in: { state.situation(known: key.issueTime) }, by: inference)
        } catch .notFinite {
            for plan in scratch.plans[plans] { unsafe rows.refuse(plan.row, .failed) }
            return
        }
        for index in plans {
            let plan = scratch.plans[index]
            unsafe try rows.pack(plan.row, mode: plan.mode, &scratch)
            try scratch.scorer.rank(
                scratch.set, with: scratch.tables.table(reaching: plan.reachMinutes),
                leaving: plan.departure)
            unsafe rows.write(scratch.scorer, at: plan.row)
        }
    }
}

// MARK: - Forecasts of trips

/// The forecasts of one issue time, which many departures share, each at the length that it would have for itself.
private struct TripTables {
    /// What trips have in common that share a table.
    struct Key: Comparable {
        let issueTime: Timestamp
        let queues: Bool
        /// Minutes from the issue time to the table's first lead.
        let firstLead: Double

        init(issueTime: Timestamp, departure: Timestamp, mode: Route.Mode) {
            self.issueTime = issueTime
            queues = mode.queues
            let lead = departure.minutes(since: issueTime)
            // As ForecastTablePlan begins a table.
            firstLead = lead > FeatureBuilder.longestLeadMinutes ? lead : 0
        }

        var modes: Set<Route.Mode> { queues ? [.car] : [.bike, .walk] }

        static func < (one: Self, other: Self) -> Bool {
            (one.issueTime, one.queues ? 0 : 1, one.firstLead)
                < (other.issueTime, other.queues ? 0 : 1, other.firstLead)
        }
    }

    private var longest: ForecastTable?
    /// Parts of the longest, by how far each reaches.
    private var parts: [ForecastTable] = []

    /// Computes the forecasts of a key.
    mutating func fill(
        _ key: Key, reaching minutes: Double, in situation: () -> Situation,
        by inference: TrafficInference
    ) throws(InferenceError) {
        parts.removeAll(keepingCapacity: true)
        longest = nil
        let plan = try ForecastTablePlan(
            situation(), from: key.firstLead, reaching: minutes, traffic: TrafficDensity(),
            modes: key.modes)
        longest = try inference.table(plan, by: inference.current)
    }

    /// The table for arrivals up to `minutes` after the issue time.
    mutating func table(reaching minutes: Double) -> ForecastTable {
        guard let longest else { preconditionFailure("it is filled before it is asked") }
        let reach = longest.reachMinutes(shortenedTo: minutes)
        if let known = parts.first(where: { $0.reachMinutes == reach }) { return known }
        let part = longest.shortened(toReach: minutes)
        parts.append(part)
        return part
    }
}

// MARK: - In the caller's memory

/// The rows of bridgecast_rank_rows.
@unsafe struct TripRowsInC {
    let count: Int
    private let candidateCount: Int
    private let issueTime, departure: ColumnInC<Int64>
    private let mode, firstCandidate, firstStep, bridge: ColumnInC<Int32>
    private let minutes, spread: ColumnInC<Double>
    private let results: TripColumnsInC

    /// - Throws: `ABIFailure` for columns that are missing, or offsets that are none.
    init(_ rows: bridgecast_trips) throws {
        unsafe count = try unsafe rowCount(rows.count)
        unsafe candidateCount = try unsafe rowCount(rows.candidate_count)
        let stepCount = try unsafe rowCount(rows.step_count)
        unsafe issueTime = try unsafe ColumnInC(rows.issue_time, "issue_time")
        unsafe departure = try unsafe ColumnInC(rows.departure, "departure")
        unsafe mode = try unsafe ColumnInC(rows.mode, "mode", mayBeMissing: true)
        unsafe firstCandidate = try unsafe ColumnInC(rows.first_candidate, "first_candidate")
        unsafe firstStep = try unsafe ColumnInC(rows.first_step, "first_step")
        // Without steps Arrow's arrays may have no memory.
        let isEmpty = stepCount == 0
        unsafe minutes = try unsafe ColumnInC(rows.minutes, "minutes", mayBeMissing: isEmpty)
        unsafe bridge = try unsafe ColumnInC(rows.bridge, "bridge", mayBeMissing: isEmpty)
        unsafe spread = try unsafe ColumnInC(rows.spread, "spread", mayBeMissing: true)
        unsafe results = try unsafe TripColumnsInC(rows)
        try unsafe firstCandidate.checkOffsets(
            rows: count, end: candidateCount, "first_candidate")
        try unsafe firstStep.checkOffsets(rows: candidateCount, end: stepCount, "first_step")
    }

    /// NaN and rank 0 for every candidate.
    func clear() { unsafe results.clear(candidateCount) }

    func refuse(_ row: Int, _ reason: RowStatus) {
        unsafe results.status[row] = reason.rawValue
    }

    /// How a trip will be ranked, after all of it is checked.
    fileprivate func plan(
        _ row: Int, _ scratch: inout TripScratch
    ) throws(RowRefusal) -> TripPlan {
        let issueTime = try unsafe issueTime.time(row)
        let departure = try unsafe departure.time(row)
        let mode = try unsafe mode(row)
        let lead = departure.minutes(since: issueTime)
        guard lead >= 0 else { throw RowRefusal(.past) }
        guard lead <= ForecastTable.maxDepartureMinutes else { throw RowRefusal(.far) }
        try unsafe pack(row, mode: mode, &scratch)
        return TripPlan(
            key: TripTables.Key(issueTime: issueTime, departure: departure, mode: mode), row: row,
            departure: departure, mode: mode, reachMinutes: lead + scratch.set.reachMinutes)
    }

    private func mode(_ row: Int) throws(RowRefusal) -> Route.Mode {
        guard unsafe mode.isPresent else { return .car }
        guard let number = unsafe mode[row] else { throw RowRefusal(.missing) }
        switch Int(number) {
        case BRIDGECAST_CAR: return .car
        case BRIDGECAST_BIKE: return .bike
        case BRIDGECAST_WALK: return .walk
        default: throw RowRefusal(.mode)
        }
    }

    private func candidates(of row: Int) throws(RowRefusal) -> Range<Int> {
        guard unsafe firstCandidate.isValid(row), let start = unsafe firstCandidate.offset(at: row),
            let end = unsafe firstCandidate.offset(at: row + 1), start < end
        else { throw RowRefusal(.missing) }
        guard Int(end - start) <= Int(BRIDGECAST_MAX_CANDIDATES) else {
            throw RowRefusal(.candidates)
        }
        return Int(start)..<Int(end)
    }

    /// Packs a trip's candidates into the set.
    fileprivate func pack(
        _ row: Int, mode: Route.Mode, _ scratch: inout TripScratch
    ) throws(RowRefusal) {
        scratch.set.removeAll()
        for candidate in try unsafe candidates(of: row) {
            scratch.steps.removeAll(keepingCapacity: true)
            try unsafe append(stepsOf: candidate, to: &scratch.steps)
            do throws(RouteSetError) {
                try scratch.set.append(scratch.steps, mode: mode)
            } catch {
                throw RowRefusal(.stretch)
            }
        }
    }

    private func append(
        stepsOf candidate: Int, to steps: inout [Route.Step]
    ) throws(RowRefusal) {
        guard unsafe firstStep.isValid(candidate),
            let start = unsafe firstStep.offset(at: candidate),
            let end = unsafe firstStep.offset(at: candidate + 1), start < end
        else { throw RowRefusal(.missing) }
        guard Int(end - start) <= RouteSet.maxSteps else { throw RowRefusal(.steps) }
        for step in Int(start)..<Int(end) {
            let crossing = try unsafe crossing(step)
            if let minutes = unsafe minutes[step] {
                let spread = unsafe spread[step]
                // A crossing alone may have 0 minutes.
                if crossing == nil || minutes != 0 {
                    unsafe steps.append(.travel(Self.travel(minutes, spread: spread)))
                }
            } else if crossing == nil {
                throw RowRefusal(.missing)
            }
            if let crossing { steps.append(.crossing(crossing)) }
        }
        guard steps.count <= RouteSet.maxSteps else { throw RowRefusal(.steps) }
    }

    private static func travel(_ minutes: Double, spread: Double?) -> Route.Travel {
        guard let spread else { return Route.Travel(minutes: minutes) }
        return Route.Travel(meanMinutes: minutes, spreadMinutes: spread)
    }

    private func crossing(_ step: Int) throws(RowRefusal) -> BridgeIndex? {
        guard let id = unsafe bridge[step], id != 0 else { return nil }
        guard let index = BridgeIDs.index(of: id) else { throw RowRefusal(.bridge) }
        return index
    }

    fileprivate func write(_ scorer: RouteScorer, at row: Int) {
        guard let first = unsafe firstCandidate.offset(at: row) else { return }
        unsafe results.status[row] = RowStatus.ok.rawValue
        for (rank, candidate) in scorer.order.enumerated() {
            unsafe results.write(
                scorer.figures[candidate], rank: rank + 1, at: Int(first) + candidate)
        }
    }
}

/// Where bridgecast_rank_rows writes; what is NULL is left out.
@unsafe struct TripColumnsInC {
    let status: UnsafeMutablePointer<Int32>
    private let rank: UnsafeMutablePointer<Int32>?
    private let expected, p50, p80, p90: UnsafeMutablePointer<Double>?
    private let probabilityStopped, expectedDelay: UnsafeMutablePointer<Double>?

    init(_ rows: bridgecast_trips) throws {
        unsafe status = try unsafe neededStatus(rows.status)
        unsafe rank = unsafe rows.rank
        unsafe expected = unsafe rows.expected_s
        unsafe p50 = unsafe rows.p50_s
        unsafe p80 = unsafe rows.p80_s
        unsafe p90 = unsafe rows.p90_s
        unsafe probabilityStopped = unsafe rows.probability_stopped
        unsafe expectedDelay = unsafe rows.expected_delay_s
    }

    func clear(_ count: Int) {
        unsafe rank?.update(repeating: 0, count: count)
        unsafe expected?.update(repeating: .nan, count: count)
        unsafe p50?.update(repeating: .nan, count: count)
        unsafe p80?.update(repeating: .nan, count: count)
        unsafe p90?.update(repeating: .nan, count: count)
        unsafe probabilityStopped?.update(repeating: .nan, count: count)
        unsafe expectedDelay?.update(repeating: .nan, count: count)
    }

    func write(_ figures: RouteFigures, rank number: Int, at index: Int) {
        unsafe rank?[index] = Int32(number)
        unsafe expected?[index] = figures.expectedMinutes * 60
        unsafe p50?[index] = figures.p50Minutes * 60
        unsafe p80?[index] = figures.p80Minutes * 60
        unsafe p90?[index] = figures.p90Minutes * 60
        unsafe probabilityStopped?[index] = figures.probabilityStopped
        unsafe expectedDelay?[index] = figures.expectedDelayMinutes * 60
    }
}
