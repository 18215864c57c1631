// How often and how long a bridge opened by weekday and hour; the answer of `/bridges/{id}/pattern`.
package import BridgecastCore

/// A bridge's openings over the week.
package struct PatternDocument: Sendable, JSONAnswer {
    /// What the answer begins with.
    package let envelope: Envelope
    /// The bridge.
    package let bridge: BridgeIndex
    /// What was counted.
    package let pattern: OpeningPattern

    /// A document of a count; it warns where there are no records.
    package init(_ bridge: BridgeIndex, _ pattern: OpeningPattern, _ envelope: Envelope) {
        (self.bridge, self.pattern) = (bridge, pattern)
        var envelope = envelope
        if pattern.interval == nil {
            envelope.warnings.append(
                "no records of this bridge, which does not mean no openings")
        }
        self.envelope = envelope
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.field("bridge", BridgeCatalogue[bridge].name)
            json.field("bridge_id", BridgeCatalogue[bridge].id.rawValue)
            json.field("from", pattern.interval?.lowerBound)
            json.field("to", pattern.interval?.upperBound)
            json.field("covered_days", Double(pattern.coveredSeconds) / 86_400, decimals: 2)
            json.field("openings", pattern.openings)
            json.field("median_duration_s", pattern.medianSeconds, decimals: 1)
            json.list("hours", pattern.hours) { write($1, to: &$0) }
        }
    }

    private func write(_ hour: OpeningPattern.Hour, to json: inout JSONWriter) {
        json.object { json in
            json.field("weekday", hour.weekday.rawValue + 1)
            json.field("hour", hour.hour)
            json.field("covered_h", Double(hour.coveredSeconds) / 3600, decimals: 4)
            json.field("openings", hour.openings)
            json.field("openings_per_h", hour.openingsPerHour, decimals: 5)
            json.field("median_duration_s", hour.medianSeconds, decimals: 1)
            json.field("raised_share", hour.raisedShare, decimals: 5)
        }
    }
}
