// The sum of independent delays at bridges, on a grid of ten seconds.
package import BridgecastCore

/// A distribution of a sum of delays: a chance of none, and chances of cells of ten seconds within which the delay is taken
/// as uniform.
///
/// The bins of a ``DelayDistribution`` are whole cells, so one delay is exact. The sum of two uniform cells is a triangle
/// that lies half in one cell and half in the next: chances of cells and means of sums of two are exact, those of three
/// nearly.
package struct DelaySum: Sendable {
    /// The chance of no delay, 0...1.
    package let none: Double
    /// Cell k spans `k * 10` to `(k + 1) * 10` seconds.
    private let cells: [Double]

    private static let cellSeconds = 10.0

    /// One delay.
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

    private init(none: Double, cells: [Double]) { (self.none, self.cells) = (none, cells) }

    /// The sum of this and another delay that does not depend on it; O(cells²), some 130,000 steps for two.
    package func adding(_ delay: DelayDistribution) -> DelaySum {
        let other = DelaySum(delay)
        var sum = [Double](repeating: 0, count: cells.count + other.cells.count)
        for (place, chance) in cells.enumerated() { sum[place] += chance * other.none }
        for (place, chance) in other.cells.enumerated() { sum[place] += chance * none }
        for (place, chance) in cells.enumerated() where chance > 0 {
            for (otherPlace, otherChance) in other.cells.enumerated() {
                let half = chance * otherChance / 2
                sum[place + otherPlace] += half
                sum[place + otherPlace + 1] += half
            }
        }
        return DelaySum(none: none * other.none, cells: sum)
    }

    /// The expected delay, seconds.
    package var expectedSeconds: Double {
        cells.enumerated().reduce(0) {
            $0 + (Double($1.offset) + 0.5) * Self.cellSeconds * $1.element
        }
    }

    /// The chance of a delay of at most so many seconds; 0 for fewer than none.
    package func cumulative(atSeconds seconds: Double) -> Double {
        guard seconds >= 0 else { return 0 }
        let place = min(seconds / Self.cellSeconds, Double(cells.count))
        let whole = Int(place)
        let before = cells[..<whole].reduce(none, +)
        return whole < cells.count ? before + (place - Double(whole)) * cells[whole] : before
    }

    /// The delay that is not exceeded with a probability, seconds.
    package func quantileSeconds(_ probability: Double) -> Double {
        var before = none
        guard probability > before else { return 0 }
        for (place, chance) in cells.enumerated() {
            if probability <= before + chance {
                return (Double(place) + (probability - before) / chance) * Self.cellSeconds
            }
            before += chance
        }
        return Double(cells.count) * Self.cellSeconds
    }
}
