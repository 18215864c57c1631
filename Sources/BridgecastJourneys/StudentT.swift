// Student's t distribution, of which the forecasts that are learned from journeys have their quantiles.
import Foundation

/// Student's t distribution with a whole number of degrees of freedom.
enum StudentT {
    /// The probability of at most `value`.
    ///
    /// The finite series of Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4.
    ///
    /// - Precondition: `degrees` is 1 or more.
    /// - Complexity: O(degrees).
    static func cumulative(_ value: Double, degrees: Int) -> Double {
        let angle = atan(value / Double(degrees).squareRoot())
        let square = cos(angle) * cos(angle)
        let isOdd = degrees % 2 == 1
        var term = isOdd ? cos(angle) : 1
        var sum = degrees == 1 ? 0 : term
        for factor in stride(from: isOdd ? 3 : 2, to: degrees, by: 2) {
            term *= square * Double(factor - 1) / Double(factor)
            sum += term
        }
        let inside = isOdd ? (angle + sin(angle) * sum) * 2 / .pi : sin(angle) * sum
        return (1 + inside) / 2
    }

    /// The value that is not exceeded with a probability, to 1e-12 of it.
    ///
    /// - Precondition: `probability` is above 0 and below 1, `degrees` 1 or more.
    static func quantile(_ probability: Double, degrees: Int) -> Double {
        precondition(probability > 0 && probability < 1, "a probability is between 0 and 1")
        var low = -1.0
        var high = 1.0
        while cumulative(low, degrees: degrees) > probability { low *= 2 }
        while cumulative(high, degrees: degrees) < probability { high *= 2 }
        while high - low > 1e-12 * max(1, abs(low)) {
            let middle = (low + high) / 2
            if cumulative(middle, degrees: degrees) < probability {
                low = middle
            } else {
                high = middle
            }
        }
        return (low + high) / 2
    }
}
