// A stop's board now and at some moments to come, as JSON: what `GET /stops/{id}/board/timeline` answers.
// A widget shows each entry from its date on, and its countdowns are right although nothing is fetched meanwhile.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// The boards of a stop at moments to come.
package struct StopTimelineDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The boards, the earliest first; all of one stop.
    package let entries: [StopBoardDocument]
    /// Until when the last entry may be shown.
    package let validUntil: Timestamp

    /// A document of boards of one stop.
    ///
    /// - Parameters:
    ///   - boards: At least one, from the earliest moment to the latest.
    ///   - validUntil: Until when the last one may be shown.
    package init(
        _ boards: [StopBoard], validUntil: Timestamp, _ snapshot: TransitSnapshot,
        _ envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        (self.envelope, self.validUntil) = (envelope, validUntil)
        entries = boards.map { StopBoardDocument($0, snapshot, envelope, bridges: bridges) }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                if let stop = entries.first?.stop {
                    json.object("stop") { stop.writeFields(into: &$0) }
                }
                json.field("valid_until", validUntil, &clock)
                json.list("alerts", entries.first?.alerts ?? []) { $1.write(to: &$0, &clock) }
                json.list("entries", entries.indices) { json, place in
                    json.object { json in
                        let entry = entries[place]
                        let end =
                            place + 1 < entries.count ? entries[place + 1].board.asOf : validUntil
                        json.fields("date", "date_epoch_s", entry.board.asOf, &clock)
                        json.field("valid_until", end, &clock)
                        json.field("no_service", entry.board.noService)
                        json.list("departures", entry.departures) {
                            $1.write(to: &$0, &clock, tellsWhy: false)
                        }
                    }
                }
            }
        }
    }
}
