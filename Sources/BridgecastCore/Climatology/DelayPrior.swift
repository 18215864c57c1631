// The prior that the network corrects: climatology, and what an opening under way or just over implies.
import Foundation

/// The delay distribution from climatology and the bridge's own last opening.
///
/// - While the span is up, the opening's remaining life follows from how long openings of the bridge
///   last, and with it the delay by the queueing formula.
/// - After an opening its queue stands for a known time: the delay follows from the formula alone.
/// - Whatever of the probability that leaves goes by climatology.
///
/// Neighbours, rules and everything else are the network's business.
enum DelayPrior {
    /// What may still come differently where the formula leaves no doubt.
    private static let doubt = 0.02
    /// No bin is less likely than this.
    private static let leastProbability = 1e-6

    /// Appends the log probabilities of the bins, 12 numbers.
    static func appendLogits(_ row: RowContext, to logits: inout [Float]) {
        let usual = row.climatology.delay(
            row.bridge, openProbability: row.openProbability, density: row.density)
        let implied = impliedByOwnOpening(row)
        let rest = implied?[0] ?? 1
        for bin in 0..<DelayBins.count {
            let probability = (bin == 0 ? 0 : implied?[bin] ?? 0) + rest * usual[bin]
            logits.append(Float(log(max(probability, leastProbability))))
        }
    }

    /// The distribution that the bridge's own last opening implies; nil if it has passed.
    private static func impliedByOwnOpening(_ row: RowContext) -> [Double]? {
        if let elapsed = row.raisedMinutes {
            // A vehicle that arrives a after the start waits longer than w if D > w + (1 - rho) a.
            let served = Double(1 - row.density) * (elapsed + row.leadMinutes)
            var bins = [Double](repeating: 0, count: DelayBins.count)
            let outlasts = DelayBins.edgesMinutes.map { wait in
                row.climatology.probabilityOutlasts(
                    row.bridge, total: wait + served, elapsed: elapsed)
            }
            bins[0] = 1 - outlasts[0]
            for bin in 1..<DelayBins.count {
                bins[bin] = outlasts[bin - 1] - (bin < outlasts.count ? outlasts[bin] : 0)
            }
            return bins
        } else if let last = row.own.recent.first, let end = last.end {
            let delay = QueueingDelay.seconds(
                openingSeconds: end.minutes(since: last.start) * 60,
                arrivalSeconds: row.validTime.minutes(since: last.start) * 60,
                density: Double(row.density))
            let bin = DelayBins.bin(ofSeconds: delay)
            guard bin > 0 else { return nil }
            var bins = [Double](repeating: 0, count: DelayBins.count)
            bins[0] = doubt
            bins[bin] = 1 - doubt
            return bins
        }
        return nil
    }
}
