// Scores of probability forecasts: log loss, Brier and its parts, reliability, AUC, RPS, pinball.
package import BridgecastCore
private import Foundation

/// One bin of a reliability diagram.
package struct ReliabilityBin: Sendable, Codable, Equatable {
    /// Rows in the bin.
    package let rows: Int
    /// Mean forecast probability.
    package let meanForecast: Double
    /// Share of rows in which the event happened.
    package let frequency: Double
}

/// Scores of forecasts of a yes-or-no event.
package struct EventScores: Sendable, Codable, Equatable {
    /// Mean of -log of the probability given to what happened.
    package let logLoss: Double
    /// Mean squared error of the probability.
    package let brier: Double
    /// Murphy's reliability term of the Brier score over ten equal-count bins; 0 is best.
    package let reliability: Double
    /// Murphy's resolution term; more is better.
    package let resolution: Double
    /// Murphy's uncertainty term: the event's own variance.
    package let uncertainty: Double
    /// Expected calibration error: mean distance of forecast and frequency over the ten bins.
    package let calibrationError: Double
    /// Area under the ROC curve; nil if the event always or never happened.
    package let auc: Double?

    /// Forecasts are kept this far from 0 and 1.
    private static let leastProbability = 1e-7

    /// Scores forecasts against outcomes of the same rows.
    package init(_ forecasts: [Float], _ outcomes: [Bool]) {
        precondition(forecasts.count == outcomes.count && !forecasts.isEmpty)
        let count = Double(forecasts.count)
        var logSum = 0.0
        var squareSum = 0.0
        for (forecast, happened) in zip(forecasts, outcomes) {
            logSum += Self.logLoss(forecast, happened)
            squareSum += Self.squaredError(forecast, happened)
        }
        logLoss = logSum / count
        brier = squareSum / count
        let bins = Self.reliabilityBins(forecasts, outcomes)
        let rate = Double(outcomes.count { $0 }) / count
        func mean(_ term: (ReliabilityBin) -> Double) -> Double {
            bins.reduce(0) { $0 + Double($1.rows) * term($1) } / count
        }
        reliability = mean { pow($0.meanForecast - $0.frequency, 2) }
        resolution = mean { pow($0.frequency - rate, 2) }
        uncertainty = rate * (1 - rate)
        calibrationError = mean { abs($0.meanForecast - $0.frequency) }
        auc = Self.auc(forecasts, outcomes)
    }

    /// -log of the probability given to what happened.
    package static func logLoss(_ forecast: Float, _ happened: Bool) -> Double {
        let bounded = min(max(Double(forecast), leastProbability), 1 - leastProbability)
        return -log(happened ? bounded : 1 - bounded)
    }

    /// Squared error of a probability.
    package static func squaredError(_ forecast: Float, _ happened: Bool) -> Double {
        pow(Double(forecast) - (happened ? 1 : 0), 2)
    }

    /// Ten bins of equally many rows in order of forecast.
    package static func reliabilityBins(
        _ forecasts: [Float], _ outcomes: [Bool]
    ) -> [ReliabilityBin] {
        let order = forecasts.indices.sorted { (forecasts[$0], $0) < (forecasts[$1], $1) }
        return (0..<10).compactMap { bin in
            let rows = order[bin * order.count / 10..<(bin + 1) * order.count / 10]
            guard !rows.isEmpty else { return nil }
            let count = Double(rows.count)
            return ReliabilityBin(
                rows: rows.count,
                meanForecast: rows.reduce(0) { $0 + Double(forecasts[$1]) } / count,
                frequency: Double(rows.count { outcomes[$0] }) / count)
        }
    }

    /// Probability that a row with the event got a higher forecast than one without; ties half.
    package static func auc(_ forecasts: [Float], _ outcomes: [Bool]) -> Double? {
        let order = forecasts.indices.sorted { forecasts[$0] < forecasts[$1] }
        let positives = outcomes.count { $0 }
        let negatives = outcomes.count - positives
        guard positives > 0, negatives > 0 else { return nil }
        var rankSum = 0.0
        var start = 0
        while start < order.count {
            var end = start
            while end < order.count, forecasts[order[end]] == forecasts[order[start]] { end += 1 }
            let meanRank = Double(start + end + 1) / 2
            rankSum += meanRank * Double(order[start..<end].count { outcomes[$0] })
            start = end
        }
        let least = Double(positives) * Double(positives + 1) / 2
        return (rankSum - least) / (Double(positives) * Double(negatives))
    }
}

/// Scores of forecasts of the delay.
package struct DelayScores: Sendable, Codable, Equatable {
    /// Ranked probability score over the delay bins: sum of squared errors of the cumulated bins.
    package let rankedProbabilityScore: Double
    /// Mean pinball loss in seconds, by quantile: "0.5", "0.8", "0.95".
    package let pinballSeconds: [String: Double]
    /// Mean absolute error of the expected delay, seconds.
    package let meanAbsoluteErrorSeconds: Double

    /// The quantiles that are scored.
    package static let quantiles = [0.5, 0.8, 0.95]

    /// Scores distributions against delays in seconds of the same rows.
    package init(_ forecasts: [DelayDistribution], _ delays: [Float]) {
        precondition(forecasts.count == delays.count && !forecasts.isEmpty)
        let count = Double(forecasts.count)
        var rps = 0.0
        var pinball = [Double](repeating: 0, count: Self.quantiles.count)
        var absolute = 0.0
        for (forecast, delay) in zip(forecasts, delays) {
            rps += Self.rankedProbabilityScore(forecast, Double(delay))
            absolute += abs(forecast.expectedSeconds - Double(delay))
            for (index, level) in Self.quantiles.enumerated() {
                let error = Double(delay) - forecast.quantileSeconds(level)
                pinball[index] += max(level * error, (level - 1) * error)
            }
        }
        rankedProbabilityScore = rps / count
        meanAbsoluteErrorSeconds = absolute / count
        pinballSeconds = Dictionary(
            uniqueKeysWithValues: zip(Self.quantiles, pinball).map { ("\($0)", $1 / count) })
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
            score += pow(cumulative - (happened <= bin ? 1 : 0), 2)
        }
        return score
    }
}
