// What rows about the same bridge in the same situation have in common, whatever the lead; made by EarlierRows.
import Foundation

/// A bridge in a situation: nothing here comes from after the issue time.
final class BridgeContext: Sendable {
    let bridge: BridgeIndex
    let rules: NavigationRules
    let issue: IssueContext
    /// What is known of the bridge itself.
    let own: BridgeSituation
    /// How long the span has been up, minutes; nil if it is not known to be up.
    ///
    /// Where the start is not known, the age that openings have on average stands in.
    let raisedMinutes: Double?
    /// When its last opening that is over ended.
    let lastClosing: Timestamp?
    /// P(blocked) at issue time by climatology, as log-odds.
    let usualLogit: Float
    /// ln(1 + openings a day), at most 3, on weekdays and on weekends.
    let dayRates: (weekday: Float, weekend: Float)
    /// Shares of its blocked time with a remaining delay in bins 1 to 11, by climatology.
    let binShares: InlineArray<11, Float>
    /// Its newest openings, and those of the other bridges of its waterway.
    let openings: NewestOpenings
    let neighbours: [NeighbourContext]
    /// P(blocked) of all bridges by climatology, [bridge, day type, slot of a day].
    private let openProbability: BridgeDayTable<Float>

    init(_ bridge: BridgeIndex, in issue: IssueContext) {
        self.bridge = bridge
        rules = BridgeCatalogue[bridge].rules
        self.issue = issue
        let own = issue.situation[bridge]
        self.own = own
        if case .raised(let since) = own.state {
            raisedMinutes = since.map { issue.issueTime.minutes(since: $0) } ?? 3
        } else {
            raisedMinutes = nil
        }
        lastClosing = own.recent.lazy.compactMap(\.end).first
        usualLogit = logit(issue.climatology.openProbability(of: bridge, at: issue.civil))
        let perDay = issue.climatology.openingsPerDay
        dayRates = (
            min(3, log1p(perDay[bridge, .weekday])), min(3, log1p(perDay[bridge, .weekend]))
        )
        binShares = issue.climatology.shares(of: bridge)
        openings = NewestOpenings(own.recent)
        openProbability = issue.climatology.openProbability
        // Of bridges that nothing is known of every value is zero, as if they were not there.
        neighbours =
            issue.isBlank(around: bridge)
            ? [] : NeighbourContext.all(of: bridge, own, in: issue.situation)
    }

    /// P(blocked) at a moment by climatology; that of ``Climatology`` without asking for all its tables.
    func usual(at moment: MomentContext) -> Float {
        let slot = moment.validCivil.secondOfDay * openProbability.columns / 86_400
        return openProbability[bridge, moment.dayType, slot]
    }
}
