/// Block bootstrap: how a figure varies over resampled days.
///
/// Rows of one day are not independent, days nearly are.
package enum DayBlockBootstrap {
    private static let resamples = 1_000
    private static let seed: UInt64 = 20_260_215

    /// A figure of all days with its 95 % percentile interval, over days drawn with replacement.
    ///
    /// - Parameters:
    ///   - days: How many days each origin has; days are drawn within their origin.
    ///   - figure: The figure of some days of each origin, by their indices.
    static func estimate(daysByOrigin days: [Int], _ figure: ([[Int]]) -> Double) -> Estimate {
        var random = SeededRandom(seed: seed)
        let figures = (0..<resamples).map { _ in
            figure(
                days.map { count in
                    (0..<count).map { _ in Int.random(in: 0..<count, using: &random) }
                })
        }.sorted()
        return Estimate(
            value: figure(days.map { Array(0..<$0) }), low: figures[resamples / 40],
            high: figures[resamples - 1 - resamples / 40])
    }

    /// A figure of the days of one period, by their indices.
    static func estimate(days: Int, _ figure: ([Int]) -> Double) -> Estimate {
        estimate(daysByOrigin: [days]) { figure($0[0]) }
    }

    /// The skill 1 - sum(model) / sum(reference).
    ///
    /// - Parameters:
    ///   - model: Sum of losses of each day.
    ///   - reference: The same of the reference forecast, positive in sum.
    package static func ratioSkill(model: [Double], reference: [Double]) -> Estimate {
        estimate(days: model.count) { days in
            skill(days.reduce(0) { $0 + model[$1] }, days.reduce(0) { $0 + reference[$1] })
        }
    }

    /// By how much one forecast's skill exceeds another's, both over the same reference.
    package static func skillDifference(
        _ model: [Double], over other: [Double], reference: [Double]
    ) -> Estimate {
        estimate(days: model.count) { days in
            let referenceLoss = days.reduce(0) { $0 + reference[$1] }
            return skill(days.reduce(0) { $0 + model[$1] }, referenceLoss)
                - skill(days.reduce(0) { $0 + other[$1] }, referenceLoss)
        }
    }

    /// 0 without any loss of the reference.
    private static func skill(_ model: Double, _ reference: Double) -> Double {
        reference > 0 ? 1 - model / reference : 0
    }

    /// The ratio of two sums over days, such as a mean over cases; 0 where the denominators are.
    package static func ratio(_ numerators: [Double], over denominators: [Double]) -> Estimate {
        estimate(days: numerators.count) { days in
            let whole = days.reduce(0) { $0 + denominators[$1] }
            return whole > 0 ? days.reduce(0) { $0 + numerators[$1] } / whole : 0
        }
    }
}

/// A figure with its 95 % day-block bootstrap interval.
package struct Estimate: Sendable, Codable, Equatable {
    package let value: Double
    /// 2.5 % of resampled days give less.
    package let low: Double
    /// 2.5 % of resampled days give more.
    package let high: Double

    /// The estimate from no rows.
    static let none = Estimate(value: 0, low: 0, high: 0)
}

/// A figure over origins with the 95 % interval of days drawn within each, the same days for every recipe.
///
/// There is no interval where an origin has rows on one day only: it would always be drawn, as if the figure were
/// certain. As JSON, `low` and `high` are then absent.
package struct OriginEstimate: Encodable, Sendable, Equatable {
    package let value: Double
    /// 2.5 % of resampled days give less; nil without an interval.
    package let low: Double?
    /// 2.5 % of resampled days give more; nil without an interval.
    package let high: Double?

    /// - Parameter figure: The figure of some days of each origin, by their indices.
    init(_ origins: [DailyLosses], _ figure: ([[Int]]) -> Double) {
        let days = origins.map(\.daysWithRows).filter { $0 > 0 }
        guard !days.isEmpty, days.allSatisfy({ $0 > 1 }) else {
            value = figure(origins.map { Array($0.recipe.indices) })
            low = nil
            high = nil
            return
        }
        let estimate = DayBlockBootstrap.estimate(daysByOrigin: origins.map(\.recipe.count), figure)
        value = estimate.value
        low = estimate.low
        high = estimate.high
    }
}
