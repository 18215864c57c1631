// What the drawbridges before a stop may add to the arrival there: the sum of their delays.
internal import BridgecastCore

/// What bridges may add to an arrival.
public struct BridgeOutlookAtStop: Sendable, Equatable {
    /// Expected seconds.
    public let meanSeconds: Double
    /// Seconds that are not exceeded with these probabilities.
    public let p50Seconds, p80Seconds, p90Seconds: Double
    /// The chance of any delay, 0...1.
    public let probabilityDelayed: Double
    /// The chance of three minutes or more, 0...1.
    public let probabilityOver3Minutes: Double

    package init(
        meanSeconds: Double, p50Seconds: Double, p80Seconds: Double, p90Seconds: Double,
        probabilityDelayed: Double, probabilityOver3Minutes: Double
    ) {
        (self.meanSeconds, self.p50Seconds) = (meanSeconds, p50Seconds)
        (self.p80Seconds, self.p90Seconds) = (p80Seconds, p90Seconds)
        (self.probabilityDelayed, self.probabilityOver3Minutes) =
            (probabilityDelayed, probabilityOver3Minutes)
    }

    /// What one bridge adds to so many seconds that were waited already.
    init(_ delay: DelayDistribution, waitedSeconds waited: Double) {
        self.init(
            meanSeconds: waited + delay.expectedSeconds,
            p50Seconds: waited + delay.quantileSeconds(0.5),
            p80Seconds: waited + delay.quantileSeconds(0.8),
            p90Seconds: waited + delay.quantileSeconds(0.9),
            probabilityDelayed: waited > 0 ? 1 : delay.probabilityDelayed,
            probabilityOver3Minutes: 1 - delay.cumulative(atSeconds: 180 - waited))
    }

    /// What several add; see ``DelaySum``.
    init(_ sum: DelaySum, waitedSeconds waited: Double) {
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
    /// What the bridges before a stop may add to the arrival there; nil if there are none with a forecast.
    ///
    /// Delays at several bridges are added as if one did not tell of the other, and nothing of them is made up for on the
    /// way. A bridge that no forecast reaches adds nothing. What a bus has waited already counts where its times do not
    /// have it in them.
    ///
    /// - Parameter stopOrder: Place among the stops of the trip, from 0.
    public func outlook(atStop stopOrder: Int) -> BridgeOutlookAtStop? {
        let before = filter { $0.afterStop < stopOrder }
        let (delays, waited) = (
            before.compactMap(\.delay), before.map(\.waitedSeconds).max() ?? 0
        )
        guard let first = delays.first else { return nil }
        guard delays.count > 1 else {
            return BridgeOutlookAtStop(first, waitedSeconds: waited)
        }
        let sum = delays.dropFirst().reduce(DelaySum(first)) { $0.adding($1) }
        return BridgeOutlookAtStop(sum, waitedSeconds: waited)
    }
}
