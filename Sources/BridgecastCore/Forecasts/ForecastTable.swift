// Forecasts at a grid of leads: one inference, then only look-ups.
public import BridgecastSupport

/// Delay distributions by bridge and lead time, for modes that queue and modes that do not; routes look them up at
/// their arrival times.
///
/// A table knows its issue time, its leads and its modes, and throws for anything else.
public struct ForecastTable: Sendable {
    /// Minutes between the leads of the grid in the first hour.
    public static let fineStepMinutes = 5.0
    /// The latest departure, minutes after the issue time: 366 days.
    public static let maxDepartureMinutes = 366.0 * 1440
    /// The latest lead, minutes: four days after the latest departure, so that every trip ends within a table.
    public static let maxLeadMinutes = 370.0 * 1440

    /// When the forecasts were made.
    public let issueTime: Timestamp
    /// The leads of the grid in minutes after the issue time, increasing.
    ///
    /// Those of ``TrafficInference`` are 0, 2, then every 5 to 60, then every 15; for a departure far ahead
    /// they are counted from there. Between leads forecasts are mixed, so beyond the first hour a chance that
    /// changes at a full hour is blurred by up to a quarter of one.
    public let leadsMinutes: [Double]
    /// The modes of travel it has forecasts for.
    public let modes: Set<Route.Mode>
    /// [queueing or not, as in ``kinds(of:)``][bridge][lead].
    private let delays: [DelayDistribution]
    private let history: [BridgeHistory]
    /// Indices of the modes that queue and of those that do not in `delays`.
    private let queueingKind: Int?
    private let otherKind: Int?

    /// The last lead, minutes.
    public var reachMinutes: Double { leadsMinutes[leadsMinutes.count - 1] }

    /// Creates a table of the caller's forecasts.
    ///
    /// - Parameters:
    ///   - leadsMinutes: At least one; increasing, between 0 and ``maxLeadMinutes``.
    ///   - modes: At least one. Modes that queue share their forecasts, and so do those that do not.
    ///   - history: The history of bridges; a bridge that is left out has no openings.
    ///   - delay: The forecast of a bridge for an arrival at a lead time in minutes.
    /// - Throws: ``ForecastTableError/leads``, ``ForecastTableError/noMode`` or ``ForecastTableError/history(_:)``.
    public init(
        issueTime: Timestamp, leadsMinutes: [Double],
        modes: Set<Route.Mode> = Set(Route.Mode.allCases),
        history: [BridgeIndex: BridgeHistory] = [:],
        delay: (BridgeIndex, _ leadMinutes: Double, Route.Mode) -> DelayDistribution
    ) throws(ForecastTableError) {
        let isIncreasing = zip(leadsMinutes, leadsMinutes.dropFirst()).allSatisfy { $0 < $1 }
        guard !leadsMinutes.isEmpty, isIncreasing,
            leadsMinutes.allSatisfy({ $0 >= 0 && $0 <= Self.maxLeadMinutes })
        else { throw .leads }
        guard !modes.isEmpty else { throw .noMode }
        for (bridge, past) in history {
            let isPlausible = [
                past.openingsPerDay, past.coveredDays, past.coveredDaysOfSeason,
            ].allSatisfy {
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

    /// - Parameter delays: [kind of ``kinds(of:)``][bridge][lead].
    package init(
        issueTime: Timestamp, leadsMinutes: [Double], modes: Set<Route.Mode>,
        history: [BridgeHistory], delays: [DelayDistribution]
    ) {
        self.issueTime = issueTime
        self.leadsMinutes = leadsMinutes
        self.modes = modes
        self.history = history
        self.delays = delays
        let kinds = Self.kinds(of: modes)
        queueingKind = kinds.firstIndex(of: true)
        otherKind = kinds.firstIndex(of: false)
    }

    /// The kinds of modes: those that queue (true) first, then those that do not.
    package static func kinds(of modes: Set<Route.Mode>) -> [Bool] {
        [true, false].filter { queues in modes.contains { $0.queues == queues } }
    }

    /// The leads of the first hour, which every table has.
    private static let fineLeads =
        [0.0, 2] + stride(from: fineStepMinutes, through: 60, by: fineStepMinutes)

    /// The leads from `start` on for arrivals up to `minutes` ahead, ``maxLeadMinutes`` at most.
    package static func leads(from start: Double = 0, upTo minutes: Double) -> [Double] {
        var leads = fineLeads.map { start + $0 }.filter { $0 <= maxLeadMinutes }
        let end = min(minutes, maxLeadMinutes)
        while let last = leads.last, last < end { leads.append(min(last + 15, maxLeadMinutes)) }
        return leads
    }

    /// The part of a table that one made for arrivals up to `minutes` after the issue time would have, number by number:
    /// many departures of one issue time can share a table, and each is answered as if it had its own.
    package func shortened(toReach minutes: Double) -> ForecastTable {
        let count = leadCount(reaching: minutes)
        let all = leadsMinutes.count
        guard count < all else { return self }
        return ForecastTable(
            issueTime: issueTime, leadsMinutes: Array(leadsMinutes.prefix(count)), modes: modes,
            history: history,
            delays: stride(from: 0, to: delays.count, by: all).flatMap { delays[$0..<$0 + count] })
    }

    /// The last lead of ``shortened(toReach:)``, minutes.
    package func reachMinutes(shortenedTo minutes: Double) -> Double {
        leadsMinutes[leadCount(reaching: minutes) - 1]
    }

    private func leadCount(reaching minutes: Double) -> Int {
        let wanted = leadsMinutes.partitioningIndex { $0 >= minutes } + 1
        return min(max(wanted, Self.fineLeads.count), leadsMinutes.count)
    }

    /// The history of a bridge.
    public func history(of bridge: BridgeIndex) -> BridgeHistory { history[bridge.rawValue] }

    /// The delay at a bridge for an arrival `leadMinutes` after the issue time, interpolated between the
    /// leads of the grid; O(log leads).
    ///
    /// - Throws: ``ForecastTableError`` for a lead outside the table or a mode it does not know.
    public func delay(
        at bridge: BridgeIndex, leadMinutes: Double, mode: Route.Mode
    ) throws(ForecastTableError) -> DelayDistribution {
        try check(modes: [mode], fromMinutes: leadMinutes, toMinutes: leadMinutes)
        return delayWithin(at: bridge, leadMinutes: leadMinutes, queues: mode.queues)
    }

    /// The delay at a bridge for an arrival at a time.
    ///
    /// - Throws: As ``delay(at:leadMinutes:mode:)``.
    public func delay(
        at bridge: BridgeIndex, arrival: Timestamp, mode: Route.Mode
    ) throws(ForecastTableError) -> DelayDistribution {
        try delay(at: bridge, leadMinutes: arrival.minutes(since: issueTime), mode: mode)
    }

    /// - Throws: ``ForecastTableError`` for the first mode or lead that the table cannot answer.
    package func check(
        modes wanted: some Sequence<Route.Mode>, fromMinutes start: Double, toMinutes end: Double
    ) throws(ForecastTableError) {
        for mode in wanted where kind(mode.queues) == nil {
            throw .unknownMode(mode, known: modes)
        }
        guard !start.isNaN, !end.isNaN else { throw .notANumber }
        guard start >= 0 else { throw .beforeIssueTime(minutes: -start, issueTime) }
        guard start >= leadsMinutes[0] else {
            throw .beforeFirstLead(minutes: start, first: leadsMinutes[0])
        }
        guard end <= reachMinutes else { throw .tooShort(minutes: end, reach: reachMinutes) }
    }

    /// As ``delay(at:leadMinutes:mode:)`` without its checks, which ``check(modes:fromMinutes:toMinutes:)`` makes
    /// once for many; leads beyond the last count as the last.
    package func delayWithin(
        at bridge: BridgeIndex, leadMinutes: Double, queues: Bool
    ) -> DelayDistribution {
        let row = row(bridge, queues: queues)
        let upper = leadsMinutes.partitioningIndex { $0 > leadMinutes }
        guard upper > 0 else { return delays[row] }
        guard upper < leadsMinutes.count else { return delays[row + upper - 1] }
        let low = leadsMinutes[upper - 1]
        let high = leadsMinutes[upper]
        return delays[row + upper - 1].mixed(
            with: delays[row + upper], weight: (leadMinutes - low) / (high - low))
    }

    package func delay(
        at bridge: BridgeIndex, leadIndex: Int, queues: Bool
    ) -> DelayDistribution { delays[row(bridge, queues: queues) + leadIndex] }

    private func row(_ bridge: BridgeIndex, queues: Bool) -> Int {
        ((kind(queues) ?? 0) * BridgeCatalogue.count + bridge.rawValue) * leadsMinutes.count
    }

    private func kind(_ queues: Bool) -> Int? { queues ? queueingKind : otherKind }
}

/// The history of a bridge, independent of its present state.
public struct BridgeHistory: Sendable, Hashable, Codable {
    /// Openings a day, on days like that of the table's first lead.
    public var openingsPerDay: Double
    /// Days of records of the bridge.
    public var coveredDays: Double
    /// Days of records of the season that has the larger share of the table's first lead.
    public var coveredDaysOfSeason: Double

    /// No records.
    public static let none = BridgeHistory(openingsPerDay: 0, coveredDays: 0)

    /// Creates a history.
    ///
    /// - Parameter coveredDaysOfSeason: nil for all days.
    public init(
        openingsPerDay: Double, coveredDays: Double, coveredDaysOfSeason: Double? = nil
    ) {
        self.openingsPerDay = openingsPerDay
        self.coveredDays = coveredDays
        self.coveredDaysOfSeason = coveredDaysOfSeason ?? coveredDays
    }
}

/// Why a table cannot be made, or cannot answer.
public enum ForecastTableError: Failure, Equatable {
    /// The leads do not increase from 0, or go too far.
    case leads
    /// There is no mode of travel.
    case noMode
    /// A table and a situation of different issue times.
    case otherMoment(table: Timestamp, situation: Timestamp)
    /// A bridge's openings a day or days of records are negative, too large or not a number.
    case history(BridgeIndex)
    /// The forecasts are not for this mode.
    case unknownMode(Route.Mode, known: Set<Route.Mode>)
    /// A lead that is not a number.
    case notANumber
    /// A time `minutes` before the issue time.
    case beforeIssueTime(minutes: Double, Timestamp)
    /// A time `minutes` after the issue time is before the first lead.
    case beforeFirstLead(minutes: Double, first: Double)
    /// A time `minutes` after the issue time is after the last lead.
    case tooShort(minutes: Double, reach: Double)

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .leads:
            "the leads of a table must increase, between 0 and \(Int(ForecastTable.maxLeadMinutes)) minutes"
        case .noMode: "a table needs at least one mode of travel"
        case .otherMoment(let table, let situation):
            "the table is of \(TimeText.rfc3339(table)), the situation of \(TimeText.rfc3339(situation)): hand in the one "
                + "that the table was made from"
        case .history(let bridge):
            "the history of \(bridge): openings a day and days of records must be 0 or more"
        case .unknownMode(let mode, let known):
            "the forecasts are for \(known.map(\.rawValue).sorted().joined(separator: ", ")), not for "
                + "\(mode.rawValue): ask for a table with that mode"
        case .notANumber: "a lead is not a number"
        case .beforeIssueTime(let minutes, let issueTime):
            "the time is \(Self.text(minutes)) min before the issue time, "
                + "\(TimeText.rfc3339(issueTime)): forecasts start there"
        case .beforeFirstLead(let minutes, let first):
            "the forecasts begin \(Self.text(first)) minutes after their issue time, but minute "
                + "\(Self.text(minutes)) is needed: ask for a table for that departure"
        case .tooShort(let minutes, let reach):
            "the forecasts reach \(Self.text(reach)) minutes after their issue time, but "
                + "\(Self.text(minutes)) are needed: ask for a longer table"
        }
    }

    private static func text(_ minutes: Double) -> String {
        minutes.magnitude < 1e9 ? "\((minutes * 100).rounded() / 100)" : "\(minutes)"
    }
}
