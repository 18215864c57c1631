// Scores of forecasts of the delay: ranked probability score, pinball loss, coverage of quantiles.
package import BridgecastCore

/// Mean scores of forecasts of the delay.
package struct DelayScores: Sendable, Codable, Equatable {
    /// Ranked probability score over the delay bins: sum of squared errors of the cumulated bins.
    package let rankedProbabilityScore: Double
    /// Mean pinball loss in seconds, by quantile: "0.5", "0.8", "0.95".
    package let pinballSeconds: [String: Double]
    /// Mean absolute error of the expected delay, seconds.
    package let meanAbsoluteErrorSeconds: Double
    /// Share of outcomes below each quantile of the forecast.
    ///
    /// An outcome of no delay may be anywhere in the probability that the forecast gives to none. It
    /// counts by the part of that below the quantile (the mean of the randomised probability integral
    /// transform), so that a calibrated forecast gets the level itself.
    package let coverage: [String: Double]
    /// Share of the delays that are below each quantile of the delay given one; nil without delays.
    ///
    /// It scores the length of delays apart from whether there is one. Both shares are of arrivals in the middle of a
    /// minute (``DelayRowScore``).
    package let coverageIfDelayed: [String: Double]?

    /// The quantiles that are scored.
    package static let quantiles = [0.5, 0.8, 0.95]

    /// - Precondition: There are rows.
    init(_ rows: [DelayRowScore]) {
        precondition(!rows.isEmpty, "a score needs a row")
        func mean(_ value: (DelayRowScore) -> Double) -> Double {
            rows.reduce(0) { $0 + value($1) } / Double(rows.count)
        }
        rankedProbabilityScore = mean { Double($0.rankedProbability) }
        meanAbsoluteErrorSeconds = mean { Double($0.absoluteErrorSeconds) }
        pinballSeconds = Self.byLevel { level in
            mean { row in
                let (low, middle, high) = row.pinballSeconds
                return Double(level == 0.5 ? low : level == 0.8 ? middle : high)
            }
        }
        coverage = Self.byLevel { level in
            mean { row in
                let low = Double(row.probabilityLess)
                let high = Double(row.probabilityAtMost)
                return high > low
                    ? min(max((level - low) / (high - low), 0), 1) : low < level ? 1 : 0
            }
        }
        let delayed = rows.filter { $0.probabilityLess > 0 }
        coverageIfDelayed =
            delayed.isEmpty
            ? nil
            : Self.byLevel { level in
                let below = delayed.count { row in
                    let none = Double(row.probabilityNone)
                    return Double(row.probabilityLess) - none <= level * (1 - none)
                }
                return Double(below) / Double(delayed.count)
            }
    }

    /// The ranked probability score of one forecast.
    package static func rankedProbabilityScore(
        _ forecast: DelayDistribution, _ delaySeconds: Double
    ) -> Double {
        let happened = DelayBins.bin(ofSeconds: delaySeconds)
        var cumulative = 0.0
        var score = 0.0
        for bin in 0..<DelayBins.count - 1 {
            cumulative += forecast[bin]
            let error = cumulative - (happened <= bin ? 1 : 0)
            score += error * error
        }
        return score
    }

    private static func byLevel(_ value: (Double) -> Double) -> [String: Double] {
        Dictionary(uniqueKeysWithValues: quantiles.map { ("\($0)", value($0)) })
    }
}

/// Scores of one forecast of the delay.
package struct DelayRowScore: Sendable {
    /// Sum over the bins of squared errors of the cumulated probability.
    let rankedProbability: Float
    /// Pinball loss of each of ``DelayScores/quantiles``, seconds.
    let pinballSeconds: (Float, Float, Float)
    /// Absolute error of the expected delay, seconds.
    let absoluteErrorSeconds: Float
    /// P(delay < that of an arrival in the middle of the minute).
    let probabilityLess: Float
    /// P(delay <= that of an arrival in the middle of the minute): the same except for a delay of 0.
    let probabilityAtMost: Float
    /// P(no delay).
    let probabilityNone: Float
    /// Whether there was a delay.
    let isDelayed: Bool

    /// Scores a forecast.
    ///
    /// Records of whole minutes and arrivals at whole minutes make delays of whole minutes, which are all at the end of
    /// their minute, while a forecast spreads them over it: too few would be below a quantile. So quantiles are
    /// compared with the delay in the middle of the minute.
    ///
    /// - Parameters:
    ///   - delaySeconds: The delay that happened.
    ///   - midMinuteSeconds: The delay of an arrival half a minute later; nil where delays are not of whole minutes.
    init(_ forecast: DelayDistribution, delaySeconds: Double, midMinuteSeconds: Double? = nil) {
        let mid = midMinuteSeconds ?? delaySeconds
        rankedProbability = Float(DelayScores.rankedProbabilityScore(forecast, delaySeconds))
        let pinball = DelayScores.quantiles.map { level -> Float in
            let error = delaySeconds - forecast.quantileSeconds(level)
            return Float(max(level * error, (level - 1) * error))
        }
        pinballSeconds = (pinball[0], pinball[1], pinball[2])
        absoluteErrorSeconds = Float(abs(forecast.expectedSeconds - delaySeconds))
        probabilityNone = Float(forecast[0])
        isDelayed = delaySeconds > 0
        probabilityLess = mid > 0 ? Float(forecast.cumulative(atSeconds: mid)) : 0
        probabilityAtMost = Float(forecast.cumulative(atSeconds: mid))
    }
}

/// The traffic for which a delay is forecast and scored.
package enum DelayTraffic: String, Sendable, CaseIterable, Codable {
    /// The degree of saturation of the bridge's profile at the arrival.
    case profile
    /// No queue: a bicycle that filters to the front.
    case rho0 = "0"
    case rho30 = "0.3"
    case rho60 = "0.6"
    case rho85 = "0.85"

    /// The degree of saturation, given the profile's.
    func density(profile: Double) -> Double { self == .profile ? profile : Double(rawValue) ?? 0 }
}
