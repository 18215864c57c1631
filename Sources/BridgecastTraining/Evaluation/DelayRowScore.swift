// How one row's distribution of the delay scored.
import BridgecastCore

/// How one forecast of the delay did.
package struct DelayRowScore: Sendable {
    /// Sum over the bins of squared errors of the cumulated probability.
    let rankedProbability: Float
    /// Pinball loss of each of ``DelayScores/quantiles``, seconds.
    let pinballSeconds: (Float, Float, Float)
    /// Absolute error of the expected delay, seconds.
    let absoluteErrorSeconds: Float
    /// P(delay < what happened).
    let probabilityLess: Float
    /// P(delay <= what happened): the same but where a delay of zero happened.
    let probabilityAtMost: Float
    /// P(no delay).
    let probabilityNone: Float

    init(_ forecast: DelayDistribution, delaySeconds: Double) {
        rankedProbability = Float(DelayScores.rankedProbabilityScore(forecast, delaySeconds))
        let pinball = DelayScores.quantiles.map { level -> Float in
            let error = delaySeconds - forecast.quantileSeconds(level)
            return Float(max(level * error, (level - 1) * error))
        }
        pinballSeconds = (pinball[0], pinball[1], pinball[2])
        absoluteErrorSeconds = Float(abs(forecast.expectedSeconds - delaySeconds))
        probabilityNone = Float(forecast[0])
        probabilityLess = delaySeconds > 0 ? Float(forecast.cumulative(atSeconds: delaySeconds)) : 0
        probabilityAtMost = Float(forecast.cumulative(atSeconds: delaySeconds))
    }
}
