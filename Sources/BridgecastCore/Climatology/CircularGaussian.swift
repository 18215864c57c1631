// Smoothing of a table that has no ends, such as the minutes of a day.
import Foundation

/// Smoothing of a table that has no ends.
struct CircularGaussian {
    private let weights: [Double]
    private let reach: Int

    init(standardDeviation: Double, length: Int) {
        reach = min(Int(standardDeviation * 5), (length - 1) / 2)
        let raw = (-reach...reach).map { exp(-0.5 * pow(Double($0) / standardDeviation, 2)) }
        let sum = raw.reduce(0, +)
        weights = raw.map { $0 / sum }
    }

    func smooth(_ values: ArraySlice<Double>) -> [Double] {
        let input = Array(values)
        let length = input.count
        return input.indices.map { center in
            var sum = 0.0
            for (offset, weight) in weights.enumerated() {
                sum += weight * input[(center + offset - reach + length) % length]
            }
            return sum
        }
    }
}
