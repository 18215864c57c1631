// Why a route's crossing has the chance that is shown: words where a span is up, else factors of the odds.
package import BridgecastCore
package import BridgecastEngine
private import Foundation

/// From the usual chance of a delay at a crossing to the forecast's.
package struct CrossingExplanation: Sendable, JSONAnswer {
    /// A factor of the odds.
    package struct Part: Sendable {
        /// What it stands for.
        package let name: String
        /// What is known.
        package let words: String
        /// What it adds to the log-odds of a delay.
        package let logOdds: Double
    }

    /// P(delay) by climatology alone.
    package let climatology: Double
    /// P(delay) as it is shown, over all arrivals that are likely.
    package let probability: Double
    /// That the span is up and for how long yet, where that settles it; then there are no parts.
    package let certainty: String?
    /// The factors, the weightiest first; their log-odds add up from the usual chance to the forecast's.
    package let parts: [Part]

    /// Where a span is up and the chance is at least this, a factor of hundreds would say less than words.
    private static let certain = 0.9

    /// - Parameters:
    ///   - atMean: The explanation of the forecast for the mean arrival.
    ///   - density: The degree of saturation that it was made for.
    package init(
        _ crossing: CrossingScore, _ atMean: ForecastExplanation, density: Double,
        _ reasons: ForecastReason
    ) {
        climatology = atMean.climatology
        probability = crossing.probabilityDelayed
        if atMean.probability >= Self.certain,
            let words = reasons.certainty(
                of: crossing.bridge, leadMinutes: max(0, crossing.leadMinutes), density: density)
        {
            (certainty, parts) = (words, [])
            return
        }
        certainty = nil
        let known = atMean.parts.map { part in
            switch part.cause {
            case .time:
                Part(
                    name: "time and rules", words: "beyond the usual for the hour",
                    logOdds: part.logOdds)
            case .bridge(let bridge):
                Part(
                    name: BridgeCatalogue[bridge].name, words: reasons.knowledge(of: bridge),
                    logOdds: part.logOdds)
            }
        }
        // The parts lead to the chance at the mean arrival; one may be there earlier or later.
        let spread = Part(
            name: "arrival", words: "earlier or later than \(TimeText.clock(crossing.arrival))",
            logOdds: Self.logOdds(probability) - Self.logOdds(atMean.probability))
        parts = (known + [spread]).sorted { abs($0.logOdds) > abs($1.logOdds) }
    }

    private static func logOdds(_ probability: Double) -> Double {
        let inside = min(max(probability, 1e-9), 1 - 1e-9)
        return log(inside) - log1p(-inside)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("usual_probability_stopped", climatology, decimals: 5)
            json.field("probability_stopped", probability, decimals: 5)
            json.field("certainty", certainty)
            json.list("parts", parts) { json, part in
                json.object { json in
                    json.field("cause", part.name)
                    json.field("knowledge", part.words)
                    json.field("log_odds", part.logOdds, decimals: 5)
                }
            }
        }
    }
}
