// Forecasts as JSON, with reasons or explained by the parts that moved them: `/forecast` and `/explain`.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastSupport

package struct ForecastDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    /// The forecasts, in the order asked for.
    package let forecasts: [BridgeForecast]

    package init(_ forecasts: [BridgeForecast], _ envelope: Envelope) {
        self.forecasts = forecasts
        self.envelope = envelope
    }

    /// Bytes that the document may take, roughly; enough to make room for.
    package var estimatedBytes: Int {
        forecasts.reduce(1_024) { $0 + ($1.reasons == nil ? 400 : 1_200) }
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.list("forecasts", forecasts)
    }
}

package struct BridgeForecast: Sendable {
    package let bridge: BridgeIndex
    /// The arrival.
    package let validTime: Timestamp
    package let leadMinutes: Double
    package let delay: DelayDistribution
    package let climatologicalProbability: Double
    package let confidence: Confidence
    package let basis: ForecastBasis
    /// Why it is what it is, as JSON; nil where that is not asked for.
    package private(set) var reasons: ReasonList?

    /// A forecast without reasons.
    ///
    /// - Parameter density: The degree of saturation that it was made for.
    package init(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Double, _ delay: DelayDistribution,
        in situation: Situation, climatology: Climatology
    ) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.delay = delay
        validTime = situation.issueTime.adding(minutes: leadMinutes)
        climatologicalProbability = climatology.climatologicalProbabilityDelayed(
            at: bridge, arrival: validTime, density: density, in: situation)
        confidence = Confidence(
            bridge, leadMinutes: leadMinutes, in: situation, climatology)
        basis = ForecastBasis(bridge, leadMinutes: leadMinutes, in: situation)
    }

    package func with(reasons: ReasonList) -> BridgeForecast {
        var result = self
        result.reasons = reasons
        return result
    }
}

extension BridgeForecast: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.fields(of: bridge)
        json.field("valid_time", validTime)
        json.field("lead_time_s", leadMinutes * 60, decimals: 1)
        json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
        json.field("climatology_probability_stopped", climatologicalProbability, decimals: 5)
        json.field(delay, meanSeconds: delay.expectedSeconds)
        json.field("confidence", confidence.rawValue)
        json.field("basis", basis.rawValue)
        guard let reasons else { return }
        json.field("expected_delay_if_stopped_s", delay.expectedSecondsIfDelayed, decimals: 1)
        json.list("delay_quantiles_s", delay.quantilesSeconds, decimals: 1)
        json.list("delay_bins", delay.probabilities, decimals: 5)
        json.field("reasons", json: reasons.json)
    }
}

/// The reasons for a forecast, as a list in JSON on one line.
package struct ReasonList: Sendable {
    let json: [UInt8]

    package init(_ reasons: [Reason]) {
        var writer = JSONWriter()
        writer.value(listing: reasons) { $1.write(to: &$0) }
        json = writer.bytes
    }
}

package struct ExplanationDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    package let bridge: BridgeIndex
    /// The arrival.
    package let validTime: Timestamp
    package let leadMinutes: Double
    package let basis: ForecastBasis
    package let explanation: ForecastExplanation
    /// Where the forecast is nearly certain: that the span is up and how long it may stay so; nil otherwise.
    package let certainty: String?
    /// A sentence on each bridge that moved it; nil for other causes.
    private let knowledge: [String?]

    /// At this probability, that the span is up explains more than parts do.
    private static let certain = 0.9

    /// A document of an explanation.
    ///
    /// - Parameter density: The degree of saturation that it was made for.
    package init(
        _ explanation: ForecastExplanation, of bridge: BridgeIndex, leadMinutes: Double,
        density: Double, in situation: Situation, climatology: Climatology, envelope: Envelope
    ) {
        self.explanation = explanation
        self.envelope = envelope
        self.bridge = bridge
        self.leadMinutes = leadMinutes
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

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.fields(of: bridge)
        json.field("valid_time", validTime)
        json.field("lead_time_s", leadMinutes * 60, decimals: 1)
        json.field("climatology_probability_stopped", explanation.climatology, decimals: 5)
        json.field("probability_stopped", explanation.probability, decimals: 5)
        json.field("basis", basis.rawValue)
        json.field("certainty", certainty)
        json.list("parts", objects: zip(explanation.parts, knowledge)) { json, element in
            json.field("cause", element.0.cause.name)
            json.field("evidence", element.1)
            json.field("log_odds", element.0.logOdds, decimals: 4)
        }
    }
}

extension ForecastExplanation.Cause {
    /// `time`, or the bridge's name.
    fileprivate var name: String {
        switch self {
        case .time: "time"
        case .bridge(let bridge): BridgeCatalogue[bridge].name
        }
    }
}
