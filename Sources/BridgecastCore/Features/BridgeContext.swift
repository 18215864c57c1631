// What rows about the same bridge in the same situation have in common, whatever the lead; made by FeatureBuilder.

/// A situation and the climatology it is seen with.
final class IssueContext: Sendable {
    let situation: Situation
    let climatology: Climatology
    let civil: CivilDateTime
    let dayType: DayType

    init(_ situation: Situation, _ climatology: Climatology) {
        self.situation = situation
        self.climatology = climatology
        civil = SeattleTime.civil(at: situation.issueTime)
        dayType = DayType(civil.date)
    }

    var issueTime: Timestamp { situation.issueTime }
}

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
    /// The other bridges of its waterway.
    let neighbours: [NeighbourContext]

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
        neighbours = NeighbourContext.all(of: bridge, own, in: issue.situation)
    }
}
