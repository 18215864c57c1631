// How the law of lengths is fitted. The law itself is in BridgecastCore/Delays.
package import BridgecastCore
private import Foundation

/// Fits a ``LengthLaw``: a penalised logistic regression on the minutes that openings were up (discrete-time hazard).
package struct LengthFit {
    /// An opening's weight halves with this age before the last one: lengths drift over years.
    private static let halfLifeDays = 1500.0
    /// Precisions of the prior: of the base and its second differences, of the bridges' and of the covariates' effects.
    private static let ridge = (base: 0.02, bend: 0.3, bridge: 3.0, covariate: 4.0)
    private static let maxSteps = 40

    /// One minute of an opening.
    private struct Minute {
        let bridge: BridgeIndex
        let minute: Int
        let isLowered: Bool
        let weight: Double
        let covariates: InlineArray<5, Double>
    }

    /// The law of a history's covered openings with a known start and end; nil without any.
    ///
    /// An opening under way where the records end is left out: its length is unknown. Each opening has the covariates
    /// known at its start. Deterministic; well under a second for 8,000.
    package static func law(of history: OpeningHistory) -> LengthLaw? {
        let openings = BridgeIndex.all.flatMap { bridge in
            let end = history.coverage.periods[bridge.rawValue].last?.upperBound ?? .earliest
            return history.openings[bridge.rawValue].filter {
                $0.minutes ?? 0 > 0 && history.coverage.contains($0.start, of: bridge)
                    && !history.doubtedStarts.contains($0.start, of: bridge)
                    && $0.end ?? .latest < end
            }
        }
        // A law of no effects, to get the covariates with.
        let zeros = Array(repeating: Float(0), count: LengthLaw.coefficientCount)
        guard let last = openings.map(\.start).max(),
            let neutral = LengthLaw(zeros + meanLengths(openings))
        else { return nil }
        let reader = SituationReader(history)
        let minutes = openings.flatMap { opening -> [Minute] in
            let covariates = LengthCovariates(
                opening.bridge, in: reader.situation(at: opening.start), neutral)
            let age = last.minutes(since: opening.start) / 1440
            return Self.minutes(
                of: opening, weight: exp2(-age / halfLifeDays), covariates: covariates)
        }
        let coefficients = fitted(to: minutes)
        return LengthLaw(
            coefficients.map { Float(min(max($0, -30), 30)) }
                + neutral.parameters.suffix(2 * BridgeCatalogue.count))
    }

    private static func minutes(
        of opening: Opening, weight: Double, covariates: LengthCovariates
    ) -> [Minute] {
        guard let length = opening.minutes else { return [] }
        // Lowered in minute k + 1 if the length is in (k, k + 1].
        let lowered = Int(length.rounded(.up)) - 1
        return (0...min(lowered, LengthSurvival.longestMinutes - 1)).map { minute in
            Minute(
                bridge: opening.bridge, minute: minute, isLowered: minute == lowered,
                weight: weight, covariates: covariates.values)
        }
    }

    /// By bridge the mean of ln(minutes), then the share of long openings; both shrunk towards those of all bridges.
    private static func meanLengths(_ openings: [Opening]) -> [Float] {
        func totals(_ openings: [Opening]) -> LengthTotals {
            openings.reduce(into: LengthTotals()) { $0.add(minutes: $1.minutes ?? 0) }
        }
        let all = totals(openings)
        let prior = 10.0
        let own = BridgeIndex.all.map { bridge in totals(openings.filter { $0.bridge == bridge }) }
        func shrunk(_ sum: (LengthTotals) -> Double) -> [Float] {
            own.map {
                Float((sum($0) + prior * sum(all) / Double(all.count)) / (Double($0.count) + prior))
            }
        }
        return shrunk(\.logMinutes) + shrunk { Double($0.longCount) }
    }

    /// Newton's method from a hazard of a fifth, with steps of at most 2.
    private static func fitted(to minutes: [Minute]) -> [Double] {
        let count = LengthLaw.coefficientCount
        let terms = BridgeIndex.all.map { bridge in
            (0..<LengthSurvival.longestMinutes).map { LengthLaw.terms(bridge, minute: $0) }
        }
        let penalty = penalty()
        var coefficients = [Double](repeating: 0, count: count)
        for index in LengthLaw.baseKnots.indices { coefficients[index] = -1.5 }
        for _ in 0..<maxSteps {
            var gradient = [Double](repeating: 0, count: count)
            var curvature = penalty
            for row in 0..<count {
                for column in 0..<count {
                    gradient[row] -= penalty[row * count + column] * coefficients[column]
                }
            }
            for minute in minutes {
                let row = terms[minute.bridge.rawValue][minute.minute] + covariateTerms(minute)
                let logit = row.reduce(0) { $0 + coefficients[$1.index] * $1.weight }
                let hazard = 1 / (1 + exp(-logit))
                let error = minute.weight * ((minute.isLowered ? 1 : 0) - hazard)
                let spread = minute.weight * hazard * (1 - hazard)
                for one in row {
                    gradient[one.index] += error * one.weight
                    for other in row {
                        curvature[one.index * count + other.index] +=
                            spread * one.weight * other.weight
                    }
                }
            }
            let step = PositiveSystem.solve(curvature, gradient)
            for index in 0..<count { coefficients[index] += min(max(step[index], -2), 2) }
            if step.allSatisfy({ abs($0) < 1e-7 }) { break }
        }
        return coefficients
    }

    private static func covariateTerms(_ minute: Minute) -> [(index: Int, weight: Double)] {
        let (early, late) = LengthLaw.covariateIndices
        let share = LengthLaw.earlyWeight(minute: minute.minute)
        return (0..<minute.covariates.count).flatMap { index in
            [
                (early + index, minute.covariates[index] * share),
                (late + index, minute.covariates[index] * (1 - share)),
            ].filter { $0.1 != 0 }
        }
    }

    /// Precisions of the prior, [coefficient, coefficient].
    private static func penalty() -> [Double] {
        let count = LengthLaw.coefficientCount
        var penalty = [Double](repeating: 0, count: count * count)
        let base = LengthLaw.baseKnots.count
        for index in 0..<count {
            penalty[index * count + index] =
                index < base
                ? ridge.base
                : index < LengthLaw.covariateIndices.early ? ridge.bridge : ridge.covariate
        }
        let bend = [1.0, -2, 1]
        for start in 0..<base - 2 {
            for (row, one) in bend.enumerated() {
                for (column, other) in bend.enumerated() {
                    penalty[(start + row) * count + start + column] += ridge.bend * one * other
                }
            }
        }
        return penalty
    }
}

/// Linear equations A x = b with a symmetric, positive definite A.
private enum PositiveSystem {
    /// Solves by Cholesky's decomposition, O(n^3).
    ///
    /// - Precondition: The matrix [n, n] is symmetric and positive definite.
    /// - Parameters:
    ///   - matrix: A, [n, n].
    ///   - right: b, [n].
    static func solve(_ matrix: [Double], _ right: [Double]) -> [Double] {
        let count = right.count
        var lower = matrix
        for row in 0..<count {
            for column in 0...row {
                var sum = matrix[row * count + column]
                for inner in 0..<column {
                    sum -= lower[row * count + inner] * lower[column * count + inner]
                }
                if row == column {
                    precondition(sum > 0, "the matrix is not positive definite")
                    lower[row * count + row] = sum.squareRoot()
                } else {
                    lower[row * count + column] = sum / lower[column * count + column]
                }
            }
        }
        var values = right
        for row in 0..<count {
            for inner in 0..<row { values[row] -= lower[row * count + inner] * values[inner] }
            values[row] /= lower[row * count + row]
        }
        for row in (0..<count).reversed() {
            for inner in row + 1..<count {
                values[row] -= lower[inner * count + row] * values[inner]
            }
            values[row] /= lower[row * count + row]
        }
        return values
    }
}
