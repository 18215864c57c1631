// Uncertainty of a skill: how it varies if the days had been others.

/// Resampling of whole days: rows of one day are not independent, days nearly are.
package enum DayBlockBootstrap {
    private static let resamples = 1_000
    private static let seed: UInt64 = 20_260_215

    /// The skill 1 - sum(model) / sum(reference) with its 95 % percentile interval.
    ///
    /// - Parameters:
    ///   - model: Sum of losses of each day.
    ///   - reference: The same of the reference forecast, positive in sum.
    package static func ratioSkill(model: [Double], reference: [Double]) -> Estimate {
        var random = SeededRandom(seed: seed)
        var skills: [Double] = []
        for _ in 0..<resamples {
            var sums = (model: 0.0, reference: 0.0)
            for _ in model.indices {
                let day = Int.random(in: model.indices, using: &random)
                sums.model += model[day]
                sums.reference += reference[day]
            }
            skills.append(skill(sums.model, sums.reference))
        }
        skills.sort()
        return Estimate(
            value: skill(model.reduce(0, +), reference.reduce(0, +)),
            low: skills[resamples / 40], high: skills[resamples - 1 - resamples / 40])
    }

    /// A skill of 0 stands for a comparison of nothing with nothing.
    private static func skill(_ model: Double, _ reference: Double) -> Double {
        reference > 0 ? 1 - model / reference : 0
    }
}
