// The forecast for one arrival at one bridge, with all that is said of it; part of ForecastDocument.
package import BridgecastCore

/// A forecast as an answer has it.
package struct BridgeForecast: Sendable {
    /// The bridge.
    package let bridge: BridgeIndex
    /// The arrival.
    package let validTime: Timestamp
    /// From the issue time to the arrival.
    package let leadMinutes: Double
    /// The delay.
    package let delay: DelayDistribution
    /// The usual chance of being stopped, from history alone.
    package let usualProbability: Double
    /// How far to trust it.
    package let confidence: Confidence
    /// What it rests on.
    package let basis: ForecastBasis
    /// Why it is what it is, as JSON; nil where that is not asked for.
    package private(set) var reasons: ReasonList?

    /// Puts together what is said of a forecast, without reasons.
    ///
    /// - Parameter density: The degree of saturation that it was made for.
    package init(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Double, _ delay: DelayDistribution,
        in situation: Situation, _ climatology: Climatology
    ) {
        (self.bridge, self.leadMinutes, self.delay) = (bridge, leadMinutes, delay)
        validTime = situation.issueTime.adding(minutes: leadMinutes)
        usualProbability = climatology.usualProbabilityDelayed(
            at: bridge, arrival: validTime, density: density, in: situation)
        confidence = Confidence(
            bridge, leadMinutes: leadMinutes, in: situation,
            coveredDays: Double(climatology.coveredDays[bridge.rawValue]))
        basis = ForecastBasis(bridge, leadMinutes: leadMinutes, in: situation)
    }

    /// The same with the reasons for it.
    package func with(reasons: ReasonList) -> BridgeForecast {
        var result = self
        result.reasons = reasons
        return result
    }
}

extension BridgeForecast: JSONAnswer {
    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            let facts = BridgeCatalogue[bridge]
            json.field("bridge", facts.name)
            json.field("bridge_id", facts.id.rawValue)
            json.field("valid_time", validTime)
            json.field("lead_time_s", leadMinutes * 60, decimals: 1)
            json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
            json.field("usual_probability_stopped", usualProbability, decimals: 5)
            json.object("delay_s") { json in
                json.field("mean", delay.expectedSeconds, decimals: 1)
                json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
                json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
                json.field("p95", delay.quantileSeconds(0.95), decimals: 1)
            }
            json.field("confidence", confidence.rawValue)
            json.field("basis", basis.rawValue)
            guard let reasons else { return }
            json.field("expected_delay_if_stopped_s", delay.expectedSecondsIfDelayed, decimals: 1)
            json.list("delay_quantiles_s", delay.quantilesSeconds, decimals: 1)
            json.list("delay_bins", delay.probabilities, decimals: 5)
            json.field("reasons", json: reasons.json)
        }
    }
}
