// How long an opening lasts, given what is known: a survival curve and its integral. BridgeContext holds one for
// each bridge and situation.
private import Foundation

/// P(an opening lasts longer than t minutes), and what follows from it.
///
/// The curve is given at whole minutes up to an hour and linear between them; from then on it falls at the rate of
/// the last minute.
package struct LengthSurvival: Sendable {
    /// The last minute that the curve is given at.
    package static let longestMinutes = 60

    private var values = InlineArray<61, Double>(repeating: 1)
    /// The integral of the curve from 0 to each minute.
    private var integrals = InlineArray<61, Double>(repeating: 0)
    /// The rate at which it falls beyond the last minute, 1/min.
    private let tailRate: Double

    /// Makes the curve from hazards.
    ///
    /// - Parameters:
    ///   - hazards: P(lowered in minute k + 1 | still up after k), 0 < h < 1; the last one holds for all later minutes.
    init(hazards: InlineArray<19, Double>) {
        let last = hazards.count - 1
        for minute in 0..<Self.longestMinutes {
            let here = values[minute]
            let next = here * (1 - hazards[min(minute, last)])
            values[minute + 1] = next
            integrals[minute + 1] = integrals[minute] + (here + next) / 2
        }
        tailRate = -log1p(-hazards[last])
    }

    /// P(an opening lasts longer than so many minutes), 0 <= p <= 1.
    package subscript(minutes: Double) -> Double {
        guard minutes < Double(Self.longestMinutes) else {
            return values[Self.longestMinutes]
                * exp(-tailRate * (minutes - Double(Self.longestMinutes)))
        }
        let whole = Int(max(0, minutes))
        return values[whole]
            + (values[whole + 1] - values[whole]) * (max(0, minutes) - Double(whole))
    }

    /// The integral of the curve from 0 to so many minutes, minutes.
    package func integral(to minutes: Double) -> Double {
        guard minutes < Double(Self.longestMinutes) else {
            let gone = -expm1(-tailRate * (minutes - Double(Self.longestMinutes)))
            return integrals[Self.longestMinutes] + values[Self.longestMinutes] * gone / tailRate
        }
        let whole = Int(max(0, minutes))
        let part = max(0, minutes) - Double(whole)
        return integrals[whole] + part
            * (values[whole] + (values[whole + 1] - values[whole]) * part / 2)
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`), 0 < p <= 1.
    package func probabilityOutlasts(total: Double, elapsed: Double) -> Double {
        guard total > elapsed else { return 1 }
        // Beyond the last minute the ratio no longer depends on the age.
        let age = min(max(0, elapsed), Double(Self.longestMinutes))
        return self[age + total - elapsed] / self[age]
    }

    /// Shares of the delays in bins 1 to 11 of those who meet an opening that begins after the issue time.
    ///
    /// One who arrives `a` minutes after an opening's start waits longer than w if it lasts longer than
    /// `w + (1 - rho) a`; `a` lies anywhere from 0 to the lead, so that the survival is integrated over it.
    ///
    /// - Parameters:
    ///   - leadMinutes: From the issue time, when the span is down, to the arrival.
    ///   - density: Degree of saturation, 0 ..< 1.
    func delayShares(leadMinutes: Double, density: Double) -> InlineArray<11, Float> {
        let served = (1 - density) * max(leadMinutes, Self.leastLeadMinutes)
        // The edges of bins are whole minutes, at which the integral is at hand.
        let all = integral(to: served)
        let edges = DelayBins.edgesMinutes
        var shares = InlineArray<11, Float>(repeating: 0)
        var before = all
        for bin in 1..<shares.count {
            let after = integral(to: edges[bin] + served) - integrals[Int(edges[bin])]
            shares[bin - 1] = Float((before - after) / all)
            before = after
        }
        shares[shares.count - 1] = Float(before / all)
        return shares
    }

    /// A shorter lead counts as this: an arrival at once meets the whole of an opening.
    private static let leastLeadMinutes = 0.1
}
