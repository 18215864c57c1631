// One bridge's outlook as JSON: what `bridge --format json` and `GET /bridges/{id}` answer.
private import BridgecastCore

/// The JSON of a bridge's outlook.
package struct BridgeOutlookDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: Envelope
    /// The bridge.
    package let outlook: BridgeOutlook

    /// A document of an outlook.
    package init(_ outlook: BridgeOutlook, _ envelope: Envelope) {
        (self.outlook, self.envelope) = (outlook, envelope)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            outlook.summary.writeFacts(into: &json)
            json.field("openings_per_day_usual", outlook.usualOpeningsPerDay, decimals: 2)
            if let vessel = outlook.vessel {
                json.field("vessel_height_ft", vessel.heightFeet, decimals: 1)
                json.field("vessel_needs_opening", vessel.needsOpening)
                json.field("vessel_answer", vessel.words)
            }
            json.list("closed_windows_today", outlook.closedToday) { $0.value($1) }
            json.list("closed_windows_week", outlook.closedWeek) { json, day in
                json.object { json in
                    json.field("date", "\(day.date)")
                    json.list("windows", day.periods) { $0.value($1) }
                }
            }
            json.list("outlook", outlook.summary.outlook)
        }
    }
}
