// Scores of probability forecasts of an event: log loss, Brier score and its parts, calibration, AUC.
private import BridgecastCore
private import Foundation

/// Scores of forecasts of a yes-or-no event.
package struct EventScores: Sendable, Codable, Equatable {
    /// Mean of -log of the probability given to what happened.
    package let logLoss: Double
    /// Mean squared error of the probability.
    package let brier: Double
    /// Reliability term of Murphy's decomposition of the Brier score, over ten equal-count bins; 0 is best.
    package let reliability: Double
    /// Resolution term; more is better.
    package let resolution: Double
    /// Uncertainty term: the event's variance.
    package let uncertainty: Double
    /// Expected calibration error: mean distance of forecast and frequency over the ten bins.
    package let calibrationError: Double
    /// Area under the ROC curve; nil if the event always or never happened.
    package let auc: Double?

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
        ProbabilityScore.logLoss(Double(forecast), happened)
    }

    /// Squared error of a probability.
    package static func squaredError(_ forecast: Float, _ happened: Bool) -> Double {
        ProbabilityScore.squaredError(Double(forecast), happened)
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
        let minRankSum = Double(positives) * Double(positives + 1) / 2
        return (rankSum - minRankSum) / (Double(positives) * Double(negatives))
    }
}

/// One bin of a reliability diagram.
package struct ReliabilityBin: Sendable, Codable, Equatable {
    package let rows: Int
    /// Mean forecast probability.
    package let meanForecast: Double
    /// Share of rows in which the event happened.
    package let frequency: Double
}

// MARK: - Scores with intervals

/// Forecasts and outcomes of a group of rows, by increasing forecast, with the day of each.
struct DayRows {
    /// Number of civil days.
    let days: Int
    let forecasts: [Float]
    let happened: [Bool]
    /// Of each row, 0 ..< ``days``.
    let dayIndices: [Int]

    init(_ rows: ScoredRows, _ group: [Int]) {
        let model = rows.probabilities[.model] ?? []
        let order = group.sorted { (model[$0], $0) < (model[$1], $1) }
        let numbers = Set(group.map { rows.days[$0] }).sorted()
        let indices = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
        days = numbers.count
        forecasts = order.map { model[$0] }
        happened = order.map { rows.happened[$0] }
        dayIndices = order.map { indices[rows.days[$0]] ?? 0 }
    }

    /// Expected calibration error, 0...1, with the bins of ``EventScores/reliabilityBins(_:_:)`` for all resamples.
    func calibrationError() -> Estimate { binError { _ in 1 } }

    /// The same as a share of the mean forecast, 0 and more: rare and common events become comparable.
    func relativeCalibrationError() -> Estimate { binError { Double(forecasts[$0]) } }

    /// The sum of |forecast - frequency| of ten bins over the sum of the rows' weights.
    private func binError(_ weight: (Int) -> Double) -> Estimate {
        let bins = 10
        var weights = [Double](repeating: 0, count: days)
        // Sum of forecasts less outcomes, by bin and day.
        var excess = [[Double]](repeating: weights, count: bins)
        for bin in 0..<bins {
            for row in bin * forecasts.count / bins..<(bin + 1) * forecasts.count / bins {
                excess[bin][dayIndices[row]] += Double(forecasts[row]) - (happened[row] ? 1 : 0)
                weights[dayIndices[row]] += weight(row)
            }
        }
        return DayBlockBootstrap.estimate(days: days) { drawn in
            let whole = drawn.reduce(0) { $0 + weights[$1] }
            let error = excess.reduce(0) { sum, bin in sum + abs(drawn.reduce(0) { $0 + bin[$1] }) }
            return whole > 0 ? error / whole : 0
        }
    }

    /// Area under the ROC curve, from counts of rightly ordered pairs by pair of days.
    func auc() -> Estimate? {
        var raised = [Double](repeating: 0, count: days)
        var lowered = raised
        // [day of the raised][day of the lowered]: pairs in which the raised one got the higher forecast, ties half.
        var pairs = [[Double]](repeating: raised, count: days)
        var start = 0
        while start < forecasts.count {
            let end = forecasts[start...].firstIndex { $0 != forecasts[start] } ?? forecasts.count
            var tied = [Double](repeating: 0, count: days)
            for row in start..<end where !happened[row] { tied[dayIndices[row]] += 1 }
            for row in start..<end where happened[row] {
                let day = dayIndices[row]
                raised[day] += 1
                for other in 0..<days { pairs[day][other] += lowered[other] + tied[other] / 2 }
            }
            for day in 0..<days { lowered[day] += tied[day] }
            start = end
        }
        guard raised.contains(where: { $0 > 0 }), lowered.contains(where: { $0 > 0 }) else {
            return nil
        }
        return DayBlockBootstrap.estimate(days: days) { drawn in
            var draws = [Double](repeating: 0, count: days)
            for day in drawn { draws[day] += 1 }
            func total(_ counts: [Double]) -> Double {
                zip(draws, counts).reduce(0) { $0 + $1.0 * $1.1 }
            }
            let all = total(raised) * total(lowered)
            // Days without any event count as chance.
            return all > 0 ? total(pairs.map(total)) / all : 0.5
        }
    }

    private static let maxSteps = 50

    /// The slope of the logistic regression of outcomes on the log-odds of the forecasts.
    ///
    /// 1 is best; below it forecasts are overconfident, above it underconfident. For the interval each resample takes
    /// one Newton step from the slope of all days.
    ///
    /// - Returns: nil if the event always or never happened, or the forecasts do not differ.
    func calibrationSlope() -> Estimate? {
        guard happened.contains(true), happened.contains(false), forecasts.first != forecasts.last
        else { return nil }
        let logits = forecasts.map { forecast in
            let bounded = ProbabilityScore.bounded(Double(forecast))
            return log(bounded / (1 - bounded))
        }
        var line = (intercept: 0.0, slope: 1.0)
        for _ in 0..<Self.maxSteps {
            let terms = dayTerms(logits, line).reduce(NewtonTerms(), +)
            guard let step = terms.step else { return nil }
            line = (line.intercept + step.intercept, line.slope + step.slope)
            if abs(step.intercept) + abs(step.slope) < 1e-9 { break }
        }
        guard line.slope.isFinite else { return nil }
        let terms = dayTerms(logits, line)
        return DayBlockBootstrap.estimate(days: days) { drawn in
            let sum = drawn.reduce(NewtonTerms()) { $0 + terms[$1] }
            return line.slope + (sum.step?.slope ?? 0)
        }
    }

    private func dayTerms(
        _ logits: [Double], _ line: (intercept: Double, slope: Double)
    ) -> [NewtonTerms] {
        var terms = [NewtonTerms](repeating: NewtonTerms(), count: days)
        for (row, logit) in logits.enumerated() {
            let chance = 1 / (1 + exp(-(line.intercept + line.slope * logit)))
            let residual = (happened[row] ? 1 : 0) - chance
            let weight = chance * (1 - chance)
            let day = dayIndices[row]
            terms[day].gradient += SIMD2(residual, residual * logit)
            terms[day].curvature += SIMD3(weight, weight * logit, weight * logit * logit)
        }
        return terms
    }
}

/// Gradient and curvature of the log-likelihood of a line through the log-odds.
private struct NewtonTerms {
    var gradient = SIMD2<Double>.zero
    /// By intercept and intercept, intercept and slope, slope and slope.
    var curvature = SIMD3<Double>.zero

    /// The step to the maximum; nil if the curvature is singular.
    var step: (intercept: Double, slope: Double)? {
        let determinant = curvature.x * curvature.z - curvature.y * curvature.y
        guard determinant > 1e-12 * curvature.x * curvature.z else { return nil }
        return (
            (curvature.z * gradient.x - curvature.y * gradient.y) / determinant,
            (curvature.x * gradient.y - curvature.y * gradient.x) / determinant
        )
    }

    static func + (lhs: NewtonTerms, rhs: NewtonTerms) -> NewtonTerms {
        NewtonTerms(gradient: lhs.gradient + rhs.gradient, curvature: lhs.curvature + rhs.curvature)
    }
}
