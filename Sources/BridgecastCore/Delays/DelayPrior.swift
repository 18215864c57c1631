import Foundation

/// The prior that the network corrects: the delay distribution from climatology and the bridge's own last opening.
///
/// - While the span is up, the opening's remaining life follows from how long openings of the bridge
///   last, and with it the delay by the queueing formula.
/// - After an opening its queue lasts for a known time: the delay follows from the formula alone.
/// - The remaining probability follows climatology: P(blocked) by history, the delay by how long openings
///   last given what is known, if they begin after the issue time.
///
/// Neighbours, rules and everything else are left to the network.
enum DelayPrior {
    /// The probability that the formula's certain result is wrong.
    private static let doubt = 0.02
    private static let minProbability: Float = 1e-6

    /// Appends the log probabilities of the bins, 12 numbers.
    static func appendLogits(_ row: RowContext, to logits: inout [Float]) {
        // As in Climatology.delay; 1 - p has an error of up to 6e-8, as its result has.
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
        for bin in 0..<12 { result[bin] = logarithm(max(probabilities[bin], minProbability)) }
        unsafe result.span.withUnsafeBufferPointer { unsafe logits.append(contentsOf: $0) }
    }

    /// Shares of the delays in bins 1 to 11 at openings still to begin.
    ///
    /// Where the span is known to be down or up, such an opening begins between the issue time and the arrival; where
    /// nothing is known it may have any age.
    private static func shares(_ row: RowContext) -> InlineArray<11, Float> {
        guard let lengths = row.known.lengths else { return row.known.binShares }
        return lengths.delayShares(leadMinutes: row.leadMinutes, density: Double(row.density))
    }

    /// The distribution that the bridge's own last opening implies; nil if it has no effect any more.
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

/// ln x, to about 2 units in the last place; inlined, so that the twelve of a row overlap.
///
/// With x = 2^e m, m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1): ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), of
/// which five terms leave less than 1e-8 of it.
///
/// - Precondition: `x` is finite, positive and not subnormal.
@inline(__always)
func logarithm(_ x: Float) -> Float {
    // Bits of sqrt(1/2), so that what is left of an exponent is that of the nearest power of two.
    let root: UInt32 = 0x3f35_04f3
    let shifted = x.bitPattern &- root
    let power = Float(Int32(bitPattern: shifted) >> 23)
    let m = Float(bitPattern: (shifted & ((1 << 23) - 1)) &+ root)
    let s = (m - 1) / (m + 1)
    let z = s * s
    let series = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9))))
    // ln 2 in two parts, of which the first times a power is exact.
    return power * 0x1.62e4p-1 + ((s + s) + ((s + s) * series + power * 0x1.7f7d1cp-20))
}
