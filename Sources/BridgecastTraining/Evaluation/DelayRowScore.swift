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
    /// P(delay < that of an arrival in the middle of the minute).
    let probabilityLess: Float
    /// P(delay <= that of an arrival in the middle of the minute): the same but where it is zero.
    let probabilityAtMost: Float
    /// P(no delay).
    let probabilityNone: Float

    /// Scores a forecast.
    ///
    /// Records of whole minutes and arrivals at whole minutes make delays of whole minutes, which all lie at the end
    /// of their minute: of delays spread over it as a forecast spreads them, too few would seem to lie below a
    /// quantile. So quantiles are asked in the middle of the minute.
    ///
    /// - Parameters:
    ///   - delaySeconds: The delay that happened.
    ///   - midMinuteSeconds: The delay of an arrival half a minute later; nil where delays are not of whole minutes.
    init(
        _ forecast: DelayDistribution, delaySeconds: Double, midMinuteSeconds: Double? = nil
    ) {
        let mid = midMinuteSeconds ?? delaySeconds
        rankedProbability = Float(DelayScores.rankedProbabilityScore(forecast, delaySeconds))
        let pinball = DelayScores.quantiles.map { level -> Float in
            let error = delaySeconds - forecast.quantileSeconds(level)
            return Float(max(level * error, (level - 1) * error))
        }
        pinballSeconds = (pinball[0], pinball[1], pinball[2])
        absoluteErrorSeconds = Float(abs(forecast.expectedSeconds - delaySeconds))
        probabilityNone = Float(forecast[0])
        probabilityLess = mid > 0 ? Float(forecast.cumulative(atSeconds: mid)) : 0
        probabilityAtMost = Float(forecast.cumulative(atSeconds: mid))
    }
}
