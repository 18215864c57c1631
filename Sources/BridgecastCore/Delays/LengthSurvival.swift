private import Foundation

/// P(an opening lasts longer than t minutes) given what is known, its integral, and the delays that follow.
///
/// The curve is given at whole minutes up to an hour and a half and linear between them; from then on it falls at
/// the rate of the last minute.
package struct LengthSurvival: Sendable {
    /// The last minute whose hazard is counted: older openings are treated as openings of this age.
    package static let longestMinutes = 60
    /// Minutes that the curve is given at: to the last edge after a lead of an hour, and one more.
    private static let pointCount = 92
    /// The last edge of the bins, minutes.
    private static let lastEdge = DelayBins.edgesMinutes[DelayBins.edgesMinutes.count - 1]

    /// The integrals of the curve from 0 to each whole minute, then the curve there.
    private let points: [Double]
    /// The rate at which it falls beyond the last point, 1/min.
    private let tailRate: Double

    /// - Parameter hazards: P(lowered in minute k + 1 | still up after k), 0 < h < 1; the last one
    ///   also holds for all later minutes.
    init(hazards: InlineArray<19, Double>) {
        // An element of an inline array is read by a copy of the whole, one of its span is not.
        let hazards = hazards.span
        let last = hazards.count - 1
        var points = [Double](repeating: 1, count: 2 * Self.pointCount)
        var span = points.mutableSpan
        var integral = 0.0
        var value = 1.0
        for minute in 0..<Self.pointCount {
            span[minute] = integral
            span[Self.pointCount + minute] = value
            let next = value * (1 - hazards[min(minute, last)])
            integral += (value + next) / 2
            value = next
        }
        self.points = points
        tailRate = -log1p(-hazards[last])
    }

    /// P(an opening lasts longer than this), 0 <= p <= 1.
    package subscript(minutes: Double) -> Double {
        let position = Position(minutes)
        return position.isGiven
            ? value(position.whole, position.part)
            : points[points.count - 1] * exp(-tailRate * (minutes - Position.last))
    }

    /// The integral of the curve from 0, minutes.
    package func integral(to minutes: Double) -> Double {
        let position = Position(minutes)
        guard position.isGiven else {
            let gone = -expm1(-tailRate * (minutes - Position.last))
            return points[Self.pointCount - 1] + points[points.count - 1] * gone / tailRate
        }
        return integral(position.whole, position.part)
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`), 0 < p <= 1.
    package func probabilityOutlasts(total: Double, elapsed: Double) -> Double {
        guard total > elapsed else { return 1 }
        let age = Self.age(elapsed)
        return self[age + total - elapsed] / self[age]
    }

    /// P(the delay is longer than each edge of the bins) for an arrival at an opening that is under way.
    ///
    /// A vehicle that arrives when `served` minutes' worth of the queue has left waits longer than w if the opening
    /// lasts longer than `w + served`.
    ///
    /// - Parameters:
    ///   - elapsed: How long it has lasted, minutes.
    ///   - served: Minutes from its start to the arrival, times 1 - rho.
    func delaysOutlast(served: Double, elapsed: Double) -> InlineArray<11, Double> {
        let age = Self.age(elapsed)
        let first = age + served - elapsed
        let scale = 1 / self[age]
        let edges = DelayBins.edgesMinutes
        // The edges are whole minutes, so all of them have the same fraction.
        let position = Position(first)
        let isGiven = first >= 0 && Position(first + Self.lastEdge).isGiven
        return InlineArray { bin in
            let longer =
                isGiven
                ? value(position.whole + Int(edges[bin]), position.part) : self[first + edges[bin]]
            return min(1, longer * scale)
        }
    }

    /// Shares of the delays in bins 1 to 11 at an opening that begins after the issue time.
    ///
    /// A vehicle that arrives `a` minutes after an opening's start waits longer than w if it lasts longer than
    /// `w + (1 - rho) a`; `a` is uniform from 0 to the lead, so that the survival is integrated over it.
    ///
    /// - Parameters:
    ///   - leadMinutes: From the issue time, when the span is down, to the arrival.
    ///   - density: Degree of saturation, 0 ..< 1.
    func delayShares(leadMinutes: Double, density: Double) -> InlineArray<11, Float> {
        let served = (1 - density) * max(leadMinutes, Self.minLeadMinutes)
        // The edges are whole minutes, at which the integral is given, and all have the same fraction.
        let position = Position(served)
        let isGiven = Position(served + Self.lastEdge).isGiven
        let edges = DelayBins.edgesMinutes
        let all = integral(to: served)
        let scale = 1 / all
        var shares = InlineArray<11, Float>(repeating: 0)
        var before = all
        for bin in 1..<shares.count {
            let edge = Int(edges[bin])
            let end =
                isGiven
                ? integral(position.whole + edge, position.part) : integral(to: edges[bin] + served)
            let after = end - points[edge]
            shares[bin - 1] = Float((before - after) * scale)
            before = after
        }
        shares[shares.count - 1] = Float(before * scale)
        return shares
    }

    /// A shorter lead counts as this: an immediate arrival waits for the whole opening.
    private static let minLeadMinutes = 0.1

    /// The age at which an opening counts: beyond the last minute the curve no longer depends on it.
    private static func age(_ elapsed: Double) -> Double {
        min(max(0, elapsed), Double(longestMinutes))
    }

    private struct Position {
        static let last = Double(pointCount - 1)

        /// The whole minutes below it.
        let whole: Int
        /// The fraction, 0 ..< 1.
        let part: Double
        /// Whether it is before the last point.
        let isGiven: Bool

        @inline(__always)
        init(_ minutes: Double) {
            let inside = min(max(0, minutes), Self.last)
            whole = Int(inside)
            part = inside - Double(whole)
            isGiven = minutes < Self.last
        }
    }

    @inline(__always)
    private func value(_ whole: Int, _ part: Double) -> Double {
        let here = points[Self.pointCount + whole]
        let next = points[Self.pointCount + whole + 1]
        return here + (next - here) * part
    }

    @inline(__always)
    private func integral(_ whole: Int, _ part: Double) -> Double {
        let here = points[Self.pointCount + whole]
        let next = points[Self.pointCount + whole + 1]
        return points[whole] + part * (here + (next - here) * part / 2)
    }
}
