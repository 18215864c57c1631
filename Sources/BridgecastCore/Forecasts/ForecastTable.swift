// Delay distributions of every bridge at a grid of leads: one inference, then only look-ups.
// Belongs here: forecasts and what is said of them; not: how they are computed (BridgecastEngine).

/// Forecasts by bridge and lead time, for those who queue and those who do not; routes look them up at
/// their arrival times.
///
/// A table knows when it was issued, how far it reaches and whom it speaks for, and refuses to answer anything
/// else.
public struct ForecastTable: Sendable {
    /// Minutes between the leads of the grid in the first hour.
    public static let fineStepMinutes = 5.0
    /// No departure lies farther than so many minutes after the issue time: 366 days.
    public static let farthestDepartureMinutes = 366.0 * 1440
    /// No table reaches farther than so many minutes after its issue time: four days beyond the farthest departure,
    /// so that every trip ends within.
    public static let farthestMinutes = 370.0 * 1440

    /// When the forecasts were made.
    public let issueTime: Timestamp
    /// The leads of the grid in minutes after the issue time, increasing.
    ///
    /// Those of ``TrafficInference`` are 0, 2, then every 5 to 60, then every 15; for a departure far ahead
    /// they are counted from there. Between leads forecasts are mixed, so beyond the first hour a chance that
    /// changes at a full hour is blurred by up to a quarter of one.
    public let leadsMinutes: [Double]
    /// Who may look things up.
    public let modes: Set<Route.Mode>
    /// [kind of traveller][bridge][lead].
    private let delays: [DelayDistribution]
    private let history: [BridgeHistory]
    /// Place of those who queue, and of those who do not, among the kinds.
    private let (queueing, others): (Int?, Int?)

    /// The farthest lead, minutes.
    public var reachMinutes: Double { leadsMinutes[leadsMinutes.count - 1] }

    /// Creates a table of forecasts of one's own.
    ///
    /// - Parameters:
    ///   - leadsMinutes: At least one; increasing, between 0 and ``farthestMinutes``.
    ///   - modes: At least one. Modes that queue share their forecasts, and so do those that do not.
    ///   - history: What the past says of bridges; a bridge that is left out has no openings.
    ///   - delay: The forecast of a bridge for an arrival so many minutes ahead.
    /// - Throws: ``ForecastTableError/leads``, ``ForecastTableError/noMode`` or ``ForecastTableError/history(_:)``.
    public init(
        issueTime: Timestamp, leadsMinutes: [Double],
        modes: Set<Route.Mode> = Set(Route.Mode.allCases),
        history: [BridgeIndex: BridgeHistory] = [:],
        delay: (BridgeIndex, _ leadMinutes: Double, Route.Mode) -> DelayDistribution
    ) throws(ForecastTableError) {
        let isIncreasing = zip(leadsMinutes, leadsMinutes.dropFirst()).allSatisfy { $0 < $1 }
        guard !leadsMinutes.isEmpty, isIncreasing,
            leadsMinutes.allSatisfy({ $0 >= 0 && $0 <= Self.farthestMinutes })
        else { throw .leads }
        guard !modes.isEmpty else { throw .noMode }
        for (bridge, past) in history {
            let isPlausible = [past.openingsPerDay, past.coveredDays].allSatisfy {
                $0 >= 0 && $0 <= 1e6
            }
            guard isPlausible else { throw .history(bridge) }
        }
        let kinds = Self.kinds(of: modes).compactMap { queues in
            Route.Mode.allCases.first { modes.contains($0) && $0.queues == queues }
        }
        self.init(
            issueTime: issueTime, leadsMinutes: leadsMinutes, modes: modes,
            history: BridgeIndex.all.map { history[$0] ?? .none },
            delays: kinds.flatMap { mode in
                BridgeIndex.all.flatMap { bridge in
                    leadsMinutes.map { delay(bridge, $0, mode) }
                }
            })
    }

    /// Creates a table from what has been checked.
    ///
    /// - Parameter delays: [kind of ``kinds(of:)``][bridge][lead].
    package init(
        issueTime: Timestamp, leadsMinutes: [Double], modes: Set<Route.Mode>,
        history: [BridgeHistory], delays: [DelayDistribution]
    ) {
        (self.issueTime, self.leadsMinutes, self.modes) = (issueTime, leadsMinutes, modes)
        (self.history, self.delays) = (history, delays)
        let kinds = Self.kinds(of: modes)
        (queueing, others) = (kinds.firstIndex(of: true), kinds.firstIndex(of: false))
    }

    /// The kinds of travellers among modes: with queueing first, then without.
    package static func kinds(of modes: Set<Route.Mode>) -> [Bool] {
        [true, false].filter { queues in modes.contains { $0.queues == queues } }
    }

    /// The grid of leads that covers arrivals up to so many minutes ahead, ``farthestMinutes`` at most.
    ///
    /// - Parameter start: The first lead.
    package static func leads(from start: Double = 0, upTo minutes: Double) -> [Double] {
        let fine = [0.0, 2] + stride(from: fineStepMinutes, through: 60, by: fineStepMinutes)
        var leads = fine.map { start + $0 }.filter { $0 <= farthestMinutes }
        let end = min(minutes, farthestMinutes)
        while let last = leads.last, last < end { leads.append(min(last + 15, farthestMinutes)) }
        return leads
    }

    /// What the past says of a bridge.
    public func history(of bridge: BridgeIndex) -> BridgeHistory { history[bridge.rawValue] }

    /// The delay at a bridge for an arrival so many minutes after the issue time, interpolated between the
    /// leads of the grid; O(log leads).
    ///
    /// - Throws: ``ForecastTableError`` for a lead outside the table or a mode it does not know.
    public func delay(
        at bridge: BridgeIndex, leadMinutes: Double, mode: Route.Mode
    ) throws(ForecastTableError) -> DelayDistribution {
        try check(modes: [mode], fromMinutes: leadMinutes, toMinutes: leadMinutes)
        return delayWithin(at: bridge, leadMinutes: leadMinutes, queues: mode.queues)
    }

    /// The delay at a bridge for an arrival at a moment.
    ///
    /// - Throws: As ``delay(at:leadMinutes:mode:)``.
    public func delay(
        at bridge: BridgeIndex, arrival: Timestamp, mode: Route.Mode
    ) throws(ForecastTableError) -> DelayDistribution {
        try delay(at: bridge, leadMinutes: arrival.minutes(since: issueTime), mode: mode)
    }

    /// Checks that the table can answer for some modes and a span of leads.
    ///
    /// - Throws: ``ForecastTableError`` that says what it cannot answer.
    package func check(
        modes wanted: some Sequence<Route.Mode>, fromMinutes start: Double, toMinutes end: Double
    ) throws(ForecastTableError) {
        for mode in wanted where kind(mode.queues) == nil {
            throw .unknownMode(mode, known: modes)
        }
        guard !start.isNaN, !end.isNaN else { throw .notAMoment }
        guard start >= 0 else { throw .beforeIssueTime(minutes: -start, issueTime) }
        guard start >= leadsMinutes[0] else {
            throw .beforeFirstLead(minutes: start, first: leadsMinutes[0])
        }
        guard end <= reachMinutes else { throw .tooShort(minutes: end, reach: reachMinutes) }
    }

    /// As ``delay(at:leadMinutes:mode:)`` for what ``check(modes:fromMinutes:toMinutes:)`` let pass; beyond the last
    /// lead that one holds.
    package func delayWithin(
        at bridge: BridgeIndex, leadMinutes: Double, queues: Bool
    ) -> DelayDistribution {
        let row = row(bridge, queues: queues)
        let upper = leadsMinutes.partitioningIndex { $0 > leadMinutes }
        guard upper > 0 else { return delays[row] }
        guard upper < leadsMinutes.count else { return delays[row + upper - 1] }
        let (low, high) = (leadsMinutes[upper - 1], leadsMinutes[upper])
        return delays[row + upper - 1].mixed(
            with: delays[row + upper], weight: (leadMinutes - low) / (high - low))
    }

    /// The delay at a bridge for an arrival at a lead of the grid.
    package func delay(
        at bridge: BridgeIndex, leadIndex: Int, queues: Bool
    ) -> DelayDistribution { delays[row(bridge, queues: queues) + leadIndex] }

    private func row(_ bridge: BridgeIndex, queues: Bool) -> Int {
        ((kind(queues) ?? 0) * BridgeCatalogue.count + bridge.rawValue) * leadsMinutes.count
    }

    private func kind(_ queues: Bool) -> Int? { queues ? queueing : others }
}
