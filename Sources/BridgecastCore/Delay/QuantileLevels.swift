// The probabilities at which a distribution is published for pictures: of delays here, of travel times in
// BridgecastEngine.

/// The 20 probabilities of published quantiles: 2.5 %, 7.5 % and so on to 97.5 %.
///
/// Each quantile stands in the middle of a twentieth of all cases, so that 20 dots drawn at them are the distribution.
public enum QuantileLevels {
    /// How many there are, 20.
    public static let count = 20
    /// The probabilities in increasing order, from 0.025 to 0.975.
    public static let all = (0..<count).map { (Double($0) + 0.5) / Double(count) }
}

extension DelayDistribution {
    /// The delays in seconds that are not exceeded with the probabilities of ``QuantileLevels/all``, in order.
    ///
    /// Each is what ``quantileSeconds(_:)`` says; all are found in one pass over the bins.
    public var quantilesSeconds: [Double] {
        let limits = DelayBins.limitsSeconds
        var bin = 0
        // The probability of all bins before this one.
        var before = 0.0
        return QuantileLevels.all.map { level in
            while bin < DelayBins.count, level > before + self[bin] {
                before += self[bin]
                bin += 1
            }
            guard bin > 0 else { return 0 }
            guard bin < DelayBins.count else { return limits[DelayBins.count - 1] }
            let (low, high) = (limits[bin - 1], limits[bin])
            return low + (high - low) * (level - before) / self[bin]
        }
    }
}
