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
    public var quantilesSeconds: [Double] { quantiles(ofBinsFrom: 0, whole: 1) }

    /// The same of those who are delayed at all, in seconds; nil if nobody can be.
    ///
    /// Their mean is about ``expectedSecondsIfDelayed``.
    public var quantilesSecondsIfDelayed: [Double]? {
        // What 1 leaves over would be rounded where the chance is small.
        let whole = (1..<DelayBins.count).reduce(0) { $0 + self[$1] }
        guard whole > 0, probabilityDelayed > 0 else { return nil }
        return quantiles(ofBinsFrom: 1, whole: whole)
    }

    /// The quantiles of what falls in a bin or a later one, which is `whole` of all.
    private func quantiles(ofBinsFrom first: Int, whole: Double) -> [Double] {
        let limits = DelayBins.limitsSeconds
        var bin = first
        // The probability of the bins from the first to the one before this.
        var before = 0.0
        return QuantileLevels.all.map { level in
            let reached = level * whole
            while bin < DelayBins.count, reached > before + self[bin] {
                before += self[bin]
                bin += 1
            }
            guard bin > 0 else { return 0 }
            guard bin < DelayBins.count else { return limits[DelayBins.count - 1] }
            let (low, high) = (limits[bin - 1], limits[bin])
            return low + (high - low) * (reached - before) / self[bin]
        }
    }
}
