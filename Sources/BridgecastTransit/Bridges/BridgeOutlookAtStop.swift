package import BridgecastCore

/// The delay that the bridges before a stop may add to the arrival there.
public struct BridgeOutlookAtStop: Sendable, Equatable {
    /// Mean, seconds.
    public let meanSeconds: Double
    /// Quantiles, seconds.
    public let p50Seconds, p80Seconds, p90Seconds: Double
    /// Probability of any delay, 0...1.
    public let probabilityDelayed: Double
    /// Probability of three minutes or more, 0...1.
    public let probabilityOver3Minutes: Double
}

extension BridgeOutlookAtStop {
    /// The delay of one bridge after some seconds of waiting.
    fileprivate init(_ delay: DelayDistribution, waitedSeconds waited: Double) {
        self.init(
            meanSeconds: waited + delay.expectedSeconds,
            p50Seconds: waited + delay.quantileSeconds(0.5),
            p80Seconds: waited + delay.quantileSeconds(0.8),
            p90Seconds: waited + delay.quantileSeconds(0.9),
            probabilityDelayed: waited > 0 ? 1 : delay.probabilityDelayed,
            probabilityOver3Minutes: 1 - delay.cumulative(atSeconds: 180 - waited))
    }

    fileprivate init(_ sum: DelaySum, waitedSeconds waited: Double) {
        self.init(
            meanSeconds: waited + sum.expectedSeconds,
            p50Seconds: waited + sum.quantileSeconds(0.5),
            p80Seconds: waited + sum.quantileSeconds(0.8),
            p90Seconds: waited + sum.quantileSeconds(0.9),
            probabilityDelayed: waited > 0 ? 1 : max(0, 1 - sum.none),
            probabilityOver3Minutes: max(0, 1 - sum.cumulative(atSeconds: 180 - waited)))
    }
}

extension [BridgeAhead] {
    /// The delay that the bridges before a stop may add to the arrival there; nil if none has a forecast.
    ///
    /// Delays at several bridges are taken as independent, and none is recovered on the way. A bridge beyond the forecast
    /// adds nothing. The time that a bus has waited already counts unless its times include it.
    ///
    /// - Parameter stopOrder: Index among the stops of the trip.
    public func outlook(atStop stopOrder: Int) -> BridgeOutlookAtStop? {
        let before = filter { $0.afterStop < stopOrder }
        let delays = before.compactMap(\.delay)
        let waited = before.map(\.waitedSeconds).max() ?? 0
        guard let first = delays.first else { return nil }
        guard delays.count > 1 else { return BridgeOutlookAtStop(first, waitedSeconds: waited) }
        let sum = delays.dropFirst().reduce(DelaySum(first)) { $0.adding($1) }
        return BridgeOutlookAtStop(sum, waitedSeconds: waited)
    }
}

// MARK: - Sums of delays

/// The distribution of a sum of independent delays: the probability of none, and those of cells of ten seconds, uniform
/// within a cell.
///
/// The bins of a ``DelayDistribution`` are whole cells, so one delay is exact. The sum of two uniform cells is a triangle,
/// half in one cell and half in the next: probabilities and means of sums of two are exact, of three nearly so.
package struct DelaySum: Sendable {
    /// Probability of no delay, 0...1.
    package let none: Double
    /// Cell k spans `k * 10` to `(k + 1) * 10` seconds.
    private let cells: [Double]

    private static let cellSeconds = 10.0

    package init(_ delay: DelayDistribution) {
        none = delay[0]
        let limits = (DelayBins.edgesMinutes + [DelayBins.longestMinutes]).map {
            Int($0 * 60 / Self.cellSeconds)
        }
        cells = zip(limits, limits.dropFirst()).enumerated().flatMap { bin, limits in
            let width = limits.1 - limits.0
            return [Double](repeating: delay[bin + 1] / Double(width), count: width)
        }
    }

    private init(none: Double, cells: [Double]) {
        self.none = none
        self.cells = cells
    }

    /// The sum with another, independent delay; O(cells²), some 130,000 steps for two.
    package func adding(_ delay: DelayDistribution) -> DelaySum {
        let other = DelaySum(delay)
        var sum = [Double](repeating: 0, count: cells.count + other.cells.count)
        for (index, chance) in cells.enumerated() { sum[index] += chance * other.none }
        for (index, chance) in other.cells.enumerated() { sum[index] += chance * none }
        for (index, chance) in cells.enumerated() where chance > 0 {
            for (otherIndex, otherChance) in other.cells.enumerated() {
                let half = chance * otherChance / 2
                sum[index + otherIndex] += half
                sum[index + otherIndex + 1] += half
            }
        }
        return DelaySum(none: none * other.none, cells: sum)
    }

    /// Mean, seconds.
    package var expectedSeconds: Double {
        cells.enumerated().reduce(0) {
            $0 + (Double($1.offset) + 0.5) * Self.cellSeconds * $1.element
        }
    }

    /// Probability of a delay of at most `seconds`; 0 below 0.
    package func cumulative(atSeconds seconds: Double) -> Double {
        guard seconds >= 0 else { return 0 }
        let position = min(seconds / Self.cellSeconds, Double(cells.count))
        let whole = Int(position)
        let before = cells[..<whole].reduce(none, +)
        return whole < cells.count ? before + (position - Double(whole)) * cells[whole] : before
    }

    /// The quantile of a probability, seconds.
    package func quantileSeconds(_ probability: Double) -> Double {
        var before = none
        guard probability > before else { return 0 }
        for (index, chance) in cells.enumerated() {
            if probability <= before + chance {
                return (Double(index) + (probability - before) / chance) * Self.cellSeconds
            }
            before += chance
        }
        return Double(cells.count) * Self.cellSeconds
    }
}
