// A drawbridge that a bus still has to cross, as JSON; part of departures, trips and vehicles.
internal import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// A drawbridge on the way, for documents.
package struct BridgeEntry: Sendable {
    /// What is known of it.
    package let bridge: BridgeAhead
    /// The moment of the document.
    package let now: Timestamp

    /// A lowered bridge that delays by three minutes or more is worth planning for.
    package static let longDelaySeconds = 180.0

    /// An entry of a bridge.
    package init(_ bridge: BridgeAhead, at now: Timestamp) {
        (self.bridge, self.now) = (bridge, now)
    }

    /// What it may do, in words.
    package var text: String { bridge.text(at: now) }

    /// Writes it as an object.
    ///
    /// - Parameter tellsWhy: Whether the reasons of its forecast stand in it, which are longer than all else.
    func write(to json: inout JSONWriter, _ clock: inout MomentText, tellsWhy: Bool = true) {
        json.object { json in
            writeFields(into: &json, &clock)
            if tellsWhy { json.list("reasons", bridge.reasons) }
        }
    }

    /// Writes its fields into an object that is open, without reasons.
    func writeFields(into json: inout JSONWriter, _ clock: inout MomentText) {
        let facts = BridgeCatalogue[bridge.bridge]
        json.field("bridge", facts.name)
        json.field("bridge_id", facts.id.rawValue)
        json.fields("eta", "eta_epoch_s", bridge.arrival, &clock)
        json.field("eta_from", bridge.evidence.rawValue)
        json.field("waits_now", bridge.waitsNow)
        json.fields("raised_since", "raised_since_epoch_s", bridge.raisedSince, &clock)
        json.field("probability_stopped", bridge.delay?.probabilityDelayed, decimals: 5)
        json.field(
            "probability_over_3min",
            bridge.delay.map { 1 - $0.cumulative(atSeconds: Self.longDelaySeconds) },
            decimals: 5)
        if let delay = bridge.delay {
            json.object("delay_s") { json in
                json.field("mean", delay.expectedSeconds, decimals: 1)
                json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
                json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
                json.field("p90", delay.quantileSeconds(0.9), decimals: 1)
            }
        } else {
            json.null("delay_s")
        }
        json.field("text", text)
    }
}

extension JSONWriter {
    /// Writes a field that tells what all bridges before a stop may add to the arrival there, or null.
    mutating func field(_ name: StaticString, _ outlook: BridgeOutlookAtStop?) {
        guard let outlook else { return null(name) }
        object(name) { json in
            json.field("mean_s", outlook.meanSeconds, decimals: 1)
            json.field("p50_s", outlook.p50Seconds, decimals: 1)
            json.field("p80_s", outlook.p80Seconds, decimals: 1)
            json.field("p90_s", outlook.p90Seconds, decimals: 1)
            json.field("probability_stopped", outlook.probabilityDelayed, decimals: 5)
            json.field("probability_over_3min", outlook.probabilityOver3Minutes, decimals: 5)
        }
    }
}
