// Proper scores of one probability forecast of a yes-or-no event; sums and means of them are where they are used.
private import Foundation

package enum ProbabilityScore {
    /// Forecasts are bounded by this and 1 less this before their logarithm is taken.
    private static let minProbability = 1e-7

    /// -log of the probability given to what happened, natural logarithm.
    package static func logLoss(_ forecast: Double, _ happened: Bool) -> Double {
        let bounded = self.bounded(forecast)
        return -log(happened ? bounded : 1 - bounded)
    }

    /// Squared error of a probability.
    package static func squaredError(_ forecast: Double, _ happened: Bool) -> Double {
        pow(forecast - (happened ? 1 : 0), 2)
    }

    /// A forecast within the bounds.
    package static func bounded(_ forecast: Double) -> Double {
        min(max(forecast, minProbability), 1 - minProbability)
    }
}
