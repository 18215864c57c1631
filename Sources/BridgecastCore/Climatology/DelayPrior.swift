// The prior that the network corrects: climatology, and what an opening under way or just over implies.
import Foundation

/// The delay distribution from climatology and the bridge's own last opening.
///
/// - While the span is up, the opening's remaining life follows from how long openings of the bridge
///   last, and with it the delay by the queueing formula.
/// - After an opening its queue stands for a known time: the delay follows from the formula alone.
/// - Whatever of the probability that leaves goes by climatology: P(blocked) as usual, the delay by how long openings
///   last given what is known, if they begin after the issue time.
///
/// Neighbours, rules and everything else are the network's business.
enum DelayPrior {
    /// What may still come differently where the formula leaves no doubt.
    private static let doubt = 0.02
    /// No bin is less likely than this.
    private static let leastProbability: Float = 1e-6

    /// Appends the log probabilities of the bins, 12 numbers.
    static func appendLogits(_ row: RowContext, to logits: inout [Float]) {
        // As Climatology.delay has it; 1 - p is off by up to 6e-8, as its result is.
        let none = exp(logarithm(1 - row.openProbability) / (1 - row.density))
        let shares = shares(row)
        var probabilities = InlineArray<12, Float>(repeating: none)
        for bin in 0..<11 { probabilities[bin + 1] = shares[bin] * (1 - none) }
        if let implied = impliedByOwnOpening(row) {
            let rest = Float(implied[0])
            for bin in 0..<12 {
                probabilities[bin] =
                    (bin == 0 ? 0 : Float(implied[bin])) + rest * probabilities[bin]
            }
        }
        var result = InlineArray<12, Float>(repeating: 0)
        for bin in 0..<12 { result[bin] = logarithm(max(probabilities[bin], leastProbability)) }
        unsafe result.span.withUnsafeBufferPointer { unsafe logits.append(contentsOf: $0) }
    }

    /// Shares of the delays in bins 1 to 11 at openings still to begin.
    ///
    /// Where the span is known to be down or up, such an opening begins between the issue time and the arrival; where
    /// nothing is known it may be of any age.
    private static func shares(_ row: RowContext) -> InlineArray<11, Float> {
        guard let lengths = row.known.lengths else { return row.known.binShares }
        return lengths.delayShares(
            leadMinutes: row.leadMinutes, density: Double(row.density))
    }

    /// The distribution that the bridge's own last opening implies; nil if it has passed.
    private static func impliedByOwnOpening(_ row: RowContext) -> InlineArray<12, Double>? {
        var bins = InlineArray<12, Double>(repeating: 0)
        if let elapsed = row.known.raisedMinutes {
            // A vehicle that arrives a after the start waits longer than w if D > w + (1 - rho) a.
            let served = Double(1 - row.density) * (elapsed + row.leadMinutes)
            let delays = row.known.delaysOutlast(served: served, elapsed: elapsed)
            var outlasts = 1.0
            for bin in 0..<delays.count {
                bins[bin] = outlasts - delays[bin]
                outlasts = delays[bin]
            }
            bins[DelayBins.count - 1] = outlasts
            return bins
        }
        guard let last = row.known.own.recent.first, let end = last.end else { return nil }
        let delay = QueueingDelay.seconds(
            openingSeconds: end.minutes(since: last.start) * 60,
            arrivalSeconds: row.validTime.minutes(since: last.start) * 60,
            density: Double(row.density))
        let bin = DelayBins.bin(ofSeconds: delay)
        guard bin > 0 else { return nil }
        bins[0] = doubt
        bins[bin] = 1 - doubt
        return bins
    }
}
