// A crossing of a ranked route, as JSON; part of RankedRouteDocument.
internal import BridgecastCore
internal import BridgecastEngine

/// A crossing with its forecast.
struct CrossingDocument: JSONAnswer {
    private let crossing: CrossingScore
    private let mode: Route.Mode
    private let prediction: Prediction
    private let explanation: CrossingExplanation?

    init(
        _ crossing: CrossingScore, _ mode: Route.Mode, _ prediction: Prediction,
        _ explanation: CrossingExplanation?
    ) {
        (self.crossing, self.mode, self.prediction) = (crossing, mode, prediction)
        self.explanation = explanation
    }

    func write(to json: inout JSONWriter) {
        let context = prediction.context
        let (bridge, arrival, delay) = (crossing.bridge, crossing.arrival, crossing.delay)
        json.object { json in
            json.field("bridge", BridgeCatalogue[bridge].name)
            json.field("bridge_id", BridgeCatalogue[bridge].id.rawValue)
            json.field("eta", arrival)
            json.field(
                "lead_time_s", arrival.minutes(since: context.issueTime) * 60, decimals: 0)
            json.field("probability_stopped", crossing.probabilityDelayed, decimals: 5)
            json.field(
                "usual_probability_stopped", context.usualProbability(bridge, arrival, mode),
                decimals: 5)
            json.object("delay_s") { json in
                json.field("mean", crossing.expectedDelayMinutes * 60, decimals: 1)
                json.field("p50", delay.quantileSeconds(0.5), decimals: 1)
                json.field("p80", delay.quantileSeconds(0.8), decimals: 1)
                json.field("p95", delay.quantileSeconds(0.95), decimals: 1)
            }
            json.list("delay_quantiles_s", delay.quantilesSeconds, decimals: 1)
            json.list("delay_bins", delay.probabilities, decimals: 5)
            json.field("confidence", prediction.confidence(crossing).rawValue)
            json.field("basis", context.basis(bridge, arrival).rawValue)
            json.list("reasons", prediction.reasons(crossing, mode))
            if let explanation { json.field("explanation", explanation) }
        }
    }
}
