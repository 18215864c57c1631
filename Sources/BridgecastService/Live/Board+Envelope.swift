// What answers made of a board begin with, and its view of the bridges; used by handlers.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastObservation

extension Board {
    /// What an answer begins with that is made of this board.
    ///
    /// - Parameters:
    ///   - now: When the answer is made; a document that all share is made with the board.
    ///   - validAt: What it is about; the issue time unless something else is said.
    func envelope(
        at now: Timestamp? = nil, about validAt: Timestamp? = nil
    ) -> Envelope {
        let validAt = validAt ?? issueTime
        let isFar = validAt.minutes(since: issueTime) > FeatureBuilder.longestLeadMinutes
        let far =
            isFar
            ? ["it is more than an hour ahead: what the bridges do now says nothing about it"] : []
        return Envelope(
            generatedAt: now ?? madeAt, issueTime: issueTime, validAt: validAt,
            model: model.header,
            sources: sources(at: now ?? madeAt),
            warnings: (past?.warnings ?? phase.warnings) + far)
    }

    /// How the feeds, or the records of the past, stand at a moment, as anybody may read it.
    func sources(at now: Timestamp) -> [SourceStatus] {
        if let past { return [past.source] }
        return feeds.map { SourceStatus($0, at: now, isPublic: true) }
    }

    /// All bridges at the issue time.
    var view: BridgeView {
        BridgeView(
            situation, update.table, traffic: traffic, climatology: model.climatology)
    }
}
