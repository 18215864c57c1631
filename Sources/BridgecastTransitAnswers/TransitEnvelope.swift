package import BridgecastAnswers
package import BridgecastCore
internal import BridgecastSupport
package import BridgecastTransit

/// The first fields of every transit document: an ``Envelope``, by the timetable's clock.
///
/// Its model is nil where no bridge was forecast; its sources are the timetable, the realtime feeds, and what the
/// forecasts were made from.
package struct TransitEnvelope: Sendable {
    private var fields: Envelope
    package let zone: TransitZone

    package var sources: [SourceStatus] {
        get { fields.sources }
        set { fields.sources = newValue }
    }
    package var validAt: Timestamp { fields.validAt }

    /// An envelope of a snapshot.
    ///
    /// - Parameters:
    ///   - validAt: By default the snapshot's time.
    ///   - agesAt: The time from which the ages of sources are counted; by default `generatedAt`.
    ///   - bridges: The envelope of the forecasts, whose sources and warnings are added; nil without bridges.
    package init(
        _ snapshot: TransitSnapshot, generatedAt: Timestamp, validAt: Timestamp? = nil,
        agesAt: Timestamp? = nil, bridges: Envelope? = nil, warnings: [String] = []
    ) {
        zone = snapshot.feed.zone
        fields = Envelope(
            generatedAt: generatedAt, issueTime: bridges?.issueTime,
            validAt: validAt ?? snapshot.asOf, model: bridges?.model,
            weightFormat: bridges?.weightFormat,
            sources: snapshot.sources.map { SourceStatus($0, at: agesAt ?? generatedAt) }
                + (bridges?.sources ?? []), known: bridges?.known,
            warnings: warnings + snapshot.feedWarnings + (bridges?.warnings ?? []))
    }

    func write(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        fields.write(into: &json) { $0.field($1, $2, &clock) }
        json.field("time_zone", zone.identifier)
    }

    /// Writes a document: its fields, and an object `data`.
    func writeDocument(
        to json: inout JSONWriter, data: (inout JSONWriter, inout ZonedTimeText) -> Void
    ) {
        var clock = ZonedTimeText(zone)
        json.object { json in
            write(into: &json, &clock)
            json.object("data") { data(&$0, &clock) }
        }
    }
}

extension SourceStatus {
    /// A realtime feed's status at a time; its age is that of its contents, by its own timestamp where it has one.
    package init(_ feed: RealtimeStatus, at now: Timestamp) {
        let time = feed.feedTimestamp.map { min($0, now) } ?? feed.fetchedAt
        let age = time.map { Double(now.secondsSinceEpoch - $0.secondsSinceEpoch) }
        self.init(
            id: feed.id, fetchedAt: feed.fetchedAt, ageSeconds: age,
            isStale: age.map { $0 > Double(TransitPhase.staleAfterSeconds) } ?? true,
            problem: feed.problem)
    }
}
