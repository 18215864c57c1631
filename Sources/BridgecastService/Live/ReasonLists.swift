// Reasons of forecasts, worded once for each bridge and minute of a board; part of a board.
internal import BridgecastAnswers
internal import BridgecastCore
private import Synchronization

/// The reasons that have been asked for.
final class ReasonLists: Sendable {
    /// By bridge, minute of the lead and how the forecast stands to the usual.
    private let lists = Mutex<[ReasonList?]>(
        Array(
            repeating: nil,
            count: BridgeCatalogue.count * minutesKept * UsualComparison.allCases.count))
    /// Reasons of arrivals farther ahead are worded each time.
    private static let minutesKept = 128

    /// Begins without reasons.
    init() {}

    /// The reasons for the forecast at a bridge, for the whole minute nearest to a lead.
    ///
    /// - Parameter forecast: How the forecast at the lead itself stands to the usual.
    func list(
        _ bridge: BridgeIndex, leadMinutes: Double, forecast: UsualComparison,
        in situation: Situation, _ climatology: Climatology
    ) -> ReasonList {
        let minute = Int(leadMinutes.rounded())
        let place =
            (bridge.rawValue * Self.minutesKept + minute) * UsualComparison.allCases.count
            + forecast.rawValue
        let isKept = minute < Self.minutesKept
        if isKept, let list = lists.withLock({ $0[place] }) { return list }
        let reasons = ForecastReason(situation: situation, climatology: climatology).reasons(
            for: bridge, arrival: situation.issueTime.adding(minutes: Double(minute)),
            forecast: forecast)
        let list = ReasonList(reasons)
        if isKept { lists.withLock { $0[place] = list } }
        return list
    }
}
