// A random duration on a grid: what scoring convolves along a route.
import Foundation

/// The distribution of a duration on a grid of ``stepSeconds``.
///
/// Cell i stands for durations around `(first + i) * stepSeconds`.
public struct TimeDistribution: Sendable, Equatable {
    /// Width of a cell.
    public static let stepSeconds = 15.0
    /// Cells less likely than this are dropped at the ends.
    private static let negligible = 1e-9

    /// Index of the first cell, >= 0.
    let first: Int
    /// Probability of each cell; they add up to 1.
    let probabilities: [Double]

    /// A duration of exactly zero.
    static let zero = TimeDistribution(first: 0, probabilities: [1])

    init(first: Int, probabilities: [Double]) {
        let start = probabilities.firstIndex { $0 > Self.negligible } ?? 0
        let end = probabilities.lastIndex { $0 > Self.negligible } ?? 0
        let kept = probabilities[start...end]
        let sum = kept.reduce(0, +)
        self.first = first + start
        self.probabilities = kept.map { $0 / sum }
    }

    /// A stretch of travel: gamma distributed, so that it is positive and skewed to the late side.
    ///
    /// - Complexity: O(length of the grid).
    init(_ travel: Route.Travel) {
        let mean = travel.meanMinutes * 60
        let spread = travel.spreadMinutes * 60
        guard mean > 0, spread > Self.stepSeconds / 8 else {
            self = Self.point(at: mean)
            return
        }
        let shape = (mean / spread) * (mean / spread)
        let scale = mean / shape
        let lower = max(0, Int(((mean - 6 * spread) / Self.stepSeconds).rounded(.down)))
        let upper = Int(((mean + 9 * spread) / Self.stepSeconds).rounded(.up))
        let cells = (lower...upper).map { cell in
            // The density at the middle of the part of the cell that is positive.
            let low = max(0, Double(cell) - 0.5) * Self.stepSeconds
            let middle = (low + (Double(cell) + 0.5) * Self.stepSeconds) / 2
            return exp((shape - 1) * log(middle / mean) - (middle - mean) / scale)
        }
        self = TimeDistribution(first: lower, probabilities: cells).shifted(toMean: mean)
    }

    /// Mean in seconds.
    public var meanSeconds: Double {
        probabilities.enumerated().reduce(0) { $0 + $1.element * seconds(ofCell: $1.offset) }
    }

    /// The duration in seconds that is not exceeded with a probability, interpolated within cells.
    public func quantileSeconds(_ probability: Double) -> Double {
        var sum = 0.0
        for (cell, share) in probabilities.enumerated() {
            if sum + share >= probability {
                let within = share > 0 ? (probability - sum) / share - 0.5 : 0
                return max(0, seconds(ofCell: cell) + within * Self.stepSeconds)
            }
            sum += share
        }
        return seconds(ofCell: probabilities.count - 1)
    }

    /// The sum with an independent duration; O(product of the lengths).
    func adding(_ other: TimeDistribution) -> TimeDistribution {
        var sums = [Double](
            repeating: 0, count: probabilities.count + other.probabilities.count - 1)
        for (i, a) in probabilities.enumerated() {
            for (j, b) in other.probabilities.enumerated() { sums[i + j] += a * b }
        }
        return TimeDistribution(first: first + other.first, probabilities: sums)
    }

    /// The sum with a delay that depends on the duration so far.
    ///
    /// - Parameter delay: The delay's cells for an arrival after so many seconds.
    func adding(delay: (Double) -> [Double]) -> TimeDistribution {
        var sums: [Double] = []
        for (i, share) in probabilities.enumerated() {
            let cells = delay(seconds(ofCell: i))
            if sums.count < i + cells.count {
                sums += Array(repeating: 0, count: i + cells.count - sums.count)
            }
            for (j, part) in cells.enumerated() { sums[i + j] += share * part }
        }
        return TimeDistribution(first: first, probabilities: sums)
    }

    /// Duration that a cell stands for, seconds.
    func seconds(ofCell cell: Int) -> Double { Double(first + cell) * Self.stepSeconds }

    private static func point(at seconds: Double) -> TimeDistribution {
        let position = max(0, seconds / stepSeconds)
        let cell = Int(position)
        let share = position - Double(cell)
        return TimeDistribution(first: cell, probabilities: [1 - share, share])
    }

    /// The grid makes the mean drift by a fraction of a cell; a point of that length puts it right.
    private func shifted(toMean mean: Double) -> TimeDistribution {
        let error = mean - meanSeconds
        guard error < 0 else { return adding(Self.point(at: error)) }
        guard first > 0 else { return self }
        return TimeDistribution(first: first - 1, probabilities: probabilities)
            .adding(Self.point(at: error + Self.stepSeconds))
    }
}

extension DelayDistribution {
    /// The delay on the grid of ``TimeDistribution``: cell 0 is no delay.
    func cells() -> [Double] {
        let step = TimeDistribution.stepSeconds
        let count = Int(DelayBins.longestMinutes * 60 / step) + 1
        var cells = [Double](repeating: 0, count: count)
        var below = self[0]
        cells[0] = below
        for cell in 1..<count {
            let upTo = cumulative(atSeconds: Double(cell) * step)
            // Half of each step's mass to either end keeps the mean.
            cells[cell - 1] += (upTo - below) / 2
            cells[cell] += (upTo - below) / 2
            below = upTo
        }
        return cells
    }
}
