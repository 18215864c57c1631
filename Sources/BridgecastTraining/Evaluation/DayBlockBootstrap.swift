// Uncertainty of a skill: how it varies if the days had been others.

/// Resampling of whole days: rows of one day are not independent, days nearly are.
package enum DayBlockBootstrap {
    /// The skill 1 - sum(model) / sum(reference) with its 95 % percentile interval.
    ///
    /// - Parameters:
    ///   - model: Sum of losses of each day.
    ///   - reference: The same of the reference forecast, positive in sum.
    package static func ratioSkill(model: [Double], reference: [Double]) -> Estimate {
        estimate(model.count) { days in
            skill(days.reduce(0) { $0 + model[$1] }, days.reduce(0) { $0 + reference[$1] })
        }
    }

    /// By how much one forecast's skill exceeds another's, both over the same reference.
    package static func skillDifference(
        _ model: [Double], over other: [Double], reference: [Double]
    ) -> Estimate {
        estimate(model.count) { days in
            let usual = days.reduce(0) { $0 + reference[$1] }
            return skill(days.reduce(0) { $0 + model[$1] }, usual)
                - skill(days.reduce(0) { $0 + other[$1] }, usual)
        }
    }

    /// A mean over cases, from each day's sum and count.
    package static func mean(sums: [Double], counts: [Double]) -> Estimate {
        ratio(sums, over: counts)
    }

    /// The ratio of two sums over days; 0 where there is nothing.
    package static func ratio(_ numerators: [Double], over denominators: [Double]) -> Estimate {
        estimate(numerators.count) { days in
            let whole = days.reduce(0) { $0 + denominators[$1] }
            return whole > 0 ? days.reduce(0) { $0 + numerators[$1] } / whole : 0
        }
    }

    /// A figure of all days with its interval: that of days drawn again and again, with repetitions.
    static func estimate(_ days: Int, _ figure: ([Int]) -> Double) -> Estimate {
        OriginBootstrap.estimate(days: [days]) { figure($0[0]) }
    }

    /// A skill of 0 stands for a comparison of nothing with nothing.
    private static func skill(_ model: Double, _ reference: Double) -> Double {
        reference > 0 ? 1 - model / reference : 0
    }
}
