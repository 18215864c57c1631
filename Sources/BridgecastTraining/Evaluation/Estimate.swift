// A figure with its interval.

/// A figure with its 95 % day-block bootstrap interval.
package struct Estimate: Sendable, Codable, Equatable {
    /// The figure.
    package let value: Double
    /// 2.5 % of resampled days give less.
    package let low: Double
    /// 2.5 % of resampled days give more.
    package let high: Double

    /// Stands where there is nothing to estimate from.
    static let none = Estimate(value: 0, low: 0, high: 0)
}
