// Fits the law of lengths to records: a penalised logistic regression on the minutes that openings were up.
// Belongs here: how long openings last, learned from records; not: the law itself (BridgecastCore/Lengths).
package import BridgecastCore
private import Foundation

/// Fits a ``LengthLaw``.
package struct LengthFit {
    /// Openings this much older weigh half: lengths drift over years.
    private static let halfLifeDays = 1500.0
    /// Precisions of the prior: of the base and its bends, of what a bridge adds, of what is known.
    private static let ridge = (base: 0.02, bend: 0.3, own: 3.0, known: 4.0)
    private static let mostSteps = 40

    /// One minute of an opening.
    private struct Minute {
        let bridge: BridgeIndex
        let minute: Int
        let isLowered: Bool
        let weight: Double
        let known: InlineArray<5, Double>
    }

    /// The law of a history's covered openings with a known end; nil without any.
    ///
    /// One that is under way where the records end is left out: how long it lasted is not known.
    ///
    /// Each opening is seen with what was known when it began. Deterministic; well under a second for 8,000.
    package static func law(of history: OpeningHistory) -> LengthLaw? {
        let openings = BridgeIndex.all.flatMap { bridge in
            let end = history.coverage.periods[bridge.rawValue].last?.upperBound ?? .earliest
            return history.openings[bridge.rawValue].filter {
                $0.minutes ?? 0 > 0 && history.coverage.contains($0.start, of: bridge)
                    && $0.end ?? .latest < end
            }
        }
        guard let last = openings.map(\.start).max(),
            let usual = LengthLaw(
                Array(repeating: 0, count: LengthLaw.coefficientCount) + usualLengths(openings))
        else { return nil }
        let reader = SituationReader(history)
        let minutes = openings.flatMap { opening -> [Minute] in
            guard let length = opening.minutes else { return [] }
            let known = LengthCovariates(
                opening.bridge, in: reader.situation(at: opening.start), usual)
            let age = last.minutes(since: opening.start) / 1440
            // Lowered in minute k + 1 if the length lies in (k, k + 1].
            let lowered = Int(length.rounded(.up)) - 1
            return (0...min(lowered, LengthSurvival.longestMinutes - 1)).map { minute in
                Minute(
                    bridge: opening.bridge, minute: minute, isLowered: minute == lowered,
                    weight: exp2(-age / halfLifeDays), known: known.values)
            }
        }
        let coefficients = fitted(to: minutes)
        return LengthLaw(
            coefficients.map { Float(min(max($0, -30), 30)) }
                + usual.parameters.suffix(2 * BridgeCatalogue.count))
    }

    /// By bridge the mean of ln(minutes), then the share of long openings; both drawn to those of all bridges.
    private static func usualLengths(_ openings: [Opening]) -> [Float] {
        func totals(_ openings: [Opening]) -> LengthTotals {
            openings.reduce(into: LengthTotals()) { $0.add(minutes: $1.minutes ?? 0) }
        }
        let (all, prior) = (totals(openings), 10.0)
        let own = BridgeIndex.all.map { bridge in
            totals(openings.filter { $0.bridge == bridge })
        }
        func drawn(_ sum: (LengthTotals) -> Double) -> [Float] {
            own.map {
                Float((sum($0) + prior * sum(all) / Double(all.count)) / (Double($0.count) + prior))
            }
        }
        return drawn(\.logMinutes) + drawn { Double($0.longCount) }
    }

    /// Newton's method from a hazard of a fifth, with steps of at most 2.
    private static func fitted(to minutes: [Minute]) -> [Double] {
        let count = LengthLaw.coefficientCount
        let terms = BridgeIndex.all.map { bridge in
            (0..<LengthSurvival.longestMinutes).map { LengthLaw.terms(bridge, minute: $0) }
        }
        let penalty = penalty()
        var coefficients = [Double](repeating: 0, count: count)
        for place in LengthLaw.baseKnots.indices { coefficients[place] = -1.5 }
        for _ in 0..<mostSteps {
            var gradient = [Double](repeating: 0, count: count)
            var curvature = penalty
            for row in 0..<count {
                for column in 0..<count {
                    gradient[row] -= penalty[row * count + column] * coefficients[column]
                }
            }
            for minute in minutes {
                let row = terms[minute.bridge.rawValue][minute.minute] + known(minute)
                let logit = row.reduce(0) { $0 + coefficients[$1.place] * $1.weight }
                let hazard = 1 / (1 + exp(-logit))
                let error = minute.weight * ((minute.isLowered ? 1 : 0) - hazard)
                let spread = minute.weight * hazard * (1 - hazard)
                for one in row {
                    gradient[one.place] += error * one.weight
                    for other in row {
                        curvature[one.place * count + other.place] +=
                            spread * one.weight * other.weight
                    }
                }
            }
            let step = PositiveSystem.solve(curvature, gradient)
            for place in 0..<count { coefficients[place] += min(max(step[place], -2), 2) }
            if step.allSatisfy({ abs($0) < 1e-7 }) { break }
        }
        return coefficients
    }

    private static func known(_ minute: Minute) -> [(place: Int, weight: Double)] {
        let (early, late) = LengthLaw.covariatePlaces
        let share = LengthLaw.earlyWeight(minute: minute.minute)
        return (0..<minute.known.count).flatMap { index in
            [
                (early + index, minute.known[index] * share),
                (late + index, minute.known[index] * (1 - share)),
            ].filter { $0.1 != 0 }
        }
    }

    /// Precisions of the prior, [coefficient, coefficient].
    private static func penalty() -> [Double] {
        let count = LengthLaw.coefficientCount
        var penalty = [Double](repeating: 0, count: count * count)
        let base = LengthLaw.baseKnots.count
        for place in 0..<count {
            penalty[place * count + place] =
                place < base
                ? ridge.base : place < LengthLaw.covariatePlaces.early ? ridge.own : ridge.known
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
