// Scores of forecasts of the delay: ranked probability, pinball, expected delay, coverage of quantiles.
package import BridgecastCore

/// Scores of forecasts of the delay.
package struct DelayScores: Sendable, Codable, Equatable {
    /// Ranked probability score over the delay bins: sum of squared errors of the cumulated bins.
    package let rankedProbabilityScore: Double
    /// Mean pinball loss in seconds, by quantile: "0.5", "0.8", "0.95".
    package let pinballSeconds: [String: Double]
    /// Mean absolute error of the expected delay, seconds.
    package let meanAbsoluteErrorSeconds: Double
    /// Share of outcomes below each quantile of the forecast.
    ///
    /// An outcome of no delay lies anywhere in the probability the forecast gives to none, which is
    /// most of it: it counts by the part of that which is below the quantile (the mean of the
    /// randomised probability integral transform), so that a calibrated forecast gets the level itself.
    package let coverage: [String: Double]
    /// Share of the delays that happened which are below each quantile of the delay given one.
    ///
    /// Whether lengths are right, apart from whether there is a delay. Nil if there was none. Both shares are of
    /// arrivals in the middle of a minute (``DelayRowScore``).
    package let coverageIfDelayed: [String: Double]?

    /// The quantiles that are scored.
    package static let quantiles = [0.5, 0.8, 0.95]

    /// Averages over rows, of which there must be one.
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
                let (low, high) = (Double(row.probabilityLess), Double(row.probabilityAtMost))
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
