// A figure over origins with its interval, if there are days enough for one. Used by OriginTable and OriginComparison.

/// A figure over origins with the 95 % interval of days drawn anew within each.
///
/// There is no interval where an origin has rows on one day only: drawn anew, it would always be that day, as if its
/// figure were certain. As JSON, `low` and `high` are then absent.
package struct OriginEstimate: Encodable, Sendable, Equatable {
    /// The figure.
    package let value: Double
    /// 2.5 % of resampled days give less; nil without an interval.
    package let low: Double?
    /// 2.5 % of resampled days give more; nil without an interval.
    package let high: Double?

    /// Works out a figure of some days of each origin, by their indices.
    init(_ origins: [DailyLosses], _ figure: ([[Int]]) -> Double) {
        let days = origins.map(\.daysWithRows).filter { $0 > 0 }
        guard !days.isEmpty, days.allSatisfy({ $0 > 1 }) else {
            value = figure(origins.map { Array($0.recipe.indices) })
            (low, high) = (nil, nil)
            return
        }
        let estimate = OriginBootstrap.estimate(days: origins.map(\.recipe.count), figure)
        (value, low, high) = (estimate.value, estimate.low, estimate.high)
    }
}
