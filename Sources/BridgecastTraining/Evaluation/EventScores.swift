// Scores of probability forecasts of an event: log loss, Brier and its parts, reliability, AUC.
private import Foundation

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
