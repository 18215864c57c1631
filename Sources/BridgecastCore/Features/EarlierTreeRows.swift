// What the rows of trees so far have in common with the next one; who asks FeatureBuilder for such rows keeps it.

/// The bridges that rows have asked about in the newest situation.
package struct EarlierTreeRows {
    private var identity: SituationIdentity?
    private var issue: IssueContext?
    private var bridges: [BridgeContext?] = []

    /// Begins without rows.
    package init() {}

    /// A bridge in a situation, made once for as long as rows ask about that situation.
    mutating func known(
        _ bridge: BridgeIndex, in situation: Situation, _ climatology: Climatology
    ) -> BridgeContext {
        let identity = SituationIdentity(situation, climatology)
        let issue: IssueContext
        if self.identity == identity, let known = self.issue {
            issue = known
        } else {
            issue = IssueContext(situation, climatology)
            self.identity = identity
            self.issue = issue
            bridges = Array(repeating: nil, count: BridgeCatalogue.count)
        }
        if let known = bridges[bridge.rawValue] { return known }
        let known = BridgeContext(bridge, in: issue)
        bridges[bridge.rawValue] = known
        return known
    }
}
