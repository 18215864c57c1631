// The slope of calibration: whether forecasts differ as much as what happens; for the table by confidence.
private import Foundation

extension DayRows {
    private static let leastProbability = 1e-7
    private static let mostSteps = 50

    /// The slope of the logistic regression of what happened on the log odds of the forecasts.
    ///
    /// 1 is best; below it forecasts are too extreme, above it too timid. For the interval each draw of days takes one
    /// Newton step from the slope of all days.
    /// - Returns: nil if the event always or never happened, or the forecasts do not differ.
    func calibrationSlope() -> Estimate? {
        guard blocked.contains(true), blocked.contains(false), forecasts.first != forecasts.last
        else { return nil }
        let logits = forecasts.map { forecast in
            let bounded = min(
                max(Double(forecast), Self.leastProbability), 1 - Self.leastProbability)
            return log(bounded / (1 - bounded))
        }
        var line = (intercept: 0.0, slope: 1.0)
        for _ in 0..<Self.mostSteps {
            let terms = dayTerms(logits, line).reduce(NewtonTerms(), +)
            guard let step = terms.step else { return nil }
            line = (line.intercept + step.intercept, line.slope + step.slope)
            if abs(step.intercept) + abs(step.slope) < 1e-9 { break }
        }
        guard line.slope.isFinite else { return nil }
        let terms = dayTerms(logits, line)
        return DayBlockBootstrap.estimate(days) { drawn in
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
            let (left, weight) = ((blocked[row] ? 1 : 0) - chance, chance * (1 - chance))
            let day = dayIndices[row]
            terms[day].gradient += SIMD2(left, left * logit)
            terms[day].curvature += SIMD3(weight, weight * logit, weight * logit * logit)
        }
        return terms
    }
}

/// Gradient and curvature of the log-likelihood of a line through the log odds.
private struct NewtonTerms {
    var gradient = SIMD2<Double>.zero
    /// By intercept twice, by both, by slope twice.
    var curvature = SIMD3<Double>.zero

    /// The step to the maximum; nil if the curvature does not tell.
    var step: (intercept: Double, slope: Double)? {
        let determinant = curvature.x * curvature.z - curvature.y * curvature.y
        guard determinant > 1e-12 * curvature.x * curvature.z else { return nil }
        return (
            (curvature.z * gradient.x - curvature.y * gradient.y) / determinant,
            (curvature.x * gradient.y - curvature.y * gradient.x) / determinant
        )
    }

    static func + (lhs: NewtonTerms, rhs: NewtonTerms) -> NewtonTerms {
        NewtonTerms(
            gradient: lhs.gradient + rhs.gradient, curvature: lhs.curvature + rhs.curvature)
    }
}
