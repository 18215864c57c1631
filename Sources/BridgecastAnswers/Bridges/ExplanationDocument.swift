// Why a forecast differs from what is usual, as JSON: what `GET /explain` answers.
package import BridgecastCore
package import BridgecastEngine

/// The explanation of one forecast.
package struct ExplanationDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: Envelope
    /// The bridge.
    package let bridge: BridgeIndex
    /// The arrival.
    package let validTime: Timestamp
    /// From the issue time to the arrival.
    package let leadMinutes: Double
    /// What the forecast rests on.
    package let basis: ForecastBasis
    /// What moved it.
    package let explanation: ForecastExplanation
    /// Where the forecast is nearly certain: that the span is up and how long it may stay so; nil otherwise.
    package let certainty: String?
    /// What is known of each bridge that moved it, in words.
    private let knowledge: [String?]

    /// From this chance of a delay on a span that is up tells more than parts do.
    private static let certain = 0.9

    /// A document of an explanation.
    ///
    /// - Parameter density: The degree of saturation that it was made for.
    package init(
        _ explanation: ForecastExplanation, of bridge: BridgeIndex, leadMinutes: Double,
        density: Double, in situation: Situation, _ climatology: Climatology, _ envelope: Envelope
    ) {
        (self.explanation, self.envelope) = (explanation, envelope)
        (self.bridge, self.leadMinutes) = (bridge, leadMinutes)
        validTime = situation.issueTime.adding(minutes: leadMinutes)
        basis = ForecastBasis(bridge, leadMinutes: leadMinutes, in: situation)
        let reasons = ForecastReason(situation: situation, climatology: climatology)
        certainty =
            explanation.probability >= Self.certain
            ? reasons.certainty(of: bridge, leadMinutes: leadMinutes, density: density) : nil
        knowledge = explanation.parts.map { part in
            if case .bridge(let other) = part.cause { reasons.knowledge(of: other) } else { nil }
        }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.field("bridge", BridgeCatalogue[bridge].name)
            json.field("bridge_id", BridgeCatalogue[bridge].id.rawValue)
            json.field("valid_time", validTime)
            json.field("lead_time_s", leadMinutes * 60, decimals: 1)
            json.field("usual_probability_stopped", explanation.climatology, decimals: 5)
            json.field("probability_stopped", explanation.probability, decimals: 5)
            json.field("basis", basis.rawValue)
            json.field("certainty", certainty)
            json.list("parts", zip(explanation.parts, knowledge)) { json, element in
                json.object { json in
                    json.field("cause", element.0.cause.word)
                    json.field("knowledge", element.1)
                    json.field("log_odds", element.0.logOdds, decimals: 4)
                }
            }
        }
    }
}

extension ForecastExplanation.Cause {
    /// `time`, or the bridge's name.
    fileprivate var word: String {
        switch self {
        case .time: "time"
        case .bridge(let bridge): BridgeCatalogue[bridge].name
        }
    }
}
