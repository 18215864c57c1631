// The reminders of many people with their packed candidates: every change of a bridge gives all of them new times.
public import BridgecastCore
public import BridgecastEngine
public import BridgecastRouting

/// Keeps the candidates of reminders in memory, and finds when to leave for each with every new forecast.
///
/// It searches no roads: make candidates with ``ReminderCandidates/init(_:for:deadline:trip:by:pace:in:using:)`` once
/// for each deadline. Twenty thousand reminders take some milliseconds (`bridgecast bench --parts reminders`).
public actor ReminderBoard {
    private var candidates: [ReminderCandidates] = []
    /// Positions in ``candidates`` by the reminder's id.
    private var positions: [String: Int] = [:]
    private var crossings: Set<ReminderCandidates.Crossing> = []
    private var latestDeadline = Timestamp.earliest

    /// Creates an empty board.
    public init() {}

    /// How many reminders there are.
    public var count: Int { candidates.count }

    /// Keeps the candidates of a reminder, replacing those it had.
    public func set(_ new: ReminderCandidates) {
        if let position = positions[new.reminder] {
            candidates[position] = new
        } else {
            positions[new.reminder] = candidates.count
            candidates.append(new)
        }
        crossings.formUnion(new.crossings)
        latestDeadline = max(latestDeadline, new.deadline)
    }

    /// Forgets a reminder.
    public func remove(_ reminder: String) {
        guard let position = positions.removeValue(forKey: reminder) else { return }
        let last = candidates.removeLast()
        if position < candidates.count {
            candidates[position] = last
            positions[last.reminder] = position
        }
    }

    /// When to leave for each reminder, by a new forecast.
    ///
    /// Those whose deadline has passed, or is beyond the table's reach, are left out.
    /// - Parameter forecasts: For the modes of all reminders.
    /// - Complexity: O(reminders), a fraction of a microsecond for each, and O(bridges x minutes).
    public func leaveBys(with forecasts: ForecastTable) -> [LeaveBy] {
        let last = forecasts.issueTime.adding(minutes: forecasts.reachMinutes)
        let curves = DelayCurves(
            forecasts, of: crossings, from: forecasts.issueTime, to: min(latestDeadline, last))
        var leaveBys: [LeaveBy] = []
        leaveBys.reserveCapacity(candidates.count)
        for candidate in candidates
        where candidate.deadline >= forecasts.issueTime && candidate.deadline <= last {
            leaveBys.append(candidate.leaveBy(curves))
        }
        return leaveBys
    }
}

extension ReminderCandidates {
    /// The maximum number of ways that are kept.
    static let maxRoutes = 8

    /// Finds the candidates of a trip for a deadline: one search of the roads.
    ///
    /// - Parameters:
    ///   - trip: Of the reminder's favourite, by the planner's roads.
    ///   - pace: What was learned of the favourite before the situation's issue time.
    ///   - situation: What is known now; beyond an hour ahead it counts for nothing.
    /// - Throws: ``RankingError``, also if the deadline cannot be met by any way from the issue time on.
    public init(
        for reminder: Reminder, deadline: Timestamp, trip: Trip, by planner: RoutePlanner,
        pace: LearnedPace, in situation: Situation, using inference: TrafficInference,
        model: LoadedModel? = nil
    ) async throws(RankingError) {
        let quickest = try planner.quickestMinutes(trip, leaving: deadline)
        let departure = max(situation.issueTime, deadline.adding(minutes: -1.25 * quickest))
        var wider = planner
        wider.maxRoutes = Self.maxRoutes
        let found = try await inference.rank(
            trip, by: wider, leaving: departure, in: situation, model: model)
        try self.init(
            found.ranking.map { pace.adjusting($0.route) }, for: reminder, deadline: deadline)
    }
}
