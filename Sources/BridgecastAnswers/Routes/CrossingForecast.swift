// The forecast at a crossing of a ranked route, and why it differs from climatology: a sentence where a span is up,
// otherwise factors of the odds.
package import BridgecastCore
internal import BridgecastEngine
internal import BridgecastRouting
package import BridgecastSupport
private import Foundation

package struct CrossingForecast: Sendable {
    package let crossing: CrossingScore
    package let leadMinutes: Double
    /// The climatological probability of a delay, 0...1.
    package let climatologicalProbability: Double
    package let confidence: Confidence
    package let basis: ForecastBasis
    package let reasons: [Reason]
    /// What moved it away from climatology; nil where that is not asked for.
    package let explanation: CrossingExplanation?

    /// The forecast at a crossing for a mode of travel.
    ///
    /// - Throws: ``RankingError/forecast(_:)`` if it cannot be explained.
    init(
        _ crossing: CrossingScore, by mode: Route.Mode, in context: ForecastContext, explains: Bool
    ) throws(RankingError) {
        let bridge = crossing.bridge
        let arrival = crossing.arrival
        self.crossing = crossing
        leadMinutes = arrival.minutes(since: context.issueTime)
        climatologicalProbability = context.climatologicalProbability(
            of: bridge, at: arrival, by: mode)
        confidence = context.confidence(bridge, arrival)
        basis = context.basis(bridge, arrival)
        reasons = context.reasons.reasons(
            for: bridge, arrival: arrival,
            forecast: ClimatologyComparison(
                chance: crossing.probabilityDelayed, climatology: climatologicalProbability),
            climatology: climatologicalProbability)
        explanation = explains ? try CrossingExplanation(crossing, by: mode, in: context) : nil
    }
}

extension CrossingForecast: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        let delay = crossing.delay
        json.fields(of: crossing.bridge)
        json.field("eta", crossing.arrival)
        json.field("lead_time_s", leadMinutes * 60, decimals: 0)
        json.field("probability_stopped", crossing.probabilityDelayed, decimals: 5)
        json.field("climatology_probability_stopped", climatologicalProbability, decimals: 5)
        json.field(delay, meanSeconds: crossing.expectedDelayMinutes * 60)
        json.list("delay_quantiles_s", delay.quantilesSeconds, decimals: 1)
        json.list("delay_bins", delay.probabilities, decimals: 5)
        json.field("confidence", confidence.rawValue)
        json.field("basis", basis.rawValue)
        json.list("reasons", reasons)
        if let explanation { json.field("explanation", explanation) }
    }
}

extension JSONWriter {
    /// Writes the field `delay_s`: the mean and three quantiles of a delay, seconds.
    mutating func field(_ delay: DelayDistribution, meanSeconds: Double) {
        object("delay_s") { json in
            json.field("mean", meanSeconds, decimals: 1)
            json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
            json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
            json.field("p95", delay.quantileSeconds(0.95), decimals: 1)
        }
    }
}

/// From the climatological probability of a delay at a crossing to the forecast's.
package struct CrossingExplanation: Sendable, JSONObjectAnswer {
    package struct Part: Sendable {
        /// The cause: a bridge's name, `time and rules` or `arrival`.
        package let name: String
        package let text: String
        /// Added to the log-odds of a delay.
        package let logOdds: Double
    }

    /// P(delay) by climatology alone.
    package let climatology: Double
    /// P(delay) of the forecast, over all likely arrivals.
    package let probability: Double
    /// That the span is up and for how long still, where that decides the forecast; then there are no parts.
    package let certainty: String?
    /// The factors, largest first; their log-odds add up from climatology to the forecast.
    package let parts: [Part]

    /// Where a span is up and the probability is at least this, a sentence is clearer than a factor of hundreds.
    private static let certain = 0.9

    /// - Throws: ``RankingError/forecast(_:)``.
    init(
        _ crossing: CrossingScore, by mode: Route.Mode, in context: ForecastContext
    ) throws(RankingError) {
        let lead = max(0, crossing.leadMinutes)
        let density =
            mode.queues ? context.traffic.density(of: crossing.bridge, at: crossing.arrival) : 0
        let atMean = try Self.explanationAtMean(
            of: crossing.bridge, leadMinutes: lead, density: density, in: context)
        climatology = atMean.climatology
        probability = crossing.probabilityDelayed
        if atMean.probability >= Self.certain,
            let text = context.reasons.certainty(
                of: crossing.bridge, leadMinutes: lead, density: density)
        {
            certainty = text
            parts = []
            return
        }
        certainty = nil
        let known = atMean.parts.map { Part($0, context.reasons) }
        // The parts lead to the probability at the mean arrival; the vehicle may arrive earlier or later.
        let spread = Part(
            name: "arrival", text: "earlier or later than \(TimeText.clock(crossing.arrival))",
            logOdds: Self.logOdds(probability) - Self.logOdds(atMean.probability))
        parts = (known + [spread]).sorted { abs($0.logOdds) > abs($1.logOdds) }
    }

    /// The explanation of the forecast for the mean arrival.
    private static func explanationAtMean(
        of bridge: BridgeIndex, leadMinutes: Double, density: Double, in context: ForecastContext
    ) throws(RankingError) -> ForecastExplanation {
        var workspace = Workspace()
        do throws(InferenceError) {
            return try context.model.explanation(
                of: bridge, leadMinutes: leadMinutes, density: Float(density),
                in: context.situation, workspace: &workspace)
        } catch { throw .forecast(error) }
    }

    private static func logOdds(_ probability: Double) -> Double {
        let inside = min(max(probability, 1e-9), 1 - 1e-9)
        return log(inside) - log1p(-inside)
    }

    package func writeFields(into json: inout JSONWriter) {
        json.field("climatology_probability_stopped", climatology, decimals: 5)
        json.field("probability_stopped", probability, decimals: 5)
        json.field("certainty", certainty)
        json.list("parts", objects: parts) { json, part in
            json.field("cause", part.name)
            json.field("evidence", part.text)
            json.field("log_odds", part.logOdds, decimals: 5)
        }
    }
}

extension CrossingExplanation.Part {
    fileprivate init(_ part: ForecastExplanation.Part, _ reasons: ForecastReason) {
        logOdds = part.logOdds
        switch part.cause {
        case .time:
            name = "time and rules"
            text = "beyond the usual for the hour"
        case .bridge(let bridge):
            name = BridgeCatalogue[bridge].name
            text = reasons.knowledge(of: bridge)
        }
    }
}
