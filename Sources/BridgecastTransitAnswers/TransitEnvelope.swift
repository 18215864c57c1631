// What every transit answer begins with: when it was made, what it is about, how old what is known is.
// Belongs here: transit answers as values that know their JSON, the same for a command and the service; not: how they are asked for.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// The first fields of every transit document: those of ``Envelope``, by the timetable's clock.
package struct TransitEnvelope: Sendable {
    /// When the document was made.
    package var generatedAt: Timestamp
    /// When the forecasts of bridges in it were made; nil if it has none.
    package var issueTime: Timestamp?
    /// The moment that the numbers are about.
    package var validAt: Timestamp
    /// The model that forecast; nil if nothing was forecast.
    package var model: String?
    /// The number format of its weights; nil if nothing was forecast.
    package var weightFormat: String?
    /// The timetable, the realtime feeds, and what the bridges' forecasts were made of.
    package var sources: [SourceStatus]
    /// For people: what is missing.
    package var warnings: [String]
    /// The clock that its moments are written by.
    package let zone: TransitZone

    /// Realtime feeds that said nothing for longer are stale, seconds: boards are not to be trusted then.
    package static let staleAfterSeconds = 300.0

    /// An envelope of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: What is answered from.
    ///   - generatedAt: When the document is made.
    ///   - validAt: What it is about; the snapshot's moment unless something else is said.
    ///   - agesAt: The moment at which sources have their ages; when the document is made unless another is shown.
    ///   - bridges: That of the forecasts, whose sources and warnings are taken over; nil where no bridge is spoken of.
    package init(
        _ snapshot: TransitSnapshot, generatedAt: Timestamp, validAt: Timestamp? = nil,
        agesAt: Timestamp? = nil, bridges: Envelope? = nil, warnings: [String] = []
    ) {
        (self.generatedAt, self.validAt) = (generatedAt, validAt ?? snapshot.asOf)
        (issueTime, model) = (bridges?.issueTime, bridges?.model)
        weightFormat = bridges?.weightFormatName
        zone = snapshot.feed.zone
        sources =
            snapshot.sources.map { SourceStatus($0, at: agesAt ?? generatedAt) }
            + (bridges?.sources ?? [])
        self.warnings = warnings + snapshot.feedWarnings + (bridges?.warnings ?? [])
    }

    /// Writes its fields into an object that is open.
    func write(into json: inout JSONWriter, _ clock: inout MomentText) {
        json.field("generated_at", generatedAt, &clock)
        json.field("issue_time", issueTime, &clock)
        json.field("valid_at", validAt, &clock)
        json.field("model", model)
        json.field("weight_format", weightFormat)
        json.list("sources", sources)
        json.list("warnings", warnings)
    }
}

extension SourceStatus {
    /// A realtime feed as it stands at a moment: its age is that of what it says, by its own clock where it has one.
    package init(_ feed: RealtimeStatus, at now: Timestamp) {
        let said = feed.feedTimestamp.map { min($0, now) } ?? feed.fetchedAt
        let age = said.map { Double(now.secondsSinceEpoch - $0.secondsSinceEpoch) }
        self.init(
            id: feed.id, fetchedAt: feed.fetchedAt, ageSeconds: age,
            isStale: age.map { $0 > TransitEnvelope.staleAfterSeconds } ?? true,
            problem: feed.problem)
    }
}
